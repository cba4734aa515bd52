"""Columns that are masked until somebody says otherwise, told by their names."""

import re

_LISTED = """
    address bank bic bonus birth birthday birthdate card ccv cvv disability dob email ethnicity fax fingerprint gender
    hash health iban income ip latitude longitude mail mobile nationality passcode passport passphrase password passwd
    payroll pension phone pin postcode private pwd religion salary salt secret session sex sickness signature sms social
    ssn street surname swift tax tel telephone token union wage wages zip
"""
_PARTS = frozenset(_LISTED.split())
_TOGETHER = (
    "api_key",
    "apikey",
    "bank_account",
    "birth",
    "e_mail",
    "email",
    "passw",
    "phone",
    "salary",
    "secret",
    "token",
)
_CHINESE = ("密码", "口令", "薪", "工资", "身份证", "手机", "电话", "邮箱", "银行", "地址", "生日", "住址")
#: Names in which such a word means something else.
_HARMLESS = frozenset({"key", "primary_key", "foreign_key", "sort_key", "project_key", "issue_key"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def looks_private(name: str) -> bool:
    """Tell whether a column's name is that of a secret or of something personal."""
    lower = name.lower()
    if lower in _HARMLESS:
        return False
    words = {word.lower() for word in _WORD.findall(name)}
    return bool(words & _PARTS) or any(part in lower for part in _TOGETHER) or any(part in name for part in _CHINESE)
