"""What raises an alarm and what does not, and that its answer comes before everything else, on every platform."""

from pathlib import Path

import pytest

from features.alarms.alarms import AlarmsMisspelt, alarms_of

RAISED = """
fire|oh no there is a fire
fire|I am not kidding, there is a fire in hall 2
fire|There is a fire in the depot!
fire|FIRE
fire|smoke is coming out of the server room
fire|The printer on 2nd floor is on fire, what should I do?
fire|I smell smoke near the kitchen
fire|仓库着火了怎么办
fire|二楼冒烟了
gas|It smells of gas in the canteen
gas|There's a gas leak in hall 3
gas|食堂有煤气味
injury|A colleague fell down the stairs and is bleeding
injury|Someone collapsed in the meeting room
injury|Piet has chest pain, we need an ambulance
injury|I cut my hand badly at the packing machine
injury|有人晕倒了
injury|同事从梯子上摔下来了
violence|A man with a knife is in the lobby
violence|My boss threatened me
violence|I'm being harassed by a colleague
violence|有人拿着刀
self_harm|I want to kill myself
self_harm|i dont want to live anymore
self_harm|I can't go on like this
self_harm|我不想活了
lost_device|my laptop is stolen
lost_device|my company phone was stolen last night
lost_device|Someone stole my work phone on the train
lost_device|I left my laptop in a taxi
lost_device|I lost my phone yesterday
lost_device|我的手机丢了
lost_device|电脑被偷了
lost_device|my notebook has been stolen from the car
ransomware|All my files are encrypted and they want bitcoin
ransomware|my laptop has a virus
ransomware|the server has been hacked
ransomware|电脑中了病毒
ransomware|屏幕上说要交勒索金
phishing|I clicked on a phishing link and typed my password
phishing|I think I opened a fake invoice mail and entered my login
phishing|I fell for a scam mail
phishing|my account has been hacked
phishing|我点了钓鱼邮件里的链接,还输入了密码
phishing|我的账号被盗了
data_leak|I sent the customer list to the wrong person
data_leak|accidentally emailed the payroll spreadsheet to a client
data_leak|we had a data breach
data_leak|不小心把客户名单发给了别的公司
flood|Water is pouring through the ceiling of the archive
flood|The basement is flooded
flood|there's a burst pipe on floor 3
flood|三楼漏水了
"""
CALM = """
there is no fire
My laptop was not stolen
no smoke is coming out
Where's the fire assembly point?
What do I do if there is a fire?
who do I call at night if my phone got stolen?
When is the next fire drill?
How do I report a data breach?
Is my disk encrypted?
I forgot my password
I typed my password three times and it is locked
I received a phishing mail, where do I report it?
Can I smoke in the yard?
The printer is broken
my laptop is slow
I left my laptop at home, can I work with a spare one?
lost connection on my laptop
lost my phone charger
the project is on track but we are burning money
How do I fire an employee?
What is the policy on violence?
my screen is hurt
the VPN is down, I can't go on with my work
I can't go on the VPN
如果手机丢了怎么办
发生火灾时怎么办
消防演习是什么时候
怎么举报骚扰
密码忘了
打印机坏了
the water cooler is empty
where do I get drinking water
the server is down
How does the gas card work for fuel?
I sent my expense report to the finance team
please encrypt the file
is there a first aid course
my badge is lost
I had an accident with the company car last year
the killer feature is missing
kill the process myself
how do I kill a job
the deadline hits us
the attachment could not be opened
I clicked the link in the welcome mail and it does not work
the phone rings and nobody answers
Is a stolen laptop covered by insurance?
What happens when a laptop gets stolen?
the data is missing from my report
The files are missing
our flood risk assessment
water bill
The screen is flickering and smells fine
Who is the first aider?
Our customer was hurt by the delay
"""


@pytest.mark.parametrize("line", RAISED.strip().splitlines())
def test_what_happened_raises_its_alarm(line: str, tmp_path: Path) -> None:
    name, _, message = line.partition("|")
    assert alarms_of(tmp_path).of(message) == name


@pytest.mark.parametrize("message", CALM.strip().splitlines())
def test_what_is_asked_or_only_sounds_alike_raises_none(message: str, tmp_path: Path) -> None:
    assert alarms_of(tmp_path).of(message) == ""


def test_a_company_adds_words_and_switches_off_what_it_does_not_want(tmp_path: Path) -> None:
    (tmp_path / "alarms.yaml").write_text("fire: {words: [code red]}\nflood: {enabled: false}\n", encoding="utf-8")
    alarms = alarms_of(tmp_path)

    assert alarms.of("Code Red in hall 3!") == "fire"
    assert alarms.of("The basement is flooded") == ""


@pytest.mark.parametrize("written", ["fires: {}", "fire: {phones: 1}", "- fire", "fire: {words: [", "fire: yes"])
def test_a_list_that_cannot_be_followed_is_told_with_its_file(written: str, tmp_path: Path) -> None:
    (tmp_path / "alarms.yaml").write_text(written, encoding="utf-8")
    with pytest.raises(AlarmsMisspelt, match=r"alarms\.yaml"):
        alarms_of(tmp_path)
