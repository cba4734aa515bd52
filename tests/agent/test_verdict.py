"""Yes or no stands before a passage only where its words say so of all that is asked."""

import pytest

from agent.brains.rules.answering.certainty.verdict import verdict
from language.scripts import is_chinese

#: What was asked, what stands on the page, and what is said before it.
SAID = (
    ("can i charge my e-scooter indoors?", "E-scooters and e-bikes are not charged or kept indoors.", "not_allowed"),
    ("is a text ok", "Ring your manager. Don't text.", "not_allowed"),
    ("is a text ok", "Ring your manager, don't text.", "not_allowed"),
    ("can clients use the staff kitchen?", "Clients may not use the staff kitchen.", "not_allowed"),
    ("can i bring my dog to the office?", "You may bring your dog to the office.", "allowed"),
    ("do i have to wear a badge?", "Everybody must wear a badge.", "needed"),
    ("do i need to bring proof?", "You do not need to bring proof.", "not_needed"),
    ("发微信行吗", "上班前一小时打电话给值班台，不能只发微信。一天以内不用证明。", "not_allowed"),
    ("能养只猫不", "不养猫狗，鱼可以", "not_allowed"),
    ("食堂能打包吗", "食堂不可以打包。", "not_allowed"),
    ("坐班车要不要钱", "坐班车不用钱。", "not_needed"),
)
#: The page says it of others, of fewer cases, under a condition, or in two ways; or more than yes or no is asked.
UNSAID = (
    ("can i use the staff kitchen?", "Clients may not use the staff kitchen."),
    ("can i charge my e-scooter in the yard?", "E-scooters and e-bikes are not charged or kept indoors."),
    ("can i bring my dog?", "You may bring your dog to the office."),
    ("can i bring my dog to the office?", "You may bring your dog to the office if everyone agrees."),
    ("can i bring my dog to the office?", "You may bring your dog to the office. Except on Mondays."),
    ("can i take photos?", "You may not take photos. Photos may be taken with consent."),
    ("when can i bring my dog to the office?", "You may bring your dog to the office."),
    ("能上课吗", "登记后可借，不得收费上课"),
    ("能停放吗", "卸货区任何时候不得停放私家车"),
    ("吊杆运行时下面能站人吗", "吊杆运行时下方不得站人。"),
    ("能养鱼吗", "不养猫狗，乌龟可以"),
)


@pytest.mark.parametrize(("asked", "page", "said"), SAID)
def test_yes_or_no_is_said_where_the_page_says_it(asked: str, page: str, said: str) -> None:
    assert verdict(asked, "zh" if is_chinese(asked) else "en", [page]) == said


@pytest.mark.parametrize(("asked", "page"), UNSAID)
def test_nothing_is_said_where_the_page_says_less(asked: str, page: str) -> None:
    assert verdict(asked, "zh" if is_chinese(asked) else "en", [page]) == ""
