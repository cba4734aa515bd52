"""Names of days and months as they are written in English and Chinese, for patterns."""

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: A month, in full or short, without the full stop of a short one.
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
#: A month in full.
WHOLE_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
#: The days of the week in full, Monday first.
WHOLE_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CHINESE_WEEKDAYS = "一二三四五六日"
#: A day of the week, in full or short.
WEEKDAY = r"(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"


def chinese_weekday(character: str) -> int:
    """Return the number of a day of the week, Monday 0, of its Chinese character; Sunday has two."""
    return CHINESE_WEEKDAYS.index(character.replace("天", "日"))
