"""Numbers that are secrets by their own check digits: bank accounts (IBAN), payment cards, Chinese identity cards."""

import re
from collections.abc import Iterator

Span = tuple[int, int]

#: Length of an IBAN by its country (ISO 13616): where it ends, when words follow it, and that it is none.
_IBAN_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 "
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 "
    "LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 "
    "QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
)
_LENGTHS = {each[:2]: int(each[2:]) for each in _IBAN_LENGTHS.split()}
_IBAN = re.compile(r"(?<![A-Za-z0-9])(?=(?P<written>[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]){11,30}))")

_CARD = re.compile(r"(?<![A-Za-z0-9+])(?=(?P<written>[2-6](?:[ -]?[0-9]){12,18}))")
_CARD_LENGTHS = (19, 18, 17, 16, 15, 14)
#: Region, date of birth, serial number and check digit (GB 11643).
_IDENTITY = re.compile(
    r"(?<![0-9A-Za-z])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])[0-9]{3}[0-9Xx](?![0-9A-Za-z])"
)
_IDENTITY_CHECK = "10X98765432"
_GOES_ON = re.compile("[A-Za-z0-9]")
_SEPARATORS = re.compile("[ -]")
#: What cards of the networks begin with, and how many digits they have.
_NETWORKS = re.compile(
    r"4(?:[0-9]{15}|[0-9]{18})|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|3(?:0[0-5]|[689][0-9])[0-9]{11}|35(?:2[89]|[3-8][0-9])[0-9]{12}"
    r"|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|62[0-9]{14,17}"
)
#: What a number is called that is no secret, whatever its digits.
_CALLED = re.compile(
    r"(?i:\b(?:orders?|tickets?|tracking|parcel|shipment|serial|imei|invoice|asset|part|item|article|s/n|sn"
    r"|commit(?!ted)"
    r"|hash|checksum|sha\d*|md5|digest|fingerprint|build|id)|订单|工单|单号|序列号|编号|运单|发票|型号|提交|校验和)"
    r"[^.\n。]{0,20}$"
)
#: What it is called, where its check digits need not be right: people mistype.
_BANK = re.compile(
    r"(?i:\b(?:(?:credit|debit|bank|visa|master)[ -]?cards?|visa|amex|iban|bank account)\b[^.\n]{0,20})$"
    r"|(?:(?:银行|信用|储蓄|工资|借记)卡[^。\n]{0,8}|[\u4e00-\u9fff]卡[^。\n0-9]{0,4})$|卡号[^。\n]{0,6}$|(?:退款"
    r"|收款|银行)[账帐][户号][^。\n]{0,6}$"
)


def number_spans(text: str) -> Iterator[Span]:
    """Yield where secret numbers stand that nothing announces."""
    for found in _IBAN.finditer(text):
        end = _end_of(found["written"], _LENGTHS.get(found["written"][:2].upper(), 0))
        if end and (is_iban(_SEPARATORS.sub("", found["written"][:end])) or _called_bank(text, found.start())):
            yield found.start(), found.start() + end
    for found in _CARD.finditer(text):
        written, start = found["written"], found.start()
        ends = [_end_of(written, length) for length in _CARD_LENGTHS]
        whole = [end for end in ends if end and not _GOES_ON.match(text, start + end)]
        called = _called_bank(text, start)
        end = next((end for end in whole if called or is_card(_SEPARATORS.sub("", written[:end]))), 0)
        if end and not is_called_otherwise(text, start):
            yield start, start + end

    for found in _IDENTITY.finditer(text):
        if is_identity_card(found[0]) and not is_called_otherwise(text, found.start()):
            yield found.span()


def is_identity_card(number: str) -> bool:
    """Return whether this is the number of a Chinese identity card, by its check digit (ISO 7064, mod 11-2)."""
    total = sum(int(digit) * pow(2, 17 - place, 11) for place, digit in enumerate(number[:17]))
    return _IDENTITY_CHECK[total % 11] == number[17].upper()


def is_iban(number: str) -> bool:
    """Return whether this is an IBAN without spaces: its country's length, and its check digits (ISO 7064, mod 97)."""
    number = number.upper()
    if _LENGTHS.get(number[:2]) != len(number) or not number.isascii() or not number.isalnum():
        return False
    return int("".join(str(int(each, 36)) for each in number[4:] + number[:4])) % 97 == 1


def is_card(digits: str) -> bool:
    """Return whether these are the digits of a payment card: a network's, with Luhn's check digit."""
    if not _NETWORKS.fullmatch(digits):
        return False
    doubled = (int(each) * (1 + place % 2) for place, each in enumerate(reversed(digits)))
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def _end_of(written: str, length: int) -> int:
    """Return where the first so many letters and digits of what was written end; 0 where it has fewer."""
    seen = 0
    for place, character in enumerate(written, start=1):
        seen += character.isalnum()
        if seen == length:
            return place
    return 0


def _called_bank(text: str, start: int) -> bool:
    return _BANK.search(text[max(0, start - 40) : start]) is not None


def is_called_otherwise(text: str, start: int) -> bool:
    """Return whether what stands at a place is called an order, a serial number, a commit before it."""
    return _CALLED.search(text[max(0, start - 40) : start]) is not None
