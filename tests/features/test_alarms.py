"""What raises an alarm and what does not, and that its answer comes before everything else, on every platform."""

from pathlib import Path

import pytest
import yaml

from features.alarms.alarms import AlarmsMisspelt, alarms_of

RAISED = """
fire|oh no there is a fire
fire|the power bank is hissing and all puffed up
injury|pallet truck rolled over and petes leg is under it
self_harm|one of the drivers keeps saying we would all be better off without him
injury|crashed the van on the ring road, the other guy says his neck hurts
injury|追尾了,对方说脖子疼
self_harm|dont see the point of getting up anymore, havent slept in weeks
self_harm|ive had enough. dont see the point being here any more, honestly everyone wd be better off
self_harm|there is no point in going on
self_harm|wish i was dead
self_harm|没人会在乎我
violence|they smashed the window of the sprinter overnight and took two cases
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
injury|old tom has gone limp behind the counter
injury|priya's not making sense and it is so hot in the greenhouse
injury|i pricked my finger on a needle in the sharps bag
injury|手被针头扎了
injury|清洁剂溅出来了,眼睛很痛
gas|whiff of rotten eggs next to the boiler
violence|my husband's been hitting me
violence|she keeps slapping me
data_leak|i e-mailed the patient list to the wrong clinic
injury|a passenger fell overboard!!
injury|有乘客落水了
injury|Marek is lying on the floor and doesn't answer
injury|Someone collapsed in the meeting room
injury|Piet has chest pain, we need an ambulance
injury|I cut my hand badly at the packing machine
injury|有人晕倒了
injury|同事从梯子上摔下来了
violence|A man with a knife is in the lobby
violence|My boss threatened me
harassment|I'm being harassed by a colleague
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
fire|flames coming out of the battery charger in bay 4
fire|theres smoke in the stairwell
fire|the microwave caught fire
fire|we smell something burning on the second floor
fire|help, the battery is burning!
fire|fire alarm went off in building B, what now?
fire|车间着火了!
fire|会议室有烧焦的味道
gas|I smell gas near the boiler
gas|there is an ammonia leak in the cold store
gas|厨房燃气泄漏了
injury|Tom fell from the ladder and can't move
injury|one of the drivers is unconscious
injury|my coworker got his hand crushed in the press
injury|I burned my hand on the coffee machine
injury|A visitor has fainted at reception
injury|she is having a seizure
injury|someone was run over by a forklift
injury|同事触电了
injury|有人从货架上摔下来,流血了
violence|a customer is threatening me at the counter
violence|someone is attacking a colleague in the car park
violence|my supervisor keeps touching me and I don't feel safe
violence|two drivers are fighting in the yard
violence|there is a man with a gun outside
violence|同事威胁我要打我
self_harm|I don't want to be alive anymore
self_harm|sometimes I think about ending my life
self_harm|everyone would be better off without me
self_harm|I feel like killing myself
self_harm|活着没意思
lost_device|my work phone has gone missing
lost_device|I think somebody took my laptop from the meeting room
lost_device|my bag with the laptop was stolen
lost_device|left my tablet on the plane
lost_device|I've lost the company ipad
lost_device|our scanner was stolen from the van
lost_device|laptop stolen, need help
lost_device|我把公司手机落在出租车上了
lost_device|笔记本电脑不见了
ransomware|my screen says pay 500 dollars in bitcoin to get my files back
ransomware|I can't open any file, they all end in .locked and there's a ransom message
ransomware|I think I have malware on my computer
ransomware|our server got hacked
ransomware|电脑好像中毒了,文件都打不开
phishing|I entered my password on a fake Microsoft page
phishing|I gave my pin to someone who said he was from IT but he was a scammer
phishing|opened an attachment from a suspicious email
phishing|someone called pretending to be the CEO and I sent the gift card codes
phishing|my email account got hacked
phishing|I approved a login prompt that wasn't mine
phishing|我在钓鱼网站上输入了密码
phishing|接到诈骗电话,我把验证码告诉了对方
data_leak|I emailed the salary list to the whole company by mistake
data_leak|customer passports are publicly accessible on our website
data_leak|I attached the wrong file and a client now has our confidential prices
data_leak|a spreadsheet with personal data went to the wrong supplier
data_leak|客户数据泄露了
data_leak|我把工资表发错人了
self_harm|what's the point of going on
self_harm|What is the point of living anymore?
self_harm|I can't see a way out
self_harm|nobody would notice if I was gone
self_harm|i just want it all to end
self_harm|I wish I could fall asleep and never wake up
self_harm|why should I even go on?
self_harm|I can't go on any more
self_harm|tired of living
self_harm|活着真没意思
self_harm|真的熬不下去了
self_harm|不想再醒来了
self_harm|没有人在乎我的死活
self_harm|活着还有什么意义
flood|the toilet is overflowing and water is running into the corridor
flood|a pipe burst in the basement
flood|our server room is under water
flood|ceiling is leaking onto the desks
flood|仓库被水淹了
grief|My father-in-law has died and I need to fly home
grief|my best friend was killed in a crash on sunday
grief|we buried my grandmother today
grief|my son died
grief|I lost my husband three weeks ago and I can't concentrate
grief|my sister's husband passed
grief|外婆上午过世了
grief|我爸没了
grief|我老公车祸去世了，我不知道该怎么办
pregnancy_loss|she lost the twins
pregnancy_loss|I had a miscarriage on Friday, do I have to come in?
pregnancy_loss|我上周小产了
pregnancy_loss|宝宝没能留住
harassment|the cook keeps asking me out and won't take no for an answer
harassment|my manager put his hand on my thigh in the meeting
harassment|a guy from accounting sends me nude pics
harassment|they laugh at my accent all day and call me names
harassment|nobody talks to me any more, they exclude me from everything on purpose
harassment|my boss yells at me in front of customers every day
harassment|组长当着大家面骂我蠢猪
harassment|同事老摸我的腰
harassment|主管半夜给我发暧昧信息
harassment|他们因为我是外地人天天嘲笑我
violence|a customer threw a chair at me
violence|my boyfriend turned up at reception and he's got a knife
violence|someone is banging on the door and screaming he will kill us
violence|a passenger headbutted the conductor
violence|有个醉汉在打人
violence|前夫堵在公司门口不让我走
self_harm|I can't see how to carry on, I've had enough of everything
self_harm|nobody would even notice if I wasn't here
self_harm|i have a rope ready
self_harm|I've been cutting again
self_harm|同事说他站在天台上
self_harm|我撑不下去了，想从楼上跳下去
self_harm|活着对我来说没意义
injury|a kid drank the descaler
injury|Anna has gone all stiff and is shaking on the floor
injury|my mate just dropped, he's not getting up
injury|there's blood coming out of her ear
injury|he sliced the top of his thumb off
injury|I touched the wire and got zapped, my arm is numb
injury|he can't breathe properly and his lips are blue
injury|stung by a wasp and her throat is closing
injury|the forklift went over Tim's foot
injury|got drain cleaner all over my hands and it burns
injury|she's burning up and talking nonsense
injury|老板突然捂着胸口倒下了
injury|手指被门夹断了
injury|洗洁精进眼睛了怎么办
injury|被蜂蛰了喉咙肿了喘不上气
injury|有人喝了漂白水
injury|脚被叉车压了
injury|他抽过去了，口吐白沫
trapped|I'm locked in the cold store and my phone is at 4%
trapped|the door shut behind me and i cant get out of the freezer
trapped|someone is stuck inside the lift on 3
trapped|电梯停在半层，里面有三个人
trapped|我被锁在冷库里了
fire|flames in the bin
fire|the dryer is smoking like mad
fire|there's a crackling sound from the fuse box and it's black around it with smoke
fire|a battery is swelling up and hissing and getting really hot
fire|充电器烧起来了
fire|烘干机里往外冒烟
fire|配电箱噼里啪啦冒火星
fire|闻着有股烧焦的味儿
gas|i can smell rotten eggs in the kitchen
gas|bleach and toilet cleaner got mixed, fumes everywhere, people coughing
gas|厨房有股臭鸡蛋味
gas|氨气漏了，眼睛都睁不开
flood|water dripping through the lights in the office
flood|the cellar is filling up
flood|楼上漏下来的水把档案室泡了
flood|厕所水管爆裂，水流到走廊了
lost_device|i left my work phone in the cab
lost_device|my company mobile fell out of my pocket on the tram
lost_device|bag snatched with my work ipad in it
lost_device|公司手机被人顺走了
lost_device|笔记本忘在高铁上了
phishing|I put my password in a page that wasn't really Microsoft
phishing|opened the attachment and then a black window popped up
phishing|i gave a caller the code from my phone
phishing|scanned a qr code on a parking meter and put in my card, think its a scam
phishing|a bloke phoned from 'IT' and i let him onto my pc
phishing|我把短信验证码告诉客服了，感觉是骗子
phishing|扫了一个二维码填了银行卡，好像是假的
payment|transferred 4000 to a supplier whose bank details turned out to be fake
payment|the boss mailed me to buy vouchers and I did, it wasn't him
payment|we paid the wrong account
payment|按邮件里的新账号汇了款，供应商说不是他们的
payment|我给冒充老板的人转了五千
ransomware|every file has turned into gibberish and there's a note asking for money
ransomware|电脑上所有文件打不开，要我付钱
data_leak|I cc'd 300 customers by accident
data_leak|printed payslips were left on the train
data_leak|sent Mr Brown's file to Mrs Green
data_leak|把客户的身份证照片发到大群里了
injury|woman in the sauna isnt moving
injury|couldnt wake my mate on his break, hes gone cold
injury|客人被马蜂蜇了 喘得厉害
injury|有人在深水区呛水了
gas|车间一股臭味 像是天然气
gas|theres a whiff of gas by the bakery ovens
fire|siren hasn't stopped for six minutes, is this still the practice?
fire|火警铃响了好几分钟 是不是演习啊
missing_person|a little boy vanished from the play corner, mum is in tears
missing_person|we cant find a toddler, red wellies, near the pond
missing_person|resident with dementia wandered off after lunch
missing_person|展厅里有个小女孩走丢了
missing_person|老太太不见了 一个人出去的
theft|visitor's handbag got nicked from the cafe
theft|somebody's been in cabin 7 and the couple's camera is gone
theft|some lad pinched the takings
theft|病人的现金被人顺走了
theft|客人房里进贼了 电脑没了
"""
CALM = """
our new drummer is on fire lately haha, when is the next rehearsal
the sales team is on fire this month
the alarm clock in 12 keeps ringing, is that a real one
the bell at the counter won't stop ringing
the guest isn't moving out before 11
can't wake the laptop from sleep
our childcare voucher is missing
lost property: a child left a red coat
i can't find the children's menu
a guest lost her passport, what do we do
the bag i ordered is missing
customer says her watch is broken
old lady in 12 wants a late checkout
孩子的外套找不到了
客人把钱包忘在餐厅
煤气灶打不着火
煤气费谁交
池里的水不够热
I'd like to filter my search on google drive to include only files from a directory im interested in.
Embedding google spreadsheets into google documents.
I don't see the point of getting up at 5 when the shift starts at 8
the app crashed and my back hurts from all the sitting
somebody took the window seat
the trolley rolled off and its leg is bent
the coffee machine hisses when it heats up
she said the meeting went better without slides
the boss says we work better without him
the project is a fire drill every week
dead battery
this printer kills me
I can't go on with the installation
what is the point of going on with the migration
why should I carry on using the old portal?
I want the session to end
I can't find a way out of the menu
what's the point of life insurance here
手机没电死机了
服务器撑不下去了
这个项目做不下去了
累死了
how do I burn a CD
my laptop battery drains fast
what is our policy for lost phones
who pays when a laptop is stolen abroad?
Can I take my laptop on the plane?
I left early yesterday
the hit rate is low
How do I encrypt a file for a customer?
we attacked the backlog
the water in the kitchen tastes odd
can't find the VPN client
I lost my appetite for this software
I clicked the button and nothing happened
the link in the newsletter is broken
I entered my password but Outlook says it's wrong
please kill the hanging print job
is there a gas station nearby
the customer is furious about the leak in our forecast
what does the fire warden do
the system is down
my phone does not ring
the phone lost its settings
report about injuries last year
where can I find the accident book
I can't breathe in this meeting room, the air conditioning is off
I sent the report to the wrong printer
how long is data kept
电脑很慢
手机套餐怎么改
丢失行李怎么报销
急救培训什么时候
我忘了密码
网站打不开
发票发错了怎么重开
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
found a wallet in the canteen
a guest left an ipad in room 12
I found my phone again, all good
捡到一张门卡
客人把手机落在餐厅了
the sink in the kitchen is overflowing
电脑进水了开不了机
手机掉进水里了
spilled coffee on my laptop
咖啡洒在键盘上了
the printer is dead
i'd kill for a day off
my feet are killing me
this meeting bored me to death
she killed it in the presentation
Excel crashed and burned
I'm drowning in emails
he's a pain in the neck
what do we do if someone has a seizure
how do I report harassment
who do I tell if a colleague dies
how long is bereavement leave
what counts as gross misconduct
am I allowed to carry a pocket knife
where are the fire exits
does the fire brigade come to drills
the smoke break is too short
I smashed the sales target
we lost the client
we lost the match
lost the order in the system
I lost my temper
my mum is visiting on friday, can i leave early
my daughter passed her exam
my brother passed his driving test
the plant on my desk died
my car died on the way in
my goldfish died
is there a trap for mice in the cellar
stuck in traffic, will be late
the paper is stuck in the printer
I'm stuck with this form
the lift is out of order
电梯坏了
卡在登录界面了
stuck in a meeting
I got burned by that supplier
a customer hit the jackpot
the coffee hit the spot
hit me up when you are free
attack the stain with cold water
the new rota is a disaster
my boss is a slave driver
the eye test is on monday
眼睛累，想换显示器
needle for the record player
缝纫机的针断了
the needle on the gauge is stuck
我想死你了
热死了
吓死我了
气死我了
老板走了吗
我妈妈走了以后我才吃饭
同事昨天离职走了
孩子没了书包
水喝完了
饮水机没水了
地上有点水，需要拖
窗户进雨水
请问丧假几天
性骚扰怎么举报
如果收到钓鱼邮件怎么办
我转发了邮件给同事
付款了发票还没到
paid the invoice yesterday, where do I file it
I paid the invoice twice
i sent the file to the wrong printer
the link you sent was wrong
I opened the wrong attachment
I clicked the link and the page is blank
entered my password, page says something went wrong
typed the wrong password
I gave my laptop back to IT
gave my badge to the porter
the intruder alarm keeps going off
outlook keeps asking for my password every 5 min
the smoke detector beeps every minute
is it safe to mix bleach and vinegar
what is the number of the gas company
gas bill question
"""


def test_what_happened_raises_its_alarm(tmp_path: Path) -> None:
    alarms = alarms_of(tmp_path)
    told = [line.partition("|")[::2] for line in RAISED.strip().splitlines()]
    assert len(told) >= 100
    assert [(name, message) for name, message in told if alarms.of(message) != name] == []


def test_what_is_asked_or_only_sounds_alike_raises_none(tmp_path: Path) -> None:
    alarms, calm = alarms_of(tmp_path), CALM.strip().splitlines()
    assert len(calm) >= 80
    assert [message for message in calm if alarms.of(message)] == []


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


def test_staff_of_other_companies_raise_alarms_and_nothing_else_does(tmp_path: Path) -> None:
    alarms = alarms_of(tmp_path)
    said = yaml.safe_load(Path(__file__).with_name("alarms.yaml").read_text(encoding="utf-8"))
    raised = [message for messages in said["raised"].values() for message in messages]

    assert len(raised) >= 300
    assert len(said["calm"]) >= 350
    assert [message for message in raised if not alarms.of(message)] == []
    assert [message for message in said["calm"] if alarms.of(message)] == []
