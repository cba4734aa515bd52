"""The shell's own words stand in the YAML files beside this one; `say` finds them and those of the features."""

from features.anatomy import texts

texts.add("bot.rendering.texts")

UnknownText = texts.UnknownText
catalogue = texts.catalogue
has = texts.has
read = texts.read
say = texts.say
