"""Words that say what is wanted of the numbers, in English and Chinese; they belong to no company."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from features.data.understanding.words.concepts import TELLING
from features.data.understanding.words.forms import ranked
from language.stopwords import ENGLISH
from language.word_tables import STOP_CHINESE, STOP_ENGLISH


class Sign(StrEnum):
    """What a word asks for."""

    BY = "by"  # split by what follows
    EACH = "each"  # each of the values that are named, by itself
    SPREAD = "spread"  # split by what stands before: 地区分布
    TOP = "top"
    BOTTOM = "bottom"
    DESCENDING = "descending"  # all rows in an order
    ASCENDING = "ascending"
    DEAREST = "dearest"
    CHEAPEST = "cheapest"
    NEWEST = "newest"
    OLDEST = "oldest"
    SHARE = "share"
    HOW_MANY = "how_many"
    LIST = "list"
    WHICH = "which"
    SHOW = "show"
    COMPARE = "compare"
    CHANGE = "change"
    PREVIOUS = "previous"
    YEAR_EARLIER = "year_earlier"
    EXCEPT = "except"
    OTHER = "other"  # all but those that are left out
    DISTINCT = "distinct"  # each thing once
    VAGUE = "vague"  # a number that nobody can know: "many", 多个
    EXACTLY = "exactly"
    NTH = "nth"  # the one at a place from the top: "second best"
    NTH_BOTTOM = "nth_bottom"
    NET = "net"  # one metric less another
    NONE = "none"  # to which nothing of another table belongs
    MORE = "more"
    LESS = "less"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    BETWEEN = "between"
    OR_MORE = "or_more"  # behind the number
    OR_LESS = "or_less"
    AVERAGE = "average"
    MEDIAN = "median"
    OVER = "over"  # one number divided by another
    DAILY_MEAN = "daily_mean"
    WEEKLY_MEAN = "weekly_mean"
    MONTHLY_MEAN = "monthly_mean"
    QUARTERLY_MEAN = "quarterly_mean"
    YEARLY_MEAN = "yearly_mean"
    SUM = "sum"
    WORTH = "worth"  # the money of the rows that are named
    PLACE = "place"  # which place one has among all
    LARGEST = "largest"
    SMALLEST = "smallest"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    WEEKDAY = "weekday"  # all Mondays together
    HOUR = "hour"
    TREND = "trend"
    CHART = "chart"
    TABLE = "table"
    WHY = "why"
    HIGH = "high"  # why so …
    FOLLOWS = "follows"  # what about …
    ADDS = "adds"  # also by …
    AND = "and"
    ALL_TIME = "all_time"
    NEW = "new"  # of those that began in a period
    MONEY = "money"  # the number or the measure is one of money
    GUIDANCE = "guidance"  # asks what to do, not how many
    TRADE = "trade"  # what is done with what is measured: "sold"; alone it measures nothing
    UNTOLD = "untold"  # says of which rows it is, as no catalogue tells it: "on time", 早上
    FILLER = "filler"


STEPS = (Sign.DAY, Sign.WEEK, Sign.MONTH, Sign.QUARTER, Sign.YEAR)
#: Steps, and what comes round again.
GRAINS = (*STEPS, Sign.WEEKDAY, Sign.HOUR)
#: Means over a step of time that are one word: 月均.
MEANS: Mapping[Sign, Sign] = {
    Sign.DAILY_MEAN: Sign.DAY,
    Sign.WEEKLY_MEAN: Sign.WEEK,
    Sign.MONTHLY_MEAN: Sign.MONTH,
    Sign.QUARTERLY_MEAN: Sign.QUARTER,
    Sign.YEARLY_MEAN: Sign.YEAR,
}

#: What Chinese counts things by: 三本书, 多少辆车.
CLASSIFIERS = frozenset(
    "个家种位名条笔本张辆间套件台项例床架艘份篇册支场次幅座株只起宗桩趟杯瓶箱批盒袋双匹头棵节颗口款处"
)

_PHRASES: Mapping[Sign, str] = {
    Sign.BY: """
        in terms of; measured by; judged by; based on; according to; by; per; split by; broken down by; break down by;
        break it down by; breakdown by; grouped by; group by; break that down by; break this down by;
        break them down by; broken out by; split that by; split it by; split this by; split them by; by each; for each;
        for every; in each; each; across; in every; of each; every; separated by; 按; 按照; 每一个; 各个; 各; 分; 每;
        不同; 依; 根据; 以; 各类; 拆分到; 各家
    """,
    Sign.EACH: """
        respectively; separately; individually; side by side; 分别; 各自; 各有; 各是; 各为; 各多少; 各有多少;
        各有多少个; 各有多少家; 各有几个; 各有几家; how many of each; 各是多少; 分别有多少; 分别是多少; 分别多少;
        分别为多少
    """,
    Sign.SPREAD: """
        分布; 分布情况; 明细; 构成
    """,
    Sign.TOP: """
        busiest; best seller; best sellers; bestseller; bestsellers; top seller; top sellers; top; best; highest;
        best selling; top selling; bestselling; most popular; strongest; most often; 最畅销; 最受欢迎; 最热门; 最强;
        冠军; 最好的; most; largest; biggest; greatest; leading; the most; best performing; most common; commonest;
        most frequent; 最常见; 最常见的; 最普遍; longest; slowest; 最长; 最久; 最慢; 最多; 最高; 最大; 最好; 前;
        排名前; 排前; 排名; 最; 领先; 居首; 第一; 排行
    """,
    Sign.BOTTOM: """
        least common; 最少见; quietest; shortest; fastest; quickest; 最短; 最快; bottom; lowest; lowest selling;
        worst selling; least popular; poorest; 最弱; 末位; 最冷门; least; fewest; smallest; worst; the least;
        the fewest; weakest; 最少; 最低; 最小; 最差; 倒数; 倒数第一; 垫底; 最后; 后
    """,
    Sign.DESCENDING: """
        newest first; latest first; most recent first; 最新的在前; 从新到旧; 从晚到早;
        worst first; best first; top first; highest to lowest; from high to low; most to least; biggest first;
        largest first; highest first; most first; in descending order; descending; 从高到低; 从大到小; 从多到少;
        由高到低; 由大到小; 由多到少; 降序; 倒序
    """,
    Sign.ASCENDING: """
        oldest first; earliest first; 最早的在前; 从旧到新; 从早到晚;
        smallest first; lowest first; fewest first; in ascending order; ascending; 从低到高; 从小到大; 从少到多;
        由低到高; 由小到大; 由少到多; 升序
    """,
    Sign.DEAREST: """
        most expensive; dearest; priciest; costliest; 最贵
    """,
    Sign.CHEAPEST: """
        cheapest; least expensive; 最便宜
    """,
    Sign.NEWEST: """
        shortest service; with the shortest service; shortest tenure; 工龄最短; 入职最晚; newest; latest; most recent;
        most recently; last; the last; 最新; 最近; 最近的; 最近一个; 最近一次; 最晚
    """,
    Sign.OLDEST: """
        longest service; with the longest service; longest tenure; been here longest; been here the longest; 工龄最长;
        入职最久; 待得最久; 在职时间最长; 工作最久; 来得最久; oldest; earliest; longest ago; longest serving;
        longest standing; first ever; the very first; very first; the first; 最早; 最老; 来得最早; 资历最老; 资历最深
    """,
    Sign.SHARE: """
        rate; what rate; percent of; percentage of; what percentage; what percent; what proportion; 率; 几成; 占几成;
        一成; 一半; half of; half the; 百分比是多少; 成; 百分之; per cent; per cent of; share; shares; percentage;
        percent; proportion; what part; which part; fraction; what share; how big a part; make up; makes up; %; ratio;
        占比; 占; 比例; 百分比; 份额; 百分之几; 百分之多少; 所占; 占了; 比重; 占多少; 多大比例
    """,
    Sign.HOW_MANY: """
        有多大; 是多大; 有多高; 是多高; how big is; how high is; how large is; how big was; how high was;
        how large was; what number of; no of; how often did; how often was; how often were; how often have;
        how often has; how many times; 多少次; 几天; 多少天; 几晚; 多少晚; 几小时; 多少小时; how many are there;
        共有多少; 总共有多少; 一共有多少; 数目; 有几; are there any; 有没有; are there; is there any; how many;
        number of; count; count of; how much; the number of; total number of; amount; 多少; 有多少; 数量; 总数; 几;
        总共多少; 个数; 了多少
    """,
    Sign.LIST: """
        who works in; who work in; is there anybody; is there anyone; anybody; 有没有人; 有没有谁; show all;
        show me all; show every; show me every; give me all; display all; who are our; which are; 显示所有; 给我所有;
        列出所有; 列出全部; 有谁; 有哪几个; 哪几家; 帮我列出; list out; can you list; could you list; names of;
        what are the names of; which ones; 都有哪些; 都有谁; 罗列; 列一列; 哪几; list; enumerate; list all; list of;
        a list of; name all; name the; 列出; 哪些; 有哪些; 列表; 清单; 列一下; 名单; 是哪些; 列举
    """,
    Sign.WHICH: """
        在哪些; 在哪几个; 分布在哪些; 在哪个; who is our; who's our; which; who; whose; 什么; 什么样的; 哪个; 哪;
        哪一个; 哪几个; 哪家; 哪种; 谁; 哪位; 是哪个; 哪类; 哪边; 哪一边; 在哪个; 在哪家; 都在哪个
    """,
    Sign.SHOW: """
        i'd like a breakdown; i need a breakdown; i want a breakdown; give me a breakdown; show me a breakdown;
        can i get a breakdown; i need the number; i need the list; 我想要; 我想了解; 我想问; 我想知道; 我看看;
        让我看看; 我查一下; 我了解一下; 我问一下; 我们想知道; 我要; 我想看看; 麻烦给我; 帮我看看; 帮我看下; 帮我看;
        帮我算; 帮我统计; 帮我查下; 帮我查一下; 帮我列; can you give me; can you show me; can you show;
        can you tell me; can you get me; can you pull; could you give me; could you show me; could you tell me;
        can i see; can i get; can i have; could i see; could i get; could i have; could you get me; i want to see;
        i'd like to see; i would like to see; i'd like to know; i would like to know; i want to know; i need to know;
        i need to see; do you know; let me know; do we know; pull up; pull; report; calculate; compute; work out;
        check; 帮我查; 我想看; 我要看; 想看; 查下; 看下; 算一下; 算下; 拉一下; 给个; 出一份; 来一份; 能告诉我;
        能不能告诉我; 可以告诉我; 能看下; 我需要知道; 需要知道; 能不能看看; 能不能看下; 能不能给我; 可以给我;
        能否告诉我; 帮忙看下; 帮忙查下; 帮忙; 能不能查一下; 报一下; 说一下; 是什么样; show; show me; display; give me;
        tell me; what is; what was; what are; what were; what's; whats; how is; how was; get me; let me see; summarise;
        summarize; summary of; 显示; 看看; 看一下; 查; 查询; 查一下; 给我; 告诉我; 统计; 是多少; 展示; 查看; 问一下;
        问下; 麻烦问一下; 麻烦问下; 请教一下; 请教; 咨询一下; 想问; 想问下; 想问一下; 好不好; 怎么样; 如何; 统计一下;
        给出; 总结; 总结一下; 汇总; 汇总一下
    """,
    Sign.COMPARE: """
        compared with; compared to; compare; versus; vs; against; than; relative to; comparison; in comparison with;
        compared; comparing; in comparison to; 相比; 对比; 比较; 比; 相较; 较; 相比较; 比起
    """,
    Sign.CHANGE: """
        bigger; larger; smaller; greater; better; worse; up or down; higher or lower; more or fewer; 差多少; 相差多少;
        相差; 差距; 差了多少; 高多少; 低多少; 多多少; 少多少; 高了多少; 低了多少; 多了多少; 少了多少; 涨了多少;
        跌了多少; 几个点; 几个百分点; 多少个点; 多少个百分点; 多少百分点; growth rate; rate of growth; rate of change;
        dropped; drop; climbed; climb; went up; gone up; go up;
        went down; gone down; go down; going up; going down; 增速; 跌; 跌了; 涨了; 减少了; 增加了; 下滑; 下降了; up;
        higher; more; fewer; less; change; changed; changes; growth; grow; grew; grown; increase; increased; decrease;
        decreased; decline; declined; difference; more or less; fall; fell; fallen; rise; rose; risen; 变化; 增长;
        增长率; 增幅; 下降; 涨; 涨幅; 减少; 增加; 变化率; 增减; 增长了; 变化了; 降幅; 差异; 上升
    """,
    Sign.PREVIOUS: """
        month over month; month on month; mom; quarter over quarter; quarter on quarter; qoq; week over week;
        week on week; wow; previous period; the previous period; the month before; the week before; the quarter before;
        the period before; the day before; month before; week before; quarter before; the previous one; the one before;
        the same days of last month; same days of last month; the same days last month; same days last month;
        the same period last month; same period last month; the same point last month; 上月同期; 上个月同期; 环比;
        上期; 与上期; 前一个月; 前一周; 上一期; 前一天; 前一季度
    """,
    Sign.YEAR_EARLIER: """
        the same quarter a year ago; same quarter a year ago; the same month a year ago; same month a year ago;
        the same period a year ago; same period a year ago; the same quarter a year earlier; year over year;
        year on year; yoy; the same days last year; same days last year; the same days of last year;
        the same days a year ago; same period last year; the same period last year; same month last year;
        the same month last year; same quarter last year; the same quarter last year; a year ago; a year earlier;
        one year ago; the same time last year; same time last year; this time last year; this time a year ago;
        at this point last year; this point last year; 去年这个时候; 去年这时候; 去年此时; the year before;
        year before; the same period of last year; same week last year; 同比; 去年同期; 上年同期; 去年同月; 去年同季度;
        前一年
    """,
    Sign.EXCEPT: """
        isn't; aren't; wasn't; weren't; that isn't; that aren't; neither; exclude; leave out; not counting;
        not including; 不走; 不通过; 不经; 不经过; 不来自; 不属于; 没走; 没通过; 除开; 以外; 之外; 外; 不计; 不要;
        不带; 不统计; 排除掉; 不算上; 不包括在内; except; excluding; without; other than; but not; apart from; not;
        outside; except for; besides; aside from; not in; outside of; that are not; ignoring; leaving out; minus; 除了;
        除; 不包括; 不含; 排除; 不是; 非; 除去; 不算; 不包含; 去掉; 剔除; 不在; 扣除
    """,
    Sign.OTHER: """
        other; the other; all other; any other; others; all others; the rest of; the rest; 其他; 其它; 其余; 其他的;
        其它的; 其余的; 另外的; 剩下的; 剩余的
    """,
    Sign.DISTINCT: """
        distinct; different; unique; 不同的; 不重复; 不重复的; 去重; 去重后
    """,
    Sign.VAGUE: """
        many; much; several; multiple; numerous; a few; lots of; a lot of; plenty of; 多单; 多样; 好几; 若干; 许多;
        很多; 不少; 大量
    """,
    Sign.EXACTLY: """
        exactly; precisely; 恰好; 正好; 刚好; 整整
    """,
    Sign.NET: """
        minus; after; net of; after deducting; deducting; before deducting; less; 减; 减去; 减掉; 扣掉; 扣除; 扣去;
        刨去; 除去
    """,
    Sign.NONE: """
        no; zero; never; without; without any; without a; without an; haven't; hasn't; did not; didn't; do not; don't;
        does not; doesn't; have not; has not; have never; has never; not have any; not a single; not any; has not had;
        not yet; yet; 没有; 从来没有; 从未; 从没; 没; 未; 无; 没有任何; 从来没; 不曾; 还没有; 还没; 一次都没; 一次也没;
        不; 并非; 没人; 无人; 没有人; 不带; 没带; nobody; no one; no-one; none of; 一次都没有; 从没有; 没有过;
        一单都没有; 一单也没有; 一个都没有; 一个也没有; 一笔都没有; 一笔也没有
    """,
    Sign.MORE: """
        in excess of; 超; 大过; 高过; more than; over; above; greater than; larger than; higher than; exceeding;
        bigger than; 超过; 大于; 高于; 多于; 超出
    """,
    Sign.LESS: """
        less than; under; below; fewer than; lower than; smaller than; 小于; 低于; 少于; 不到; 不足
    """,
    Sign.AT_LEAST: """
        at least; no less than; not less than; no fewer than; not fewer than; not below; not under; 至少; 不少于;
        不低于; 不小于; 大于等于; 达到; 不下
    """,
    Sign.AT_MOST: """
        at most; no more than; not more than; not over; not above; up to; 不超过; 至多; 不高于; 最多不超过; 不多于;
        不大于; 小于等于
    """,
    Sign.BETWEEN: """
        between; 之间; 介于
    """,
    Sign.OR_MORE: """
        or more; or higher; or above; or over; 以上; 以上的; 及以上; 或更多; 或以上
    """,
    Sign.OR_LESS: """
        or fewer; or less; or lower; or below; or under; 以下; 以下的; 及以下; 或更少; 以内; 或以下
    """,
    Sign.DAILY_MEAN: """
        日均; 每日平均; 每天平均; 平均每天; 平均每日; 天均
    """,
    Sign.WEEKLY_MEAN: """
        周均; 每周平均; 平均每周
    """,
    Sign.MONTHLY_MEAN: """
        月均; 每月平均; 平均每月; 平均每个月; 每个月平均
    """,
    Sign.QUARTERLY_MEAN: """
        季均; 季度平均; 每季度平均; 平均每季度; 平均每个季度; 每个季度平均
    """,
    Sign.YEARLY_MEAN: """
        年均; 每年平均; 平均每年
    """,
    Sign.AVERAGE: """
        average; mean; avg; typical; typically; usual; usually; in general; 通常; 一般; on average; 平均; 平均值; 均值
    """,
    Sign.MEDIAN: """
        median; the median; median value; median of; the median of; 中位数; 中位值; 的中位数; 中值
    """,
    Sign.OVER: """
        divided by; ratio between; the ratio between; ratio of; the ratio of; 除以; 与之比; 之比
    """,
    Sign.SUM: """
        sum; sum of; the sum of; total; totals; add up to; adds up to; 加起来; 加在一起; 加总; 总和; 合计; 总; 总计;
        总额
    """,
    Sign.WORTH: """
        sum of; the sum of; sum of all; the sum of all; sum up; value of; the value of; total value; the total value;
        total value of; the total value of; worth of; combined value; combined value of; in value; 值多少钱; 值多少;
        一共值; 一共值多少; 一共值多少钱; 总共值多少钱; 共值多少钱; 总值; 总价值; 总金额; 金额合计
    """,
    Sign.PLACE: """
        what rank; which rank; what place; which place; what position; rank of; the rank of; what is the rank of;
        排第几; 排在第几; 排名第几; 排第几位; 排第几名; 排在第几位; 第几名; 第几位; 第几; 排几; 排名多少; 位列第几;
        名列第几
    """,
    Sign.LARGEST: """
        maximum; max; maximal; longest; slowest; 最大值; 最长; 最久; 最慢
    """,
    Sign.SMALLEST: """
        minimum; min; minimal; shortest; fastest; quickest; 最小值; 最短; 最快
    """,
    Sign.DAY: """
        by day; days; daily; per day; each day; day by day; every day; 按天; 每天; 每日; 按日; 逐日; 按日期; 每一天;
        哪天; 哪一天; 日
    """,
    Sign.WEEK: """
        by week; week; weekly; per week; each week; week by week; every week; 按周; 每周; 逐周; 各周; 每星期; 每一周;
        周
    """,
    Sign.MONTH: """
        by month; month; monthly; per month; each month; month by month; every month; by months; by the month; 按月;
        每月; 每个月; 各月; 月度; 逐月; 按月份; 各个月; 按月度; 各月份; 分月; 每一个月; 月份; 月
    """,
    Sign.QUARTER: """
        by quarter; quarter; quarterly; per quarter; each quarter; every quarter; 按季度; 每季度; 每个季度; 各季度;
        按季; 逐季; 分季度; 季度; 季
    """,
    Sign.YEAR: """
        by year; year; yearly; per year; annually; each year; every year; year by year; annual; 按年; 每年; 逐年; 各年;
        按年度; 年度; 分年; 历年; 年
    """,
    Sign.WEEKDAY: """
        weekday; weekdays; day of the week; days of the week; day of week; by weekday; by day of the week;
        by day of week; by the day of the week; per weekday; each weekday; each day of the week; by weekdays; 周几;
        星期几; 礼拜几; 按周几; 按星期几; 按星期; 按礼拜几; 一周中的哪天; 一周中哪天; 一周里哪天; 一周里的哪天;
        一周哪天; 一周内哪天; 一星期哪天; 一星期中哪天; 哪个星期几; 每周几
    """,
    Sign.HOUR: """
        hour of the day; hours of the day; hour of day; time of day; time of the day; by hour; by time of day;
        by hour of the day; by the hour; per hour of the day; which hour; what hour; 几点; 几点钟; 按小时; 按时段;
        哪个时段; 哪个钟头; 哪个小时; 各时段; 各个时段; 时段; 一天中的哪个时段; 一天中哪个时段; 一天里哪个时段
    """,
    Sign.TREND: """
        go over; 变化情况; 变动; 波动; 走向; 变化趋势图; 趋势图; 走势图; 是怎么变化的; 怎么变化; 变化曲线;
        change over time; changed over time; over the months; progress; progressed; over time; trend; trends;
        development; develop; developed; evolve; evolved; evolution; 趋势; 走势; 变化趋势; 发展
    """,
    Sign.CHART: """
        画成柱状图; 画成折线图; 画成图表; 做成柱状图; 做成折线图; 做成图; 画一下; 柱形图; 饼图; pie chart;
        as a pie chart; as a chart; chart; as chart; plot; graph; as a graph; bar chart; line chart; as a bar chart;
        as a line chart; visualise; visualize; draw; in a chart; 图表; 画图; 折线图; 柱状图; 用图表示; 画成图; 图;
        画个图; 用图表; 做成图表; 用图; 曲线; 画出来; 图形
    """,
    Sign.TABLE: """
        as a table; as table; in a table; 表格; 用表格; 做成表格
    """,
    Sign.WHY: """
        why; why so many; how come; why so few; why is; why are; why were; why was; why did; why do; why does; 为什么;
        为何; 怎么这么多; 为啥; 怎么这么少; 什么原因; 原因
    """,
    Sign.HIGH: """
        so many; so few; so high; so low; so much; so little; this many; that high; that low; high; low; so good;
        so bad; 这么多; 这么少; 这么高; 这么低; 那么多; 那么少; 那么高; 那么低; 这么好; 这么差; 偏高; 偏低; 高; 低
    """,
    Sign.FOLLOWS: """
        same; the same; same thing; the same thing; same again; same list; the same list; same table; the same table;
        same number; the same number; same figure; the same figure; same list for; the same list for;
        same list but for; same table for; same again for; same numbers for;
        same figures for; same question for; same but for; same but; same thing for; and now; 换;
        换一下; what about; how about; and; and what about;
        and how about; same for; the same for; instead; only; just; and for; now for; now only; but only; restrict to;
        limit to; only for; and in; 那; 那么; 呢; 只看; 仅看; 只; 仅; 换成; 改成; 改为; 只要; 再看; 同样的; 只显示; 限;
        就行; 就好; 就可以; 即可; 就够了
    """,
    Sign.ADDS: """
        too; also by; and also by; additionally by; then by; further by; 再按; 并按; 同时按; 还按
    """,
    Sign.AND: """
        ,; and; or; nor; but; but already; as well as; plus; also; 又; 而且; 并且; 且; and also; &; 和; 与; 跟; 及;
        以及; 或; 或者; 还有; 还是; 、
    """,
    Sign.ALL_TIME: """
        ever; 史上; 有记录以来; all time; of all time; all-time; since the beginning; 有史以来; 历史; 迄今为止; 迄今
    """,
    Sign.NEW: """
        new; newly added; added; win; won; gain; gained; acquire; acquired; 新签; 新签了; 赢得; 新拉来; 新增; 新增了;
        新增加; 新增加了; 新来; 新来了; 新
    """,
    Sign.MONEY: """
        money; euro; eur; in euro; in euros; pound; pounds; in pounds; quid; gbp; dollar; dollars; in dollars; usd;
        yuan; in yuan; rmb; 人民币; 美元; 美金; 英镑; 欧元; 欧; 元; 钱; 块钱; 块
    """,
    Sign.GUIDANCE: """
        how many days; how many weeks; how many months; how many years; did i; have i; i sold; i got; i made; i've;
        am i; i did; 我; down; slow; broken; how do i; how do we; how can i; how can we; how to; can i; may i;
        should i; shall i; could i; am i; what is the process; policy; policies; explain; what does; meaning;
        where do i; where can i; who do i; who can; allowed; must i; do i; need to; what happens; when do; when is;
        when does; when will; where is; where are; how long; how often; can you; could you open; ticket; tickets; help;
        rule; rules; guide; instructions; define; definition; how does; what should; who is; who are; when; where;
        please order; i have; my; i need; i want; i'd like; we need; is there a; 怎么; 怎样; 怎么办; 流程; 规定; 政策;
        申请; 什么是; 是什么; 什么意思; 能不能; 可不可以; 可以吗; 多久; 什么时候; 哪里; 哪儿; 在哪; 如何申请; 怎么申请;
        应该; 需要; 我的; 请帮我; 定义; 工单; 能否; 为什么不能; 手册; 我想申请; 找谁; 是什么时候; 是哪天; 是哪一天
    """,
    Sign.TRADE: """
        sell; sold; sells; selling; 卖过; 买过; 买东西; 买过东西; 买了东西; 下过订单; 下过单; 下单过; 卖掉; 卖掉了;
        售卖; 订购; buy; bought; bring; brought; 卖出去; bring in; brought in; generate; generated; earn; earned;
        ordered; contribute; contributed; book; booked; purchase; purchased; buys; contributes; 卖; 卖出; 卖得; 卖了;
        买; 买了; 购买; 带来; 贡献; 创造; 销售; 采购; 下单; 下了; 产生; 卖出了; 售出; 成交
    """,
    Sign.UNTOLD: """
        in the morning; in the mornings; in the afternoon; in the evening; at night; by night; overnight; mornings;
        afternoons; evenings; on time; in time; on schedule; in real time; at the same time; first time;
        still have; still own; still got; still around; for the first time; a second time; twice;
        早上的; 早上; 上午; 晚上; 夜里; 夜间; 傍晚; 凌晨; 第一次; 第二次;
        首次; 准时; 按时; 及时; 同时; 当天的; 当场; 线上; 网上; 楼上; 加上; 不止一次
    """,
    Sign.FILLER: """
        已经; 要; thank you very much;
        thanks very much; thank you so much; thanks so much; the ones; ones; 分布在; 分布于; 全年;
        整年; sits; sitting; single; good morning; morning; good afternoon; afternoon all; good evening; dear all;
        hi all; hello all; hi team; hey team; 早; 早上好; 上午好; 中午好; 下午好; 晚上好; 大家好; 各位; 各位好; 部署;
        deployed; 辛苦; 辛苦了; 多谢; 感谢; 谢了; fyi; btw; just wondering; wondering; curious; 全公司; 整个公司; 全司;
        上了; 上过; write; wrote; carry; carried;
        transport; transported; host; hosted; 拉; 拉了; 载; 载了; 运送; 运送了; 接待;
        接待了; 乘坐; 过; 过的; 发了; 发出; 发出了; 开了; 开出; 办了; 引起; 引起的; 造成; 造成的; 导致; 导致的; 因为;
        due to; because of; put up; puts up; employ; employs; employed; operate; operates; offer; offers; look after;
        looks after; maintain; maintains; right now; 那家; 这家; 那个; 这个; 那些; 这些; 在我们这; 我们这; 我们这边;
        我们那边; 咱们这边; 咱这边; 的那些;
        in our books; on our books; on the books; on file; with us; at our; 排; 排序; 排列; among; 给我们; 全体; 办公;
        based; located; situated; times; 次; 拿; 拿到; 领; 通过; 经由; 一份; 份; 的东西; 当天; 当日; performed;
        perform; performing; recorded; registered; already; still; exactly; roughly; approximately; kindly; ok; okay;
        actually; 大概; 大约; 究竟; 到底; 具体; 差不多; 仍; 仍然; 麻烦; 哈; 呀; 哦; 嗯; 拆开; 拆一下; 细分; 分开; 那边;
        这边; 咱们; 咱; 我司; 本公司; 如今; 眼下; 截至; 截止; 帮; 请帮忙; currently; now; right now; rn; at the moment;
        atm; at present; today's; so far; in total; altogether; overall; together; company; our company; data; figures;
        figure; statistics; stats; numbers; number; value; values; get; got; receive; received; come; came; come in;
        came in; place; placed; make; made; take; taken; took; have; had; exist; exists; run; work; works; working;
        worked; sorted; ranked; rank; break; down; split; grouped; group; there; we; us; our; you; please; could; can;
        would; all; any; the; result; results; whole; entire; done; do; did; does; go; went; coming; come from;
        came from; from; belong; belongs; belonging; made by; with; using; period; time; have we; did we; happened;
        see; look; looks; develop over time; how has; how have; how did; how; hi; hello; hey; thanks; quick; question;
        want; know; like; name; names; 我们; 公司; 我们公司; 请; 帮我; 请问; 我想; 想; 知道; 想知道; 了解; 的; 了; 吗;
        吧; 啊; 有; 是; 在; 个; 名; 位; 条; 笔; 单; 台; 件; 共; 一共; 总共; 目前; 现在; 当前; 情况; 数据; 中; 里; 内;
        期间; 下; 得; 被; 都; 到; 于; 从; 为; 来; 做; 用; 数; 发生; 收到; 接; 接了; 接到; 接到了; 一下; 来自; 占全部;
        全部; 所有; 整个; 公司里; 其; 一; 看; 您; 你; 你好; 谢谢; 属于; 当中; 其中; 整体; 方面; 时间; 还; 时; 人; 家;
        种; 类; 由; 对; 给; 最近的; 处于; 在职; 员; 里面; 有着; 进行; 时候; 对应; 多; 少; 按时间; 随时间; 呈现; 关于;
        到目前为止; 那天; 这天; 那一天; 算; 来算; 计算; 来看; 来说; 而言
    """,
}


def phrases() -> Iterator[tuple[str, Sign]]:
    """Yield every phrase with its sign, lower case; words that only fill come last."""
    seen: set[str] = set()
    counted = dict.fromkeys(
        ("多少", "几", "有多少", "有几", "了多少", "了几", "共有多少", "一共有多少", "总共有多少", "一共几"),
        Sign.HOW_MANY,
    )
    for before, sign in (*counted.items(), ("每", Sign.BY), ("哪", Sign.WHICH), ("多", Sign.VAGUE)):
        for each in sorted(CLASSIFIERS):
            seen.add(before + each)
            yield before + each, sign
    yield "每单", Sign.BY
    for each, from_top in ranked():
        seen.add(each)
        yield each, Sign.NTH if from_top else Sign.NTH_BOTTOM
    for sign, listed in _PHRASES.items():
        for phrase in (" ".join(each.split()) for each in listed.split(";")):
            if phrase not in seen or sign is not Sign.FILLER:
                seen.add(phrase)
                yield phrase, sign
    for word in (*ENGLISH, *STOP_ENGLISH, *STOP_CHINESE):
        if not {word, word.removesuffix("'s")} & (seen | TELLING):
            seen.add(word)
            yield word, Sign.FILLER
