"""Trouble that is told without the name of an app: looked into where a cluster is known, and no other trouble is."""

import pytest

from agent.brains.rules.understanding.message import read
from features.diagnosis.understanding.live import asks_what_runs
from features.diagnosis.understanding.outages import asks_of_all
from features.diagnosis.understanding.vocabulary import TOOL, AppVocabulary, NamedApp
from language.words import normalise
from queries.observe.config import ObserveConfig

TOLD = (
    "customers can't pay since lunch",
    "our users cannot log in anymore",
    "clients are complaining that the shop does not load",
    "people get a 500 when they pay",
    "is it us or the database?",
    "is it a problem on our side?",
    "why did the api restart last night",
    "why can't anyone pay",
    "why cant ppl pay?",
    "can nobody log in today?",
    "why is everything so slow",
    "orders aren't going through",
    "none of the payments go through anymore",
    "prod is down",
    "is anything on fire?",
    "are we having an outage?",
    "do we have an incident?",
    "hey team, are we down?",
    "is the site down or is it just me?",
    "what's the state of production?",
    "give me a health check of production",
    "system slow today?",
    "what broke?",
    "线上是不是出问题了",
    "线上有没有故障",
    "客户说付不了款,是我们的问题吗",
    "用户登录不上了",
    "客户反馈下单失败",
    "系统是不是崩了",
    "网站打不开",
    "生产环境现在稳定吗",
    "是我们的问题还是第三方的问题",
    "支付是不是挂了",
    "下单报500",
    "登录一直转圈",
)
OTHER = (
    "can customers pay with a gift card?",
    "customers can't return opened goods, can they?",
    "how do users log in to the VPN?",
    "some users report slow wifi in the office",
    "everyone gets a day off, is that an error?",
    "customers cannot see our office",
    "is there a fire drill today?",
    "what do I do in case of fire?",
    "nobody can approve my expenses",
    "nobody can log in to the VPN",
    "why can't we buy a new laptop?",
    "my system is slow today",
    "is the printer down?",
    "are we open on Friday?",
    "do we have an incident policy?",
    "incidents",
    "客户可以退款吗",
    "客户不能来参加培训",
    "用户名忘了怎么办",
    "系统怎么登录",
    "系统正常",
    "有什么问题",
    "打印机是不是坏了",
)
APP = {"cluster": "prod", "namespace": "shop", "labels": {"app": "checkout"}, "called": {"en": ["check-out"]}}
CONFIG = ObserveConfig.model_validate(
    {
        "clusters": {
            name: {"title": title, "prometheus": {"url": "http://127.0.0.1:9090"}}
            for name, title in (
                ("eu-1", {"en": "Production", "zh": "生产环境"}),
                ("eu-2", {"en": "Staging", "zh": "预发环境"}),
            )
        },
        "apps": {"checkout": APP | {"cluster": "eu-1"}},
    }
)
ONE: dict[str, tuple[str, ...]] = {TOOL: ("checkout", "eu-1/shop", "eu-2/shop")}


def wanted(text: str, things: dict[str, tuple[str, ...]]) -> NamedApp | None:
    return AppVocabulary(CONFIG).wanted(read(text, None, things))


@pytest.mark.parametrize("text", TOLD)
def test_the_trouble_of_those_who_are_served_is_that_of_production(text: str) -> None:
    assert asks_of_all(normalise(text))
    assert wanted(text, ONE) == NamedApp(cluster="eu-1", namespace="shop")
    assert wanted(text, {TOOL: (*ONE[TOOL], "eu-1/orders")}) == NamedApp()  # which, is asked
    assert wanted(text, {}) is None
    assert asks_what_runs(text)


@pytest.mark.parametrize("text", OTHER)
def test_other_trouble_is_not(text: str) -> None:
    assert not asks_of_all(normalise(text))
    assert wanted(text, ONE) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("今天预发环境改了什么", NamedApp(cluster="eu-2", namespace="shop")),
        ("nobody can check out, help", NamedApp(app="checkout")),
        ("checkout keeps falling over", NamedApp(app="checkout")),
        ("why is my checkout pod pending", NamedApp(app="checkout")),
        ("checkout status", NamedApp(app="checkout")),
        ("checkout latency is through the roof", NamedApp(app="checkout")),
        ("checkout's broken again", NamedApp(app="checkout")),
        ("what's up with checkout", NamedApp(app="checkout")),
        ("checkout的pod为什么一直pending", NamedApp(app="checkout")),
        ("checkout 今天抽风了?", NamedApp(app="checkout")),
        ("the checkout button does nothing since 10", NamedApp(app="checkout")),
        ("can you see why checkout pods were OOM killed", NamedApp(app="checkout")),
        ("users report blank pages in the checkout", NamedApp(app="checkout")),
    ],
)
def test_what_has_a_name_is_looked_into_by_it(text: str, named: NamedApp) -> None:
    assert wanted(text, ONE) == named


SHOP = ObserveConfig.model_validate(
    {
        "clusters": {
            "eu-1": {"title": {"en": "Production", "zh": "生产环境"}, "prometheus": {"url": "http://127.0.0.1:9090"}}
        },
        "apps": {
            name: {
                "cluster": "eu-1",
                "namespace": "shop",
                "labels": {"app": name},
                "title": {"en": name, "zh": chinese},
            }
            for name, chinese in (
                ("checkout", "结账"),
                ("payment", "支付"),
                ("catalog", "商品目录"),
                ("billing-api", "账单"),
                ("billing-worker", "账单任务"),
            )
        },
    }
)
IN_SHOP: dict[str, tuple[str, ...]] = {TOOL: (*SHOP.apps, "eu-1/shop")}


@pytest.mark.parametrize(
    ("text", "app"),
    [
        ("pay isn't working", "payment"),
        ("can't check out on the site", "checkout"),
        ("I can't check out", "checkout"),
        ("checking out gives an error", "checkout"),
        ("we can't take payments", "payment"),
        ("paying fails for everyone", "payment"),
        ("checkout seems off today", "checkout"),
        ("payments aren't working anymore", "payment"),
        ("the pay api returns 500", "payment"),
        ("why does paying take so long", "payment"),
        ("something's off with paying", "payment"),
        ("paymnt is down", "payment"),
        ("the catalogue won't load", "catalog"),
        ("结不了账", "checkout"),
        ("付款一直失败怎么回事", "payment"),
        ("我付不了钱", "payment"),
        ("billing isn't working", ""),  # which of the two, is asked
    ],
)
def test_what_people_do_names_the_app_that_is_called_after_it(text: str, app: str) -> None:
    assert AppVocabulary(SHOP).wanted(read(text, None, IN_SHOP)) == NamedApp(app=app)


@pytest.mark.parametrize(
    "text",
    [
        "why can't I pay for lunch with my card in the canteen?",
        "can't pay my rent",
        "is pay day on friday?",
        "the pay gap is still an issue",
        "why is my pay late?",
        "paying the supplier failed, who do I ask?",
        "how do I check out of the hotel?",
        "check out this page",
        "I can't log in",
        "can't order lunch",
        "工资付款失败怎么办",
        "报销付款多久到账",
    ],
)
def test_what_people_do_elsewhere_names_none(text: str) -> None:
    assert AppVocabulary(SHOP).wanted(read(text, None, IN_SHOP)) is None
