"""What people say when they want to know why something is in trouble, and what only sounds so."""

from datetime import UTC, datetime

import pytest

from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection, Turn
from features.diagnosis.understanding.changes import changes_since
from features.diagnosis.understanding.services import is_called_a_service, service_in_question
from features.diagnosis.understanding.vocabulary import (
    TOOL,
    AppVocabulary,
    NamedApp,
    asks_to_change,
    place_in_question,
)
from queries.observe.config import ObserveConfig

CONFIG = ObserveConfig.model_validate(
    {
        "clusters": {"prod": {"prometheus": {"url": "http://127.0.0.1:9090"}}},
        "apps": {
            "checkout": {
                "cluster": "prod",
                "namespace": "shop",
                "labels": {"app": "checkout"},
                "called": {"zh": ["结账"]},
            },
            "payment": {"cluster": "prod", "namespace": "shop", "labels": {"app": "payment"}},
            "order-api": {"cluster": "prod", "namespace": "orders", "labels": {"app": "order-api"}, "team": "Orders"},
            "ledger": {
                "cluster": "prod",
                "namespace": "books",
                "labels": {"app": "ledger"},
                "title": {"en": "General ledger"},
            },
        },
    }
)
VOCABULARY = AppVocabulary(CONFIG)
THINGS = {TOOL: ("checkout", "payment", "order-api", "ledger", "prod/shop", "prod/orders", "prod/staging")}


def wanted(text: str, *earlier: str, things: dict[str, tuple[str, ...]] | None = None) -> NamedApp | None:
    memory = Recollection(turns=tuple(Turn(each, "x", "answered") for each in earlier))
    return VOCABULARY.wanted(read(text, memory, THINGS if things is None else things))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("why is checkout down?", NamedApp(app="checkout")),
        ("payment 为什么一直重启?", NamedApp(app="payment")),
        ("is anything wrong in staging?", NamedApp(cluster="prod", namespace="staging")),
        ("inspect order-api", NamedApp(app="order-api")),
        ("order api keeps crashing, why?", NamedApp(app="order-api")),
        ("结账怎么了", NamedApp(app="checkout")),
        ("Is checkout ok?", NamedApp(app="checkout")),
        ("why is order-api-7f9c5d6b4-abcde restarting", NamedApp(app="order-api", pod="order-api-7f9c5d6b4-abcde")),
        ("what happened to payment in the last 2 hours?", NamedApp(app="payment", minutes=120)),
        ("staging 有没有问题", NamedApp(cluster="prod", namespace="staging")),
        ("diagnose prod shop", NamedApp(cluster="prod", namespace="shop")),
        ("what is wrong with the general ledger", NamedApp(app="ledger")),
        ("请排查一下 payment", NamedApp(app="payment")),
        ("How is checkout doing?", NamedApp(app="checkout")),
        ("Why is the payments service returning 500s?", NamedApp(app="payment")),
        ("is anything wrong in production?", NamedApp()),
        ("why is it down?", NamedApp()),
        ("Is everything ok in the cluster?", NamedApp()),
        ("生产环境有没有问题?", NamedApp()),
        ("为什么挂了?", NamedApp()),
        ("Customers report failed orders since 18:00. What does order-api say?", NamedApp(app="order-api")),
        ("why is prod down?", NamedApp()),
        ("is prod ok?", NamedApp()),
        ("diagnose prod", NamedApp()),
        ("what changed in prod today?", NamedApp()),
        ("what changed in checkout?", NamedApp(app="checkout")),
        ("What has changed with payment since noon?", NamedApp(app="payment")),
        ("was anything deployed to order-api today?", NamedApp(app="order-api")),
        ("any recent changes to checkout?", NamedApp(app="checkout")),
        ("did somebody roll out payment this morning?", NamedApp(app="payment")),
        ("when was checkout last deployed?", NamedApp(app="checkout")),
        ("is there a new version of payment running?", NamedApp(app="payment")),
        ("latest deployments of order-api", NamedApp(app="order-api")),
        (
            "what was rolled out in staging in the last 3 hours?",
            NamedApp(cluster="prod", namespace="staging", minutes=180),
        ),
        ("checkout 最近改了什么?", NamedApp(app="checkout")),
        ("payment 今天发布过吗?", NamedApp(app="payment")),
        ("结账有什么变更?", NamedApp(app="checkout")),
        ("order-api 上次部署是什么时候?", NamedApp(app="order-api")),
        ("what did we change in payment before it broke?", NamedApp(app="payment")),
        ("did anyone touch checkout in the last hour?", NamedApp(app="checkout")),
        ("who deployed payment?", NamedApp(app="payment")),
        ("show me the changes to checkout before the outage", NamedApp(app="checkout")),
        ("checkout: what changed?", NamedApp(app="checkout")),
        ("what is new in order-api", NamedApp(app="order-api")),
        ("hey, was checkout redeployed at lunch?", NamedApp(app="checkout")),
        ("checkout 出事之前改了啥", NamedApp(app="checkout")),
        ("payment 今天谁发布的?", NamedApp(app="payment")),
        ("结账这边刚才谁动了什么?", NamedApp(app="checkout")),
        ("checkout 跟昨天比有什么不同", NamedApp(app="checkout")),
        ("which image runs checkout?", NamedApp(app="checkout")),
        ("what was rolled out to payment today?", NamedApp(app="payment")),
        ("checkout 用的是哪个镜像?", NamedApp(app="checkout")),
        ("payment 最近改了什么", NamedApp(app="payment")),
        ("payment keeps timing out since lunch - any idea why?", NamedApp(app="payment")),
        ("checkout is returning 502 for half of the people", NamedApp(app="checkout")),
        ("can you look into why checkout pods are not ready", NamedApp(app="checkout")),
        ("is payment down? the invoices are not made", NamedApp(app="payment")),
        ("anything odd with checkout's logs?", NamedApp(app="checkout")),
        ("why do payment requests take ten seconds", NamedApp(app="payment")),
        ("结账页面一直转圈,怎么办呢?", NamedApp(app="checkout")),
        ("结账打不开了,客户都在投诉", NamedApp(app="checkout")),
        ("结账为什么这么慢?", NamedApp(app="checkout")),
        ("does payment have enough memory?", NamedApp(app="payment")),
        ("is checkout leaking, or low on memory again?", NamedApp(app="checkout")),
        ("how is the cpu usage of ledger", NamedApp(app="ledger")),
    ],
)
def test_what_is_to_be_diagnosed(text: str, named: NamedApp) -> None:
    assert wanted(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "my checkout is broken",
        "how do I restart checkout?",
        "who owns payment?",
        "what is the runbook for checkout?",
        "Why did the payment for my order fail?",
        "why is the printer down?",
        "Where is the checkout documentation?",
        "How many orders failed last month?",
        "付款流程是什么？",
        "What happens in production when a deploy fails?",
        "Is anything wrong with expenses of last month?",
        "Why is the app store down?",
        "为什么报销被拒了?",
        "我的电脑怎么了",
        "Is there a dress code?",
        "how do I get access to prod?",
        "who owns prod?",
        "prod",
        "what changed in the payment policy?",
        "when was the travel policy last changed?",
        "How do I change my payment details?",
        "报销制度有什么变化?",
        "may I change the payment after the order?",
        "what changes for the payment of salaries in January?",
        "我的付款方式改了吗?",
        "checkout",
        "what has changed in the payment terms for suppliers?",
        "has the payment deadline for suppliers changed?",
        "when will checkout be released?",
        "what is the difference between checkout and payment?",
        "who approves a release of payment?",
        "payment 的审批流程变了吗?",
        "checkout 下次什么时候发布?",
        "The payment terms are wrong on this invoice",
        "payment is late from Kestrel Ltd, whom do I tell?",
        "is the payment schedule wrong?",
        "a payment was declined, is that a problem?",
        "why was the last payment wrong?",
        "check the payment terms of the new supplier",
        "what does the checkout runbook say about memory?",
        "is there an error in the checkout checklist?",
        "结账页的条款写错了怎么办",
        "帮我建个工单: 结账里有个错别字",
        "结账清单有什么问题?",
    ],
)
def test_what_only_sounds_so(text: str) -> None:
    assert wanted(text) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("and payment?", NamedApp(app="payment")),
        ("那 payment 呢?", NamedApp(app="payment")),
        ("again", NamedApp(app="checkout")),
        ("再查一次", NamedApp(app="checkout")),
        ("why is it down?", NamedApp(app="checkout")),
        ("in staging?", NamedApp(cluster="prod", namespace="staging")),
    ],
)
def test_what_goes_on_with_a_diagnosis(text: str, named: NamedApp) -> None:
    assert wanted(text, "why is checkout down?") == named


def test_what_follows_something_else_is_no_diagnosis() -> None:
    assert wanted("and payment?", "How do I book a room?") is None
    assert wanted("again", "How do I book a room?") is None


def test_nothing_is_known_that_the_asker_may_not_look_at() -> None:
    assert wanted("why is checkout down?", things={TOOL: ("payment",)}) is None
    assert wanted("is anything wrong in shop?", things={TOOL: ("payment",)}) is None
    # A place that is said by its kind asks back, whether it is there or not; the form holds only what is theirs.
    assert wanted("is anything wrong in staging?", things={TOOL: ("payment",)}) == NamedApp()
    assert wanted("why is payment down?", things={}) is None
    assert wanted("why is prod down?", things={TOOL: ("payment",)}) == NamedApp()
    assert wanted("why is prod down?", things={TOOL: ("payment", "prod/shop")}) == NamedApp(
        cluster="prod", namespace="shop"
    )


def test_a_namespace_of_several_clusters_is_asked_about() -> None:
    things: dict[str, tuple[str, ...]] = {TOOL: ("prod/shop", "edge/shop")}

    assert wanted("is anything wrong in shop?", things=things) == NamedApp(namespace="shop")
    assert wanted("is anything wrong in shop on edge?", things=things) == NamedApp(cluster="edge", namespace="shop")


@pytest.mark.parametrize(
    ("plain", "name"),
    [
        ("why is ledger down?", "ledger"),
        ("is the payments service slow?", "payments"),
        ("what's wrong with order-api", "order-api"),
        ("结账服务为什么一直重启?", "结账"),
        ("which image runs ledger?", "ledger"),
        ("what image is order-api running?", "order-api"),
        ("ledger 用的是哪个镜像?", "ledger"),
        ("what image is best for the intranet page?", ""),
        ("is the printer down?", ""),
        ("is the wifi slow today?", ""),
        ("打印机挂了吗", ""),
    ],
)
def test_a_service_is_called_by_its_name_and_things_of_the_office_are_not(plain: str, name: str) -> None:
    assert service_in_question(plain) == name


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("why is chekout down?", NamedApp(app="checkout")),
        ("is paymnet slow?", NamedApp(app="payment")),
        ("why is chekotu down?", NamedApp(app="checkout")),  # too far off to guess
        ("why is the printer down?", None),
        ("show me the logs of payment", NamedApp(app="payment")),
        ("list the pods in staging", NamedApp(cluster="prod", namespace="staging")),
        ("看看 payment 的日志", NamedApp(app="payment")),
        ("did anyone deploy today?", NamedApp()),
        ("who deployed to production this morning?", NamedApp()),
        ("今天有人发布吗？", NamedApp()),
        ("线上有问题吗?", NamedApp()),
        ("when do we deploy?", None),
        ("did anyone read the deployment runbook today?", None),
    ],
)
def test_misspelt_and_unnamed_things_are_understood(text: str, named: NamedApp | None) -> None:
    assert wanted(text) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("restart checkout", NamedApp(app="checkout")),
        ("can you roll back payment to 2.3?", NamedApp(app="payment")),
        ("scale order-api to 5", NamedApp(app="order-api")),
        ("请重启 payment", NamedApp(app="payment")),
        ("把结账回滚一下", NamedApp(app="checkout")),
        ("how do I restart checkout?", None),
        ("delete the reminder for payment", None),
        ("delete my ticket about checkout", None),
        ("restart my laptop", None),
        ("checkout down!!", NamedApp(app="checkout")),
        ("payment 挂了", NamedApp(app="payment")),
        ("checkout 500s", NamedApp(app="checkout")),
        ("prod down!!", NamedApp()),
        ("the payment terms, wrong page", None),
        ("线上出什么事了?", NamedApp()),
    ],
)
def test_an_order_and_a_cry_lead_to_what_is_wrong(text: str, named: NamedApp | None) -> None:
    assert wanted(text) == named


def test_a_place_is_not_where_it_was_asked_before() -> None:
    shop: dict[str, tuple[str, ...]] = {TOOL: ("checkout", "prod/shop")}
    before = "why is checkout down?"
    assert wanted("is anything wrong in staging?", before, things=shop) == NamedApp()
    assert wanted("is anything wrong in production?", before, things=shop) == NamedApp("", "prod", "shop")
    assert wanted("why is it still down?", before, things=shop) == NamedApp(app="checkout")


@pytest.mark.parametrize(
    ("text", "told"),
    [("please restart checkout", True), ("帮我重启一下 payment", True), ("why does checkout restart?", False)],
)
def test_an_order_is_told_from_a_question(text: str, *, told: bool) -> None:
    assert asks_to_change(text) is told


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("is anything wrong in staging?", "staging"),
        ("预发环境有什么问题吗?", "预发环境"),
        ("is anything broken in the lab cluster?", "lab"),
        ("is prod ok?", ""),
        ("is anything wrong in production?", ""),
        ("线上出什么事了?", ""),
        ("why is it down?", ""),
    ],
)
def test_a_place_that_is_not_known_is_named(text: str, place: str) -> None:
    assert place_in_question(text, ("prod", "shop", "Production", "生产环境")) == place


def test_what_is_called_a_service_is_no_page_of_another_name() -> None:
    assert is_called_a_service("why is the billing service failing", "billing")
    assert is_called_a_service("账单服务挂了", "账单")
    assert not is_called_a_service("why is billing slow", "billing")


def test_a_misspelt_name_leads_to_nothing_that_the_asker_may_not_look_at() -> None:
    assert wanted("why is chekout down?", things={TOOL: ("payment", "prod/shop")}) is None


def test_with_one_namespace_to_look_at_it_is_the_one_that_is_meant() -> None:
    shop: dict[str, tuple[str, ...]] = {TOOL: ("checkout", "prod/shop")}
    assert wanted("did anyone deploy today?", things=shop) == NamedApp(cluster="prod", namespace="shop")


@pytest.mark.parametrize(
    ("text", "app"),
    [
        ("who owns order-api?", "order-api"),
        ("which team runs order api?", "order-api"),
        ("order-api 谁负责?", "order-api"),
        ("who owns checkout?", ""),  # the directory does not tell
        ("who owns the order-api keys policy?", ""),
        ("who owns the building?", ""),
    ],
)
def test_who_answers_for_an_app_is_asked_of_the_directory(text: str, app: str) -> None:
    assert VOCABULARY.owned(read(text, Recollection(), THINGS)) == app


NOON = datetime(2026, 11, 20, 11, tzinfo=UTC)  # a Friday


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("what changed in checkout?", "2026-11-19T19:00:00+08:00"),
        ("what changed in checkout today?", "2026-11-20T00:00:00+08:00"),
        ("checkout 昨天以来有什么变化?", "2026-11-19T00:00:00+08:00"),
        ("who deployed payment this week?", "2026-11-16T00:00:00+08:00"),
        ("what was released last week?", "2026-11-09T00:00:00+08:00"),
        ("what changed in the last 3 hours?", "2026-11-20T16:00:00+08:00"),
        ("what changed in the last 900 days?", "2026-10-21T19:00:00+08:00"),
    ],
)
def test_since_when_changes_are_wanted_follows_the_days_of_who_asks(text: str, since: str) -> None:
    assert changes_since(text, "Asia/Shanghai", NOON) == datetime.fromisoformat(since)


def test_who_asks_for_no_change_is_told_of_none() -> None:
    assert changes_since("why is checkout down today?", "UTC", NOON) is None


TILL = AppVocabulary(
    ObserveConfig.model_validate(
        {
            "clusters": {"prod": {"prometheus": {"url": "http://127.0.0.1:9090"}}},
            "apps": {
                "checkout": {
                    "cluster": "prod",
                    "namespace": "shop",
                    "labels": {"app": "checkout"},
                    "title": {"en": "Shop tills"},
                    "called": {"en": ["till"], "zh": ["收银机"]},
                },
                "catalogue": {"cluster": "prod", "namespace": "shop", "labels": {"app": "catalogue"}},
            },
        }
    )
)
TILL_THINGS = {TOOL: ("checkout", "catalogue", "prod/shop")}


@pytest.mark.parametrize(
    "text", ["our till is broken", "the till broke", "till has stopped working", "tills kaput!", "收银机坏了"]
)
def test_a_word_of_the_directory_leads_to_its_app_and_else_to_none(text: str) -> None:
    assert TILL.wanted(read(text, Recollection(), TILL_THINGS)) == NamedApp(app="checkout")
    assert wanted(text) is None


@pytest.mark.parametrize(
    ("text", "app"),
    [
        ("customers stuck at check out", "checkout"),
        ("people get stuck at the check out page", "checkout"),
        ("check-out is down", "checkout"),
        ("is the check out slow?", "checkout"),
        ("pymnt is down", "payment"),
        ("why is pymt slow", "payment"),
        ("chckout keeps failing", "checkout"),
        ("the paymant service is broken", "payment"),
        ("check out what is wrong with the printer", ""),
        ("check out this broken link", ""),
        ("when do guests check out?", ""),
        ("the garment is broken", ""),
        ("the pavement is broken", ""),
    ],
)
def test_names_are_known_in_two_words_and_without_letters(text: str, app: str) -> None:
    named = wanted(text)

    assert (named.app if named else "") == app


@pytest.mark.parametrize(
    ("text", "app"),
    [
        ("the training catalogue is broken", ""),
        ("is the course catalogue broken?", ""),
        ("library catalogue broken", ""),
        ("the stamp catalogue is broken", ""),
        ("the product catalogue is broken", "catalogue"),
        ("our catalogue is broken", "catalogue"),
        ("the new catalogue returns 500 for all", "catalogue"),
        ("the shop catalogue is broken", "catalogue"),
        ("check out the new catalogue", ""),
    ],
)
def test_what_narrows_a_name_down_may_make_another_thing_of_it(text: str, app: str) -> None:
    named = TILL.wanted(read(text, Recollection(), TILL_THINGS))

    assert (named.app if named else "") == app
