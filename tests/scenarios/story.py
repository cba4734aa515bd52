"""The words that people use in the scenarios, in each language, and those that the desk answers with."""

from dataclasses import dataclass

from bot.rendering.texts.catalogue import say
from features.tickets.rendering import field_label
from tickets.config import TicketsConfig


@dataclass(frozen=True)
class Story:
    """One language's words."""

    language: str
    requester: str
    name: str
    question: str
    answer: str
    cited: str
    follow_up: str
    follow_up_answer: str
    closed: str  # a question that only the sales people's pages answer
    closed_answer: str
    unknown: str
    kept: str  # what of the unknown stands in the draft
    report: str
    missing: str  # the field that the report leaves open
    given: str
    device: str
    revision: str
    revised: str
    cancel: str  # with the number
    urge: str
    mine: str
    resolution: str

    def says(self, key: str, **values: object) -> str:
        """Return words of the desk."""
        return say(self.language, key, **values)

    def field(self, name: str) -> str:
        """Return the label of a ticket's field."""
        if name in TicketsConfig().fields:
            return field_label(TicketsConfig(), name, self.language)
        return self.says(f"ticket.field.{name}")


ENGLISH = Story(
    language="en",
    requester="ada",
    name="Ada Adler",
    question="When does a VPN session end?",
    answer="12 hours",
    cited="Session length",
    follow_up="And how do I install the client?",
    follow_up_answer="Software Centre",
    closed="What is the target of the northern region in crates a week?",
    closed_answer="512 crates",
    unknown="How do I order a standing desk for the Lisbon office?",
    kept="standing desk for the Lisbon office",
    report="My laptop does not start since this morning. Please open a ticket.",
    missing="location",
    given="Floor 3",
    device="Laptop 77",
    revision="The location is floor 5",
    revised="floor 5",
    cancel="Please cancel {number}",
    urge="Please urge it",
    mine="What about my last ticket?",
    resolution="New power supply",
)
CHINESE = Story(
    language="zh",
    requester="bao",
    name="鲍晓",
    question="VPN 会话多长时间后结束？",
    answer="12 小时后结束",
    cited="会话时长",
    follow_up="那客户端怎么安装？",
    follow_up_answer="软件中心",
    closed="北区的目标是每周多少箱？",
    closed_answer="512 箱",
    unknown="里斯本办公室怎么订购升降桌？",
    kept="里斯本办公室",
    report="我的笔记本电脑从今天早上开始开不了机，请帮我开一张工单。",
    missing="location",
    given="三楼",
    device="笔记本 77",
    revision="地点是五楼",
    revised="五楼",
    cancel="取消 {number}",
    urge="催一下",
    mine="我上一单怎么样了？",
    resolution="换了电源",
)
STORIES = (ENGLISH, CHINESE)
