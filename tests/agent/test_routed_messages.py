"""What a message is taken for by how it is said, in the words of many trades: a question, a report, or neither."""

import pytest

from agent.brains.output import AskBack
from agent.brains.rules.talk import Lookup, Several
from agent.brains.rules.understanding.message import read
from agent.brains.rules.understanding.phrases import ACCEPTED
from agent.tools.context import Recollection, Turn
from evals.reading import TOOLS, decided, intent_of, rules
from tickets.config import TicketsConfig

_MODEL = rules(TicketsConfig())
_REPORTED = "the big oven in hall 2 won't heat up since this morning"
_WAITS = Recollection(
    turns=(Turn(asked=_REPORTED, answered="", outcome="needs_approval", pages=(), cited=()),),
    last={"draft": "D1", "fields": "", "missing": ""},
)


def _taken_for(said: str, *, waits: bool = False) -> str:
    memory = _WAITS if waits else Recollection()
    end = decided(_MODEL, said, memory)
    reading = _MODEL.reading(read(said, memory), TOOLS)
    if isinstance(reading, Several) and not isinstance(end, AskBack):
        return "several"
    if isinstance(reading, Lookup) and intent_of(end) == "ask":
        return "looked up, then more"
    return end.code if isinstance(end, AskBack) else intent_of(end)


@pytest.mark.parametrize(
    "said",
    """
the dough is at 24 degrees now how long do we let it prove
pupils are back monday which entrance do they use
brake pads are down to 3mm do we have to change them
im 8 months in now when do i get my first rise
my boots have split, do i pay for new ones myself
got called in on my day off how is that paid
the customer paid cash over 10k, do we need to write that down somewhere
my shift finishes at 11 tonight is there a bus after that
its minus 5 outside are we allowed to pour concrete
the fridge shows 7 degrees is the milk still ok to use
boss said take monday off instead does that come out of my holiday
flying to rome for the fair which class can i book
two of us want the same week off who gets it
someone left a wallet at the till where do we keep it
the printer says toner low but still prints fine should i swap it already
a kid in my class has nits, does he stay home
下个月结婚，婚假一共给几天
面团醒了两个小时了 还能用吗
周六被叫来加班，算几倍工资
明天要去上海培训 高铁能坐一等座吗
刹车片只剩三毫米了 必须换吗
车停在消防通道被拍了，罚款谁出
刚入职两个月，公积金从什么时候开始交
有个家长想进教室旁听，可以让他进吗
typed my pin wrong three times and the card is blocked, do i have to go to the bank
i forgot my locker code, do i need to ask reception or can i reset it
lost my staff card on the bus, do i have to tell anyone
门禁卡消磁了，是不是要去前台补
heading to the north depot by my own car for the meeting, what can i claim back
going to the trade fair on my own, who pays my lunch
我自己开车去的分店，油费能报吗
用我自己的手机打客户电话，话费怎么报
guest is leaving at 2pm do we charge him a half day
driving to leeds on thursday in the van what do i get per mile
moving house in march, how many days off do i get for it
im left handed which scissors should i ask for
borrowed the pool car and got a parking fine, who pays it
my contract runs out in june do they tell me before
been off with my back 8 days now do i need a note
我腰不好躺了一周，需不需要交病历
冷柜显示零上五度，里面的肉还能卖不
孩子发烧要请假陪，算事假还是别的假
my laptop is slow since the update, is that normal
密码输错太多次锁了，要打电话找人吗
took my own bike to the other branch, is there anything for that
my own laptop on the guest wifi, is that ok
再有，后天想带个同学进实验室看看，行不行
话说，报销要几天到账
诶，食堂周末开吗
哎对了，试用期多长
再请教一下，合同要盖哪个章
再者，加班餐补多少钱
麻烦问一下，访客登记要提前几天
right, next thing, how many days notice for holidays
ok so, whats the dress code
quick one - when is payday
out of interest how long is probation
random question but can i bring my dog to work
hey quick q: whats the wifi for guests called
second question, who signs off overtime
last one i promise: is there a gym discount
not sure if youre the right one but how do i change my address
那个，请问停车证在哪办
嗯，我想问下年假怎么算
不好意思再打扰一下，出差住宿标准是多少
oh and another thing, who orders the toner
just wondering, do we get bank holidays off
sorry to bother you again, where do i park
next, how do i get a locker
stupid question maybe but where is the first aid box
""".strip().splitlines(),
)
def test_a_statement_before_a_question_makes_no_report_of_it(said: str) -> None:
    assert _taken_for(said) == "ask"


@pytest.mark.parametrize(
    "said",
    """
starting my new rota next week too. anything i should sort out before
also what time does the shop close on sundays
different thing. how many breaks do i get on a long shift
ok and another q, can i swap a shift with somebody
my daughter starts school in september. do i get the morning off
btw im going on holiday friday who do i hand my keys to
is there parking for visitors
before i forget i need to order aprons, whats the limit
can you tell me how long we keep the till rolls
one more question then. do we get paid for bank holidays
对了，年假可以分开休吗
再问个事，食堂几点开门
下周要去出差，酒店能报多少
我手机下周换新的，有什么要先弄的吗
另外想问下访客要提前几天登记
再有，后天想带个同学进实验室看看，行不行
while im here when do we get paid this month
and where do i find the form for overtime
we have an audit on the 5th, what papers do they want to see
my phone screen cracked as well, does the company pay for that
还有个问题，发票抬头写什么
顺便问一句，加班费怎么算
哦还有，工资哪天发
""".strip().splitlines(),
)
def test_a_question_below_a_waiting_draft_is_asked_by_itself(said: str) -> None:
    assert _taken_for(said, waits=True) == "ask"


@pytest.mark.parametrize(
    "said",
    """
nah forget it, dave sorted it
leave it, old tam had a spare
actually found the problem, it was a paperclip
turns out it was just the breaker
发现是插头松了
never mind its working again
no need any more, the electrician was here
cancel that, it was just the plug
leave it, i'll ask tom tomorrow
oh forget it it came back on by itself
actually no, its fine now
ignore that, wrong oven
sorted it myself, thanks
all good now, no ticket needed
no longer needed, engineer came this morning
dont worry about it, its heating up now
drop it, not worth it
bin it, we got a new one
got it going again, ta
sorry my mistake, it was switched off
no wait dont send it, its solved
you can delete that, problems gone
forget what i said, works now
call it off, boss has dealt with it
算了 已经修好了
不用管了他们弄好了
不用报了，自己好了
没事了，刚才是没插电
取消吧，有人报过了
别提交了，现在又能用了
不麻烦了，我自己弄好了
已经好了，不用了谢谢
先不报了，我再看看
弄好了，谢谢
不需要了，换了台新的
忽略吧，是我按错了
found it, cheers
dont bother, we swapped it
scrap that, somebody already reported it
its ok, maria fixed it
nvm, turned out the breaker was off
ah it was unplugged, ignore me
false alarm, its working
please disregard, the night shift fixed it
it sorted itself out
not needed now, kenny had a look and its running
不用了，小王修好了
算了吧，师傅已经来过了
不好意思搞错了，不是那台
撤了吧，同事处理了
当我没说，刚刚恢复了
解决了，不用派人来了
""".strip().splitlines(),
)
def test_a_draft_is_called_off_with_its_reason(said: str) -> None:
    assert _taken_for(said, waits=True) == "discard"


@pytest.mark.parametrize(
    "said",
    """
i already swapped the fuse
we fixed it last week but it came back
it was working yesterday
it works sometimes
its the one by the door
the display is on but nothing moves
it keeps going off
我自己换了墨盒
现在是三楼的那台
""".strip().splitlines(),
)
def test_more_about_a_report_calls_nothing_off(said: str) -> None:
    assert _taken_for(said, waits=True) in {"revise", "draft", "looked up, then more"}


@pytest.mark.parametrize(
    "said",
    """
hiya, what can you do
hello! who are you?
morning, what do you do exactly
hi, how can you help me
good evening, what kind of things can you help with
hi im new, what is this thing for
hello, i need help
what are you able to do
what do you know about
can you help me?
hey, are you a real person
hi there, what can you help me with
how do i use this
what are you for
whats this chat for
hiya help
is this a bot
list what you can do
wot can u do
what stuff can you do for me
您好 你是谁呀
哈喽，你会做什么
你好，这个怎么用
你都能帮什么忙
早，你是干什么的
请问你能做些什么
你是真人吗
这是什么机器人
你好你是做什么用的
能问你什么问题
hey there what is this
yo what can i ask you
help pls
so what can u do
what can this bot do for me
what are my options here
who am i talking to
could you tell me what you can do
what else do you do
你好，你能干啥
在吗，能帮我干嘛
你可以帮我做哪些事
帮帮我
有哪些功能可以用
嗨，介绍一下你自己
""".strip().splitlines(),
)
def test_who_asks_about_the_desk_is_told_what_it_does(said: str) -> None:
    assert _taken_for(said) == "help"


@pytest.mark.parametrize(
    "said",
    """
the till in shop 2 wont open since noon, and how long do we keep receipts?
the boiler in the staff room is leaking. also how many sick days do i get?
my headset is broken and when is payday this month?
projector in room 4 is dead, by the way how do i book the big hall
cant log in to the rota app since yesterday and what is the notice period for holidays
the ice machine makes a horrible noise. can visitors park in the yard?
screen in reception is flickering, also do we get a christmas bonus
scanner 3 keeps freezing. how long is the probation period?
三楼的饮水机漏水了，另外年假怎么请
打印机连不上了。还有差旅费多久能报下来？
我的鼠标坏了，还有工资什么时候发
仓库的灯不亮了。请问加班费怎么算？
lift 2 is stuck again. when do we get our new uniforms?
the door at the back doesnt lock, and what is the mileage rate?
my chair is broken, plus where can i find the expense form?
会议室的空调不制冷，顺便问下访客要怎么登记
收银机死机了，对了，发票能补开吗
""".strip().splitlines(),
)
def test_a_report_and_a_question_are_two_matters(said: str) -> None:
    assert _taken_for(said) == "several"


@pytest.mark.parametrize(
    "said",
    """
the mixer in bay 3 is making a grinding noise
cant get into the rota app since yesterday
no hot water in the staff showers
can somebody look at the tumble dryer please
could i have a second monitor please
i'd like to order a new headset
the wifi is useless again, third time this week
great, the lift is stuck AGAIN
scanner at till 4 has packed in
please can you send somebody to unblock the sink
can someone come and look at the fryer, it keeps cutting out
麻烦派人看下三号窗口的打印机
我要换个鼠标
电梯又坏了，真服了
收银台的扫码枪扫不出来
空调吹热风，能不能来个人看看
投影仪开不了机
can i get a new mouse
need someone to fix the gate, asap pls
the stapler in the office has gone missing
冷库门关不严了
车间漏水了快来人
""".strip().splitlines(),
)
def test_what_is_broken_or_wanted_is_drafted(said: str) -> None:
    assert _taken_for(said) == "draft"


@pytest.mark.parametrize(
    "said",
    [
        "i can't go on like this anymore, the till is the least of it",
        "活着没什么意思，大家没有我更好",
        "cant come in tomorrow, kid is ill",
    ],
)
def test_who_despairs_or_cannot_come_reports_nothing(said: str) -> None:
    assert _taken_for(said) == "ask"


@pytest.mark.parametrize("said", ["nah drop it, ewan rebooted the thing", "never mind, reception had another"])
def test_a_draft_is_called_off_after_a_question_in_between(said: str) -> None:
    asked = Turn(asked="do we get a bonus", answered="Yes.", outcome="answered", pages=("p",), cited=("p#1",))
    memory = Recollection(turns=(*_WAITS.turns, asked), last=_WAITS.last)

    assert intent_of(decided(_MODEL, said, memory)) == "discard"


def test_who_agrees_to_an_unfinished_draft_gives_no_value() -> None:
    assert ACCEPTED.match("yep go on")
    assert not ACCEPTED.match("go on the roof")


@pytest.mark.parametrize("said", ["forget it, but the light is broken too", "算了，不过打印机也坏了"])
def test_what_is_broken_beside_what_is_called_off_is_reported(said: str) -> None:
    assert _taken_for(said, waits=True) == "several"
    assert intent_of(decided(_MODEL, said, _WAITS)) == "discard"


@pytest.mark.parametrize(
    "said",
    [
        "my chair broke, who do i tell?",
        "the mirror on van 9 is hanging off, who should i let know",
        "the winch on barge 2 is jammed, who fixes those and how long does it usually take?",
        "打印机没墨了，再有，报销要多久",
    ],
)
def test_who_reports_and_asks_whom_to_tell_gets_both(said: str) -> None:
    assert _taken_for(said) == "several"


@pytest.mark.parametrize(
    "said",
    [
        "just need to know what number to ring when the server room is too hot",
        "i want to know how to report a broken winch",
        "the net washer makes a grinding noise and i dont know if im allowed to open it",
    ],
)
def test_who_wants_to_know_asks(said: str) -> None:
    assert _taken_for(said) == "ask"


def test_a_priority_corrects_no_words() -> None:
    assert _taken_for("make it high priority", waits=True) == "revise"
    end = decided(_MODEL, "make it high priority", _WAITS)
    assert "instead" not in getattr(end, "arguments", {})
