"""Words for what most companies keep books of, whatever their trade; each line is one thing in both languages.

A catalogue names its guests; that somebody who asks for customers means them is known here. Where a catalogue has two
things of one line the person is asked which.
"""

from collections.abc import Mapping

from language.synonyms.english import SYNONYMS_ENGLISH as _SYNONYMS

#: What comes in, what goes out, and what is left of it.
MONEY_IN = """
    revenue; turnover; sales; income; takings; proceeds; receipts; money in; sales revenue; take; taken; took;
    took in;
    take in; turn over; turned over; sell; sold; selling; 卖; 卖了; 卖出; 售出; bring in; brought in; bring; brought;
    money; business; bill; billed;
    charge; charged; collect; collected; spend;
    spent; paid; 收入; 营收; 营业额; 营业收入; 销售额; 业绩; 流水; 进账; 生意; 进项; 入账; 收钱; 收; 收了;
    卖了多少钱; 花; 花了;
    消费; 消费了; 贡献
"""
MONEY_OUT = """
    cost; costs; expense; expenses; spending; expenditure; outlay; spend; spent; paid out; commission; commissions;
    成本; 费用; 支出; 开销; 开支; 花费; 花; 花了; 佣金; 材料费
"""
PROFIT = """
    profit; profits; gross profit; net profit; net income; net revenue; earnings after cost; contribution; 利润; 毛利;
    毛利润; 净利; 净利润; 盈利; 净赚; 净收入; 纯利;
    margin; margins; profit margin; 毛利率; 利润率
"""
#: What may mean either, where both are known; where only what comes in is, nobody can tell.
EARNED = """
    earn; earned; earning; earnings; make; made; making; gross; 赚; 赚了; 赚到; 赚钱; 挣; 挣了; 挣钱; 挣到
"""
MONEY_UNITS = frozenset({"eur", "gbp", "usd", "cny", "rmb", "chf", "jpy", "€", "$", "£", "¥", "元", "人民币", "euro"})

#: People, places, deeds, things, and what is said of them.
_GROUPS = """
    customers; clients; guests; buyers; shoppers; patrons; visitors; members; subscribers; patients; tenants; renters;
    passengers; students; readers; borrowers; policyholders; consumers; users; learners; attendees; 客户; 顾客; 客人;
    会员; 用户; 买家; 病人; 患者; 租户; 租客; 乘客; 旅客; 学员; 学生; 读者; 借阅者; 车主; 主人; 观众; 参与者
    customers; pet owners; owners; donors; holders; households; homes; families; 住户; 家庭; 用户; 客户; 宠主; 业主;
    持有人
    employees; staff; colleagues; workers; personnel; workforce; headcount; people; folks; team members; crew;
    people work; people working; 员工; 人员; 职员; 同事; 人手; 工作人员; 雇员; 职工; 人
    shops; stores; branches; outlets; sites; locations; houses; 门店; 店; 店铺; 分店; 网点; 分公司 | hotels; 酒店 |
    clinics; practices; 诊所; 医院 | gyms; studios; 健身房; 场馆 | depots; garages; workshops; stations; 站点 |
    campuses; schools; centres; 校区; 学校 | libraries; 图书馆; 分馆 | warehouses; 仓库 | restaurants; cafes; 餐厅 |
    theatres; museums; 影院; 剧院 | pharmacies; 药店 | farms; plants
    orders; purchases; sales orders; buy; bought; 订单; 单子; 采购单
    bookings; reservations; book; booked; reserve; 预订; 预约; 预定; 订; 订了; 订过; 定了
    appointments; consultations; visits; treatments; exams; come in; came in; come by; seen; see; 预约; 就诊; 门诊;
    看诊;
    到访; 来访; 挂号; 看病; 来过; 看过; 接诊
    visits; check-ins; attendances; entries; workouts; 到访; 来访; 签到; 入场; 来过; 去过; 来
    rentals; hires; leases; loans; lettings; lends; rent; rented; rent out; rented out; hire; hired out; let; lease;
    lend; lent; lend out; borrow; borrowed; checkouts; checked out; take out; taken out; 租赁; 出租; 租; 租了; 租出;
    租出去;
    借出; 借阅; 借; 借了; 借出去; 租借; 租过; 借过
    repairs; repair jobs; jobs; fixes; fix; fixed; mend; mended; service; serviced; work orders; work; visits; 维修;
    修理; 修; 修了; 保养; 检修; 工单; 单子; 来过; 维修单
    deliveries; shipments; parcels; consignments; ship; shipped; dispatch; dispatched; deliver; delivered; packages;
    freight; 发货; 配送; 运单; 包裹; 派送; 送; 送了; 运; 运了; 寄; 派件; 货运
    trips; rides; journeys; tours; drives; flights; 行程; 出行; 旅程; 班次; 航班; 骑行; 跑了; 跑
    claims; insurance claims; 理赔; 索赔; 赔案
    payments; transactions; pay; paid; transfers; 付款; 支付; 交易; 付; 转账
    invoices; bills; billed; 发票; 账单; 开票
    faults; breakdowns; breakdown; failures; malfunctions; defects; problems; outages; 故障; 毛病; 问题; 报修
    offers; quotes; quotations; proposals; bids; 报价; 报价单; 方案
    installations; installs; systems; fittings; 安装; 装; 装了; 系统
    complaints; grievances; complain; complained; 投诉; 抱怨; 客诉
    courses; classes; lessons; trainings; 课程; 班; 课; 培训
    shows; performances; screenings; events; concerts; 演出; 场次; 活动; 放映; 表演
    tickets sold; admissions; seats sold; tickets; 票; 门票; 票数; 卖票
    memberships; subscriptions; contracts; policies; plans; 会籍; 订阅; 合同; 保单; 会员卡
    donations; gifts; contributions; donate; donated; give; gave; 捐款; 捐赠; 捐; 捐了
    members; registrations; sign-ups; signups; signed up; sign up; register; registered; join; joined; enrolments;
    enrolled; enrol; 注册; 报名; 加入; 入会; 登记; 办卡
    hires; new hires; hired; joined; start;
    started; began; recruited; recruits; took on; taken on; joiners; 入职; 入职人数; 招聘; 招; 招了;
    新招; 新招了; 新来
    leavers; lose; lost; 流失; 流失了; quit; resigned; resignations; departures; 离职; 离职人数; 辞职; 走了
    waste; write-offs; wastage; thrown away; thrown out; discarded; binned; wasted; spoilage; 报损; 损耗; 浪费;
    扔; 扔掉; 扔了; 扔掉了; 丢弃; 报废
    on loan; still out; out on loan; not returned; not brought back; not back yet; open loans; 在借; 未归还;
    没还; 还没还; 未还; 没有还
    attendance; attendees; participants; people came; people attended; people attend; turned up; took part; people at;
    参加; 参加人数; 参与人数; 到场; 出席; 来参加
    harvest; yield; crop; crops; harvested; pick; picked; 收成; 产量; 收获; 采收
    output; production; produced; produce; units produced; 产量; 生产; 生产量; 产出
    cars; vehicles; automobiles; autos; fleet; vans; trucks; 车; 车辆; 汽车; 车子; 货车
    bikes; bicycles; cycles; 自行车; 单车
    animals; pets; 动物; 宠物
    rooms; bedrooms; 房间; 客房; 间房; 房; 房子
    flats; apartments; units; properties; homes; houses; 公寓; 房源; 房产; 房屋; 住宅; 房子
    machines; equipment; devices; appliances; tools; 机器; 设备; 器械; 工具
    books; titles; volumes; 书; 图书; 书籍
    films; movies; 电影; 影片
    dishes; meals; menu items; 菜; 菜品; 餐品
    medicines; drugs; medication; 药; 药品
    products; items; articles; goods; merchandise; 产品; 商品; 货品; 货物; 品项; 东西
    spare parts; parts; components; 配件; 零件; 部件
    suppliers; vendors; manufacturers; makers; 供应商; 厂家; 厂商; 供货商
    stock; inventory; on hand; units in stock; in stock; on stock; 库存; 存货; 存量; 剩; 还剩; 货
    stock value; value; worth; 价值; 值多少钱; 库存金额
    price; rate; fee; tariff; 价格; 单价; 售价; 价钱; 房价
    hourly wage; salary; pay; wage; wages; earn; earns; earning; paid; 工资; 薪水; 薪资; 薪酬; 时薪; 月薪; 赚; 挣
    units sold; quantity; quantity sold; volume; pieces sold; sales volume; items sold; sold; sell; 销量; 销售数量;
    件数;
    卖; 卖了; 卖出; 售出
    doctors; physicians; vets; surgeons; dentists; 医生; 大夫; 兽医; 牙医
    nurses; carers; 护士; 护理
    mechanics; technicians; engineers; fitters; 技师; 师傅; 技工; 技术员; 修车师傅
    teachers; instructors; trainers; coaches; tutors; lecturers; 老师; 教师; 教练; 讲师
    cooks; chefs; kitchen staff; 厨师; 大厨
    waiters; servers; waitresses; 服务员; 跑堂
    drivers; couriers; riders; 司机; 骑手; 快递员; 驾驶员
    sellers; salespeople; sales reps; agents; reps; salesmen; 销售员; 业务员; 销售代表; 销售
    cleaners; housekeepers; maids; 保洁; 清洁工; 客房服务员
    managers; bosses; supervisors; heads; 经理; 主管; 领导; 负责人
    receptionists; front desk; reception; 前台; 接待员
    apprentices; trainees; interns; 学徒; 实习生; 新手
    author; writer; written by; 作者; 作家
    genre; subject; 体裁; 题材; 流派
    type; kind; category; sort; class; 类型; 类别; 种类; 品类; 分类
    city; town; 城市; 市
    country; nation; nationality; where from; 国家; 国籍
    region; area; district; territory; 地区; 区域; 大区; 片区; 辖区
    channel; source; 渠道; 来源; 途径
    status; state; condition; 状态; 情况
    payer; billed to; paid by; who pays; who has to pay; 付款方; 谁付; 谁付钱
    gender; sex; 性别
    brand; make; 品牌; 牌子; 车型
    department; division; 部门; 科室
    length of stay; stay; stays; nights; 入住天数; 住; 住几天; 停留; 住多久; 住多少天
    duration; length; how long; minutes; hours; 时长; 多长时间; 多久; 用时
    labour hours; hours; hours worked; work hours; 工时; 小时数
    distance; mileage; kilometres; miles; 里程; 公里数; 距离
    weight; tonnage; tonnes; how heavy; 重量; 吨位; 体重; 多重
    rating; score; stars; grade; satisfaction; happiness; how happy; how satisfied; happy; satisfied; 评分; 打分; 星级;
    满意度; 满意; 多满意
    cancelled; canceled; called off; cancellation; 取消; 已取消; 退订; 被取消; 取消的
    no-show; didn't show up; did not show up; never turned up; missed; 未到; 没来; 爽约; 未到店; 没到店; 缺席; 未到场
    open; pending; unsolved; unresolved; outstanding; not solved; not resolved; still open; unanswered; 未解决;
    未处理;
    待处理; 没解决; 还没解决; 没有解决; 没修好; 还没修好; 未修好; 未完成; 没处理; 还没处理
    waiting; queued; in the queue; 等待中; 在等待; 等待; 在等; 排队
    in progress; ongoing; under way; underway; being done; 进行中; 在进行; 处理中; 维修中; 在修;
    没做完; 还没做完; 没完成; 还没完成; 未做完
    done; finished; completed; closed; solved; resolved; settled; complete; 已完成; 完成; 完工; 已完工; 已解决;
    解决了; 已结束
    returned; 退了; 退掉; 退掉了; sent back; refunded; brought back; 退货; 退回; 已退; 已归还; 归还; 还了
    late; overdue; delayed; past due; 逾期; 延误; 晚点; 超期; 迟到; 过期未还
    on time; punctual; 准时; 按时
    active; current; live; running; 在用; 有效; 活跃; 使用中; 进行中
    expired; lapsed; ended; 过期; 到期; 失效; 已过期
    paused; frozen; on hold; suspended; 暂停; 冻结
    rejected; declined; refused; denied; turned down; 拒绝; 被拒; 驳回; 已拒绝; 被拒绝
    approved; accepted; granted; 批准; 通过; 同意; 已批准
    paid; settled; 已付; 已支付; 付清
    unpaid; not paid; open; outstanding; due; 未付; 欠款; 没付; 未支付
    out of order; broken; defective; out of service; unusable; under repair; 坏了; 停用; 故障; 坏; 坏掉
    free; available; vacant; empty; ready; 空闲; 可用; 空着; 闲着; 没人用; 没在用; 可入住; 空的; 闲置
    occupied; taken; let; rented; in use; 占用; 已租; 在租; 租出
    online; web; website; internet; 网上; 线上; 官网; 网站; 网络
    phone; by phone; telephone; over the phone; called in; 电话
    walk-in; in person; at the counter; at the desk; counter; 上门; 到店; 现场; 柜台; 前台
    app; mobile; mobile app; 手机; 手机端; 应用
    agency; agencies; travel agents; travel agencies; agents; 旅行社; 代理; 中介
    company; corporate; business; firms; companies; corporate clients; 企业; 公司客户; 单位
    private; individual; personal; individuals; 个人; 私人; 散客
    adult; adults; grown-ups; 成人; 成年人
    child; children; kids; 儿童; 小孩; 孩子
    female; women; woman; ladies; 女; 女性; 女的
    male; men; man; gents; 男; 男性; 男的
    electric; ev; evs; 电动; 电动车; 电车; 新能源
    under warranty; warranty; guarantee; 保修; 质保
    wifi; internet; wireless; wlan; 网络; 无线; 上网
    noise; noisy; loud; 噪音; 吵; 太吵
    cleanliness; dirt; dirty; hygiene; 卫生; 脏; 清洁
    weekend; weekends; 周末
    dog; dogs; puppies; 狗; 犬; 狗狗
    cat; cats; kittens; 猫; 猫咪
"""
#: Ways to write one unit: a ton is another one than a kilo.
_SPELLINGS = tuple(
    frozenset(each.split())
    for each in (
        "kg kgs kilo kilogram 公斤 千克", "t ton tonne 吨", "l litre liter 升", "h hr hour 小时", "min minute 分钟",
        "km kilometre kilometer 公里 千米", "m2 m² sqm 平方米 平米", "kwh 度 千瓦时",
    )
)  # fmt: skip
UNITS = frozenset().union(*_SPELLINGS)


def spellings(written: str) -> frozenset[str]:
    """Return how a unit of the catalogue is written, each as one word."""
    plain = written.strip().lower()
    return next((each for each in _SPELLINGS if plain in each), frozenset((plain,) if plain else ()))


def _lines(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the groups of a text: a line that ends without a semicolon or a bar ends its group.

    What stands before the first bar may be said of each of the others, which are different things.
    """
    groups: list[tuple[str, ...]] = []
    said = ""
    for line in text.strip().splitlines():
        said = f"{said} {line.strip()}"
        if not line.rstrip().endswith((";", "|")):
            common, *kinds = map(_words, said.split("|"))
            groups += [(*common, *kind) for kind in kinds or [()]]
            said = ""
    return tuple(groups)


def _words(text: str) -> tuple[str, ...]:
    return tuple(each for each in (" ".join(part.split()) for part in text.split(";")) if each)


GROUPS = _lines(_GROUPS)
_PLACES = [frozenset(group) for group in GROUPS if {"shops", "branches"} <= set(group)]
#: Kinds of places, of which one may be within another: the restaurant at a hotel.
KINDS_OF_PLACES = frozenset[str]().union(*_PLACES) - frozenset.intersection(*_PLACES)
_OF_PERSONS = frozenset({"clients", "staff", "physicians", "carers", "technicians", "instructors", "couriers", "reps"})
#: What is said of what is not done yet.
UNDER_WAY = frozenset(word for group in GROUPS if {"under way", "unresolved"} & set(group) for word in group)
#: What tables of people are called.
PERSONS = frozenset(word for group in GROUPS if _OF_PERSONS & set(group) and "homes" not in group for word in group)
_COMMON = """
    right left worth north south east west light night might sight eight tight fight great greet clear clean climb close
    cloth cover court count mount money month mouth large later layer lower power tower order older other outer water
    table cable stage state store story study style place plane plate plant point paint print price prize pride proof
    quick quiet quite raise range reach ready refer shape share sharp sheet shelf shift shirt shore short shout since
    small smile smoke solve sound space spare speak spend split sport staff stand start steal steam stick stock stone
    stop storm thing think third those three throw title today total touch track trade train treat trend trial truck
    trust truth under until upper usual value visit voice waste watch wheel where which while white whole whose woman
    world worry worse worst would write wrong young there their these board broad bread break brief bring brown build
    house horse hours image issue judge known label leave level limit local lucky lunch match metal model moral motor
    never newer noise nurse offer often paper party peace phase phone piece pilot radio ratio round route royal rural
    scale scene score sense serve seven sheep after again agent agree ahead alarm album alone along among angle apart
    apple apply argue aside asset audio avoid award aware basic basis beach begin being below bench birth black blame
    blood brain brand buyer carry catch cause chain chair chart chase cheap check chest chief child chose civil claim
    class crash cream crime cross crowd daily dance death delay depth doubt draft drama dress drink drive early earth
    enemy enjoy enter entry equal error event every exact exist extra faith false fault field fifth final first fixed
    flash fleet floor fluid focus force forth found frame frank fresh front fruit fully funny giant given glass globe
    going grace grade grand grant grass gross group grown guard guess guest guide happy heart heavy hence hotel human
    ideal index inner input joint laser laugh learn least legal logic loose
"""
#: English words that are no misspelling of another one.
PLAIN = frozenset(
    word for phrase in (*_SYNONYMS, *(each for group in GROUPS for each in group), _COMMON) for word in phrase.split()
)
#: Stop words of other texts that change what a number is of: who says them is not understood without them.
TELLING = frozenset(
    {
        "may", "no", "nor", "after", "before", "between", "until", "same", "other", "own", "further", "again", "few",
        "up", "down", "out", "off", "once", "too", "still", "back", "yet", "away", "else", "if", "don't", "doesn't",
        "didn't", "haven't", "hasn't", "hadn't", "won't", "wouldn't", "can't", "cannot", "couldn't", "shouldn't", "he",
        "she", "him", "his", "her", "hers", "他", "她", "because", "while", "ago", "within", "below", "above", "under",
        "almost", "之前", "之后", "以后", "如果", "的话", "还会", "还能", "才", "又", "再", "最", "long", "什么地方",
        "什么时间", "几号", "几天", "几岁", "几月", "几点", "多大", "多少天", "多少钱", "多快", "多远", "多长",
        "多长时间", "最短", "最长",
    }
)  # fmt: skip
#: What is said where nothing is left of what a number counts.
NONE_LEFT = _words(
    "out of stock; sold out; none left; not in stock; 没货; 没货了; 缺货; 断货; 无货; 售罄; 没有货; 卖光; 卖完"
)
STOCK = _words("stock; inventory; on hand; in stock; 库存; 存货; 存量; 库存量; 库存数量")
MONEY: Mapping[str, tuple[str, ...]] = {
    "in": _words(MONEY_IN),
    "out": _words(MONEY_OUT),
    "profit": _words(PROFIT),
    "earned": _words(EARNED),
}
