"""Every word that the desk says, in English and Chinese: `catalogue.say` finds them, the YAML files hold them."""
