"""The words of the main job in both languages, as people say them and as the desk answers."""

import re
from dataclasses import dataclass

NUMBER = re.compile(r"TCK-\d{4}-\d{6}")


@dataclass(frozen=True)
class Told:
    """The words of the story in one language."""

    requester: str
    welcome: str
    suggestion: str
    suggested: str  # is in the answer to it
    question: str
    answer: str
    follow_up: str
    follow_up_answer: str
    bad: str  # what the thumb down is called, where the desk names it
    reason: str
    report: str
    complete: str
    location: str
    send: str
    required: str
    given: str
    confirm: str
    filed: str
    cancel: str
    decided: str
    cancelled: str
    home: str


ENGLISH = Told(
    requester="ada",
    welcome="I look after tickets",
    suggestion="How do I connect to the VPN?",
    suggested="Tidegate Connect",
    question="How long does a VPN session last?",
    answer="10 hours",
    follow_up="What does error code TG-412 mean?",
    follow_up_answer="TG-412",
    bad="This did not help",
    reason="I meant the session of a contractor",
    report="My laptop is broken, please open a ticket",
    complete="Fill in the rest",
    location="Location",
    send="Save",
    required="Please fill this in",
    given="Rotterdam, 3rd floor",
    confirm="Confirm",
    filed="is filed",
    cancel="Cancel ticket",
    decided="Confirmed by Ada Verhoeven",
    cancelled="is cancelled",
    home="Your tickets",
)
CHINESE = Told(
    requester="chen",
    welcome="我根据公司文档回答问题",
    suggestion="怎么连接 VPN？",
    suggested="Tidegate Connect",
    question="怎么连接公司 VPN？",
    answer="vpn-ctu.marenvold.example",
    follow_up="密码忘了怎么办？",
    follow_up_answer="account.marenvold.example/reset",
    bad="没帮助",
    reason="我问的是外包同事",
    report="我的笔记本电脑坏了",
    complete="补充信息",
    location="地点",
    send="保存",
    required="请填写此项。",
    given="成都办公室三楼",
    confirm="确认",
    filed="已提交",
    cancel="取消工单",
    decided="确认，执行完成",
    cancelled="已取消",
    home="我的工单",
)


def filed(told: Told) -> re.Pattern[str]:
    """Return how the desk says that a ticket is filed."""
    return re.compile(rf"{NUMBER.pattern}\s*{told.filed}")
