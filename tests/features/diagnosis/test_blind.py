"""A desk that sees no cluster: it says so, and names the runbook, where only a look at what runs could answer."""

from pathlib import Path

import pytest

from features.diagnosis.understanding.live import asks_what_runs, service_named
from tests.architecture.source import ROOT
from tests.evals.staff.cases import Conversation, Turn
from tests.evals.staff.playing import stage

BLIND = ("I cannot see what runs here", "我看不到正在运行的系统")


@pytest.mark.parametrize(
    "text",
    [
        "what image does checkout run?",
        "what changed in shop since yesterday?",
        "what was deployed today?",
        "when was the last rollout of payment?",
        "who deployed checkout last night?",
        "how often did checkout restart today?",
        "how many times has the payment service crashed this week",
        "show me the errors of checkout",
        "give me the last logs from the payment service",
        "which version of catalog is deployed in production?",
        "is anything wrong in staging?",
        "is everything ok with the cluster",
        "why does checkout keep crashing?",
        "支付服务昨天改了什么",
        "checkout 今天重启了几次？",
        "结算服务现在用的是哪个镜像？",
        "给我看看订单服务的日志",
        "payment服务上次发布是什么时候",
        "测试环境有问题吗",
        "why am I getting 502s from checkout",
        "how are the pods of checkout doing",
        "any alerts firing for payment right now?",
        "can you see why catalog pods were OOM killed",
        "is the checkout deployment rolled out yet?",
        "how is prod looking",
        "支付接口返回 502",
        "checkout 内存是不是不够了",
        "昨天晚上 checkout 为什么重启",
        "谁把 checkout 搞挂了",
        "今天预发环境改了什么",
        "现在生产环境健康吗",
    ],
)
def test_what_only_a_look_at_what_runs_can_say(text: str) -> None:
    assert asks_what_runs(text)


@pytest.mark.parametrize(
    "text",
    [
        "what changed in the travel policy since last year?",
        "what has changed in the handbook since yesterday",
        "what changed in expenses since last week?",
        "how often should I restart my laptop?",
        "how many times has my laptop restarted today",
        "show me the errors in my report",
        "which version of Python do we use?",
        "where do I see the logs of a service?",
        "how do I roll back a deployment?",
        "is everything ok with my contract",
        "请假制度最近改了什么",
        "报销流程最近改了什么",
        "why is the wifi slow",
        "any alerts for parcels?",
        "is my deployment abroad done yet",
        "how are the pods in the office doing",
        "我的电脑为什么一直重启",
        "打印机为什么又挂了",
        "谁改了请假制度",
        "谁把会议室弄坏了",
    ],
)
def test_what_the_documents_are_asked(text: str) -> None:
    assert not asks_what_runs(text)


def test_what_ails_may_be_a_matter_of_the_documents() -> None:
    assert service_named("why is checkout slow") == "checkout"
    assert service_named("checkout keeps dying on us") == "checkout"
    assert service_named("is anything wrong with checkout?") == "checkout"
    assert service_named("支付怎么了") == "支付"
    assert [service_named(each) for each in ("wifi is slow", "is the canteen ok?", "the coffee machine is broken")] == [
        ""
    ] * 3
    assert service_named("why is the printer slow") == ""


async def test_it_is_said_with_the_runbook_that_the_asker_may_read(tmp_path: Path) -> None:
    sample = ROOT / "sample"
    async with stage(tmp_path, pages=[sample / "handbook"], people=sample / "people.yaml") as desk:
        said = {
            (person, text): (await desk.play(asked(person, text), thread=f"{person} {text}"))[0].text
            for person, text in (
                ("ben", "show me the errors of checkout"),
                ("ben", "why is payment down?"),
                ("ben", "支付是不是挂了？"),
                ("ben", "is anything wrong in staging?"),
                ("ben", "支付服务昨天改了什么"),
                ("ben", "why is the wifi slow?"),
                ("ada", "what image does checkout run?"),
                ("ada", "is the payment service slow again??"),
                ("ada", "what's wrong with the order api"),
            )
        }

    told = {each: any(words in text for words in BLIND) for each, text in said.items()}
    assert told == {each: "wifi" not in each[1] for each in said}
    assert "Monitoring and alerts" in said["ben", "show me the errors of checkout"]
    assert "Incident runbook" in said["ben", "why is payment down?"]
    assert BLIND[1] in said["ben", "支付是不是挂了？"]
    assert "Incident runbook > The first fifteen minutes" in said["ben", "is anything wrong in staging?"]
    assert "Rollouts in Kubernetes" in said["ben", "支付服务昨天改了什么"]
    assert "（英文页面）" in said["ben", "支付服务昨天改了什么"]
    assert "I found no runbook" in said["ada", "what image does checkout run?"]


def asked(person: str, text: str) -> Conversation:
    return Conversation.model_construct(by=person, turns=(Turn.model_construct(say=text, by="", press=""),))
