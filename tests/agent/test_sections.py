"""The unit of an answer is the section: what is given of it, and what must not be torn out of it."""

import pytest

from agent.brains.output import Reply
from agent.brains.rules.answering.passages import pieces_of
from agent.brains.rules.replies import answer_from
from tests.agent.test_extractive import answer, passage, text_of

PASSWORD = passage(
    1,
    "Passwords",
    "Forgotten password",
    "Open the reset page and choose a new one. It asks for your phone. Without a phone, call the service desk.",
)
SOFTWARE = passage(
    2, "Software", "Forbidden", "TeamViewer, AnyDesk and browser extensions. They are removed without notice."
)
ERRORS = passage(
    3,
    "VPN",
    "VPN does not connect",
    "Work through these in order:\n\n1. Look whether the network works.\n2. Error `GP-51`: use `NG-Staff`.\n"
    "3. Error `GP-87`: restart the laptop.\n4. Still nothing: open a ticket.",
)
BUDGET = passage(
    4, "Benefits", "Training budget", "EUR 1,200 and 3 days a year. Ask your manager; book through Workday."
)
CONTACTS = passage(
    5,
    "Contacts",
    "Teams",
    "| Team | Lead | Extension |\n| --- | --- | --- |\n"
    "| Payroll | Bram Visser | 4405 |\n| Payments | Priya Nair | 5122 |\n",
)
LONG = passage(
    6,
    "Moving house",
    "Move to another office",
    "The facilities team plans a move to another office with you. " * 8
    + "\n\nThe first paragraph is about planning a move to another office. It names who packs. It names who pays.\n\n"
    + "Parking is arranged by the reception of the house. " * 12,
)


def test_a_short_section_is_given_whole_below_its_heading() -> None:
    text = text_of(answer("I forgot my password", PASSWORD))

    assert text.startswith("**Forgotten password**\n\nOpen the reset page and choose a new one.")
    assert text.endswith("Without a phone, call the service desk.")


def test_a_heading_that_turns_the_sense_is_never_left_out() -> None:
    assert text_of(answer("may I install TeamViewer?", SOFTWARE)).startswith("**Forbidden**\n\nTeamViewer")


def test_emphasis_or_a_number_at_the_start_of_a_wrapped_line_begins_no_item() -> None:
    said = ("Leave the keys with the porter, who writes them into the list of\n*Loans*.", "The lift takes\n3.5 tons.")

    assert tuple(piece.text for piece in pieces_of(" ".join(said))) == said
    assert len(list(pieces_of("Do this:\n\n1.打开软件\n2.点击“登录”"))) == 3


def test_yes_or_no_comes_with_the_exception_to_it() -> None:
    abroad = passage(
        7,
        "Business travel",
        "Working from abroad",
        "Up to 20 working days a year from another EU country. Outside the EU it is not possible.",
    )

    assert "Outside the EU" in text_of(answer("is it ok to work from Spain for two weeks?", abroad))


def test_how_long_is_answered_with_how_long() -> None:
    claim = passage(
        8,
        "Expenses",
        "Handing in a claim",
        "Take a picture of the receipt in Purser on your phone; amount and date are read from it. "
        "Choose the project, add a sentence why, send. Do it within **60 days** of the purchase. "
        "Claims approved by the 20th are paid with that month's salary, later ones with the next. "
        + "The finance team looks at every tenth claim and asks the person who handed it in. "
        * 6,
    )

    assert "**60 days**" in text_of(answer("how long do I have to hand in a receipt after a trip", claim))


def test_a_code_leads_to_its_step_alone() -> None:
    assert text_of(answer("what does error GP-51 mean?", ERRORS)) == "Error `GP-51`: use `NG-Staff`."


def test_of_two_things_that_are_asked_none_is_dropped() -> None:
    text = text_of(answer("What is my training budget and who approves it?", BUDGET))

    assert "EUR 1,200" in text
    assert "Ask your manager" in text


def test_one_fact_is_answered_by_its_sentence() -> None:
    assert text_of(answer("how much is the training budget?", BUDGET)) == "EUR 1,200 and 3 days a year."


def test_of_a_table_the_rows_that_are_spoken_of_are_given() -> None:
    text = text_of(answer("what's the extension of payroll?", CONTACTS))

    assert "| Team | Lead | Extension |" in text
    assert "4405" in text
    assert "5122" not in text


def test_of_a_table_of_which_no_row_is_spoken_of_all_rows_are_given() -> None:
    text = text_of(answer("who leads the teams?", CONTACTS))

    assert "4405" in text
    assert "5122" in text


def test_a_sentence_that_points_back_brings_the_one_before() -> None:
    text = text_of(answer("who asks for my phone when I forgot the password?", PASSWORD))

    assert "It asks for your phone" in text
    assert "Open the reset page" in text


def test_of_a_long_section_the_paragraph_is_given_in_its_order() -> None:
    text = text_of(answer("tell me about the first paragraph on planning a move to another office", LONG))

    assert "The first paragraph is about planning a move to another office." in text
    assert text.index("who packs") < text.index("who pays")
    assert "Parking" not in text


MODES = passage(
    11,
    "Volumes",
    "Access modes",
    "The modes are:\n\n`ReadOnce`\n: by a single node.\n\n`ReadMany`\n: by many nodes.\n\n"
    + "A claim asks for one of them, and the cluster looks for a volume that has it and binds both. " * 10,
)
SIZES = passage(
    12,
    "Disk space",
    "Space of the desktops",
    "| Desktop | Space |\n| --- | --- |\n| Plasma | 5900 |\n| Cinnamon | 6000 |\n| Xfce | 3192 |\n",
)
PROBES = passage(
    13,
    "Probes",
    "Fields of a probe",
    "* `delaySeconds`: seconds before the probe starts; ignored where `periodSeconds` is greater. The default is 0.\n"
    "* `periodSeconds`: how often the probe is made. The default is 10 seconds.\n"
    + "* `other`: something else.\n"
    * 40,
)


def test_who_asks_which_there_are_gets_the_whole_list() -> None:
    text = text_of(answer("what are the access modes of volumes?", MODES))

    assert "`ReadOnce`\n: by a single node." in text
    assert "`ReadMany`\n: by many nodes." in text
    assert "A claim asks" not in text


def test_of_two_things_that_are_compared_both_rows_come() -> None:
    text = text_of(answer("which desktop needs more space, Plasma or Xfce?", SIZES))

    assert "5900" in text
    assert "3192" in text
    assert "6000" not in text


def test_a_name_that_is_written_together_is_found_by_its_words() -> None:
    text = text_of(answer("what is the default period of the probe in seconds?", PROBES))

    assert text.startswith("`periodSeconds`")


def test_what_is_counted_stands_with_its_number() -> None:
    limits = passage(
        14,
        "Large clusters",
        "",
        "The product supports clusters with up to 5,000 nodes. More specifically:\n\n"
        "- No more than 110 pods per node\n- No more than 300,000 containers",
    )

    assert "110 pods per node" in text_of(
        answer("how many pods per node does the product support in clusters?", limits)
    )


def test_steps_that_are_cut_by_their_output_come_from_the_first_one() -> None:
    steps = "Follow these steps to roll back a release:\n\n1. Find the release:\n\n```\nshipctl list\n```\n\nSo.\n\n"
    rolling = passage(
        15,
        "Releases",
        "Rolling back a release",
        steps
        + "2. Roll back the release:\n\n```\nshipctl undo\n```\n\nIt says so.\n\n3. Look at the release.\n\n"
        + "Much else may be said of what a release holds and who looks after which part of it. " * 10,
    )
    text = text_of(answer("how do I roll back a release?", rolling))

    assert text.index("1. Find") < text.index("shipctl list") < text.index("2. Roll back") < text.index("3. Look")


def test_the_part_with_the_steps_goes_before_the_opening_of_its_page() -> None:
    opening = passage(16, "Draining a node", "", "This page shows how to drain a node safely.", source="drain.md")
    begin = passage(
        17,
        "Draining a node",
        "Before you begin",
        "1. Have a node.\n2. Know how to drain.",
        source="drain.md",
        score=0.9,
    )
    part = passage(
        18,
        "Draining a node",
        "With the tool",
        "Drain the node:\n\n```\nkubectl drain n1\n```",
        source="drain.md",
        score=0.9,
    )

    assert "kubectl drain" in text_of(answer("how do I drain a node safely?", opening, begin, part))


def test_of_two_things_that_are_compared_none_is_left_out() -> None:
    text = "A Deployment runs Pods that are alike. It is the usual choice for a service without a state of its own."
    one = passage(19, "Workloads", "Deployment", text, score=0.9)
    other = passage(20, "Workloads", "StatefulSet", "A StatefulSet gives each Pod a lasting name.", score=0.8)
    said = text_of(answer("what is the difference between a Deployment and a StatefulSet?", one, other))

    assert "A Deployment runs Pods" in said
    assert "A StatefulSet gives each Pod" in said


FAMILY = passage(
    9,
    "Family leave",
    "Bereavement",
    "| Who has died | Paid days |\n| --- | --- |\n| child, partner, parent | 10 |\n| brother, sister | 5 |\n\n"
    "Two more paid days are given where the funeral is abroad, and nobody asks for a proof of it. "
    * 3
    + "\n\nEmergencies at home: up to three paid days a year, taken at once; just ring in. " * 2
    + "\n\nJury service: paid as normal for up to ten days; claim the court's allowance and hand it to Payroll.\n\n"
    + "Moving house is a paid day once in two years, when you tell your manager a week before. " * 3,
)


def test_paragraphs_that_add_nothing_to_the_one_that_says_most_are_left_out() -> None:
    said = text_of(answer("got called up for a jury, will I still be paid", FAMILY))
    assert (
        said == "Jury service: paid as normal for up to ten days; claim the court's allowance and hand it to Payroll."
    )


def test_a_paragraph_that_says_something_else_of_the_question_stays() -> None:
    said = text_of(answer("is jury service paid, and a day for moving house", FAMILY))
    assert "Jury service" in said
    assert "Moving house" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Stay away from the bar for 48 hours after an upset stomach stops.", False),
        ("We stop serving drinks at the bar at 23:15.", True),
        ("We stop serving drinks at the bar half an hour before the end.", True),
    ],
)
def test_what_time_is_told_by_the_clock(text: str, says: bool) -> None:
    found = passage(1, "House", "Hygiene", text, cosine=0.4)
    said = answer_from("what time do we stop serving drinks at the bar", "en", {"passages": [found]})
    assert isinstance(said, Reply) is says
