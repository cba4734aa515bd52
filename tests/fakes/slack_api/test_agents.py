"""Status, prompts, title and session beside a thread."""

from tests.fakes.slack_api.conftest import House, error


async def test_a_status_goes_out_by_itself_or_by_an_answer(house: House) -> None:
    asked = house.workspace.say(house.ann, house.help, "why?")
    status = {"channel_id": house.help.id, "thread_ts": asked.ts, "status": "is reading"}
    await house.client.api_call("assistant.threads.setStatus", json=status | {"loading_messages": ["Reading"]})

    assert house.workspace.status_of(house.help.id, asked.ts) == "is reading"
    house.clock.advance(120)
    assert house.workspace.status_of(house.help.id, asked.ts) == ""
    await house.client.api_call("assistant.threads.setStatus", json=status)
    await house.post("because", thread_ts=asked.ts)
    assert house.workspace.status_of(house.help.id, asked.ts) == ""
    await house.client.api_call("assistant.threads.setStatus", json=status)
    await house.client.api_call("assistant.threads.setStatus", json=status | {"status": ""})
    assert house.workspace.status_of(house.help.id, asked.ts) == ""


async def test_a_status_belongs_to_a_thread(house: House) -> None:
    async def code(**arguments: object) -> str:
        known = {"channel_id": house.help.id, "thread_ts": "1.000000", "status": "a"}
        return await error(house.client.api_call("assistant.threads.setStatus", json=known | arguments))

    asked = house.workspace.say(house.ann, house.help, "why?")
    assert await code() == "thread_not_found"
    assert await code(thread_ts="") == "invalid_arguments"
    assert await code(channel_id="C404") == "channel_not_found"
    assert await code(thread_ts=asked.ts, loading_messages=["a"] * 11) == "invalid_arguments"


async def test_prompts_are_pinned_in_a_direct_conversation(house: House) -> None:
    direct, client = house.workspace.im(house.ann), house.client
    prompts = [{"title": "My tickets", "message": "Show my tickets"}]
    await client.assistant_threads_setSuggestedPrompts(channel_id=direct.id, prompts=prompts, title="Try")

    thread = house.workspace.thread(direct.id, "")
    assert (thread.prompts, thread.prompts_title) == (prompts, "Try")
    suggest = client.assistant_threads_setSuggestedPrompts
    assert await error(suggest(channel_id=direct.id, prompts=prompts * 5)) == "invalid_arguments"
    assert await error(suggest(channel_id=direct.id, prompts=[{"title": "a"}])) == "invalid_arguments"
    assert await error(suggest(channel_id=house.help.id, prompts=prompts)) == "invalid_arguments"
    house.workspace.scopes.discard("assistant:write")
    assert await error(suggest(channel_id=direct.id, prompts=prompts)) == "missing_scope"


async def test_a_thread_gets_a_title(house: House) -> None:
    direct = house.workspace.im(house.ann)
    asked = house.workspace.say(house.ann, direct, "why?")
    await house.client.assistant_threads_setTitle(channel_id=direct.id, thread_ts=asked.ts, title="Why")

    assert house.workspace.thread(direct.id, asked.ts).title == "Why"


async def test_a_session_is_named_when_it_begins(house: House) -> None:
    asked = house.workspace.say(house.ann, house.help, "why?")
    known = {"channel_id": house.help.id, "thread_ts": asked.ts}

    async def say(**arguments: str) -> object:
        return (await house.client.api_call("agents.sessions.setStatus", json=known | arguments)).data

    assert await say(status="processing", title="Why") == {
        "ok": True, "status": "processing", "agent_status": "processing", "title": "Why",
    }  # fmt: skip
    await say(status="closed", title="Other")
    thread = house.workspace.thread(house.help.id, asked.ts)
    assert (thread.session_status, thread.title) == ("closed", "Why")
    assert await error(say(status="tired")) == "invalid_arguments"
    assert await error(say(status="active", title="x" * 201)) == "invalid_arguments"
