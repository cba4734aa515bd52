"""Prose without the line breaks of its source, and code with them."""

from language.sentences import unwrapped

YAML = "```yaml\nspec:\n  containers:\n  - name: web\n    image: nginx\n\n    ports:\n    - containerPort: 80\n```"


def test_code_keeps_its_lines() -> None:
    assert unwrapped(f"A pod\nwith a port:\n\n{YAML}") == f"A pod with a port:\n\n{YAML}"


def test_an_item_is_one_line_up_to_its_code() -> None:
    text = "- Extend the\n  share:\n  ```sh\n  - resize\n    it\n  ```\n- Look at\n  it"
    assert unwrapped(text) == "- Extend the share:\n  ```sh\n  - resize\n    it\n  ```\n- Look at it"
