"""How the desk without a language model knows what is said of reminders."""

import re
from collections.abc import Mapping, Sequence

from agent.brains.rules.talk import Reading, Step, Talk
from agent.brains.rules.understanding.calling_off import calls_off
from agent.brains.rules.understanding.manners import is_noted
from agent.brains.rules.understanding.message import Message, read
from agent.brains.rules.understanding.phrases import ACCEPTED, REFUSED, UNDO
from agent.tools.context import Turn
from features.reminders.commands import wish_of
from features.reminders.named import as_written, asks_after, named_in, skipped_in
from features.reminders.wish import LEAD, ends_with, is_of_another, respelt, wish_in
from language.moments import folded
from language.planning.clusters import clusters_in, is_at_cue
from language.planning.moving import leaves_out, says_only_when
from language.planning.offsets import lead_in
from language.planning.plans import Unclear
from language.planning.reading import plan_in
from language.words import chinese_characters, content_words, is_generic
from storage.clock import Clock

#: The codes of the questions that this feature asks begin with it.
ASKS = "reminder_"
#: The code of the question until when a reminder is put off.
ASKS_UNTIL = "snooze_until"
#: The code of the question which time was meant that one is given instead of its own.
ASKS_WHICH = "snooze_which"
#: The code of the question how one that waits for its button shall be changed.
ASKS_CHANGE = "reminder_change"
#: Characters of a message that is read.
_LONGEST = 2_000

_LIST = re.compile(
    r"^(?:(?:please )?(?:show|list|see|give|display|what are|which are|delete|cancel|remove|drop|clear)(?: me)? )?"
    r"(?:all )?(?:of )?my "
    r"(?:open |pending )?reminders$|^(?:list|show)(?: me)?(?: the| all)? reminders$"
    r"|^(?:what|which) reminders (?:do i have|are (?:there|set)|have i set)$"
    r"|^do i have (?:any )?reminders$|^what (?:will|do) you remind me (?:of|about)$"
    r"|^(?:delete|cancel|remove|drop|clear) (?:all (?:of )?|every )(?:the )?reminders?$"
    r"|^(?:请|麻烦)?(?:删除|取消|清空|删掉)我?的?(?:所有|全部)的?提醒$"
    r"|^(?:请|麻烦)?把我的(?:所有|全部)?提醒(?:都|全部?)?(?:删除|取消|清空|删掉|删了)(?:吧|掉)?$"
    r"|^(?:看看|看一?下|查看|列出|显示|[查列]一?下)(?:我的?)?(?:所有|全部)?提醒$|^(?:看看|看一?下|查看|列出|显示|[查列]一?下)?我的(?:所有|全部)?提醒(?:列表|有哪些)?$|^我?都?(?:设了|有)(?:哪些|"
    r"什么)提醒$"
    r"|^(?:列出|显示|查看)?(?:所有|全部)提醒$|^提醒列表$"
    r"|^(?:what|which|any) reminders (?:do i have |are (?:there|set) )?(?:for )?(?:today|tomorrow|this week|next week)$"
    r"|^(?:我?(?:今天|明天|后天|这周|本周|下周)|(?:今天|明天|后天|这周|本周|下周)我)还?有(?:什么|哪些)提醒$"
)
_DELETE = re.compile(
    r"^(?:please )?(?:stop reminding|don'?t remind|do not remind|no longer remind) (?:me|us)(?: any ?more)?"
    r"(?: (?:to|about|of|that) (?P<about>.{1,300}))?$"
    r"|^(?:please )?(?:delete|cancel|remove|drop|scrap|clear) (?:the|my|that|this) (?:last )?reminder"
    r"(?: (?:to|about|of|for) (?P<of>.{1,300}))?$"
    r"|^(?:please )?(?:delete|cancel|remove|drop) (?:the|my|that|this) (?P<named>[^.?!]{1,60}) reminder$"
    r"|^(?:请|麻烦)?(?:不要|别|不用|停止)再?提醒(?:我们?)?(?P<about_zh>.{0,100}?)了?$"
    r"|^(?:请|麻烦)?(?:删除|取消|删掉)(?:关于|我的|那个|这个|这条)?(?P<of_zh>.{0,100}?)的?提醒$"
)
_NO_MORE = re.compile(r" (?:any ?more|again|please)$|了$")
_SNOOZE = re.compile(
    r"^(?:please )?(?:snooze\b|remind me (?:again|later(?! (?:today |on |this \w{1,9} )?(?:to|about|that)\b))\b)"
    r"|^(?:请)?(?:稍后|晚点|等会儿?|过会儿?|待会儿?)再?提醒"
    r"|^.{0,16}再提醒我?(?:一次|一下)?$"
)
#: The same, of the reminder that was just set or came.
_PUT_OFF = re.compile(
    r"^(?:(?:no|sorry|wait|actually),? )?(?:please )?(?:(?:can|could) you )?"
    r"(?:postpone|delay|put (?:it|this|that|the reminder) off"
    r"|put off (?:it|this|that|the reminder)|make (?:it|that)|reschedule (?:it|this|that|the reminder)"
    r"|(?:move|push|shift|change|set) (?:it|this|that|the (?:reminder|time|day)) (?:to|back|by|until|for)"
    r"|(?:an?|\d{1,3}|half an|one|two|three) (?:min(?:ute)?s?|hours?|days?) (?:later|earlier)$)"
    r"|^(?:不对?|算了|还是)?[，, ]?(?:请|麻烦|帮我)?把?(?:它|这个|这条|提醒|时间|日期)?的?(?:时间|日期)?"
    r"(?:推迟|延后|延迟|推后|往后推"
    r"|再?(?:提前|提早|往前[推挪]?|早|晚|等|过).{1,5}(?:小时|分钟|刻钟|天)|改成|改到|改为|换成|换到|挪到|调到|推到|延到)"
)
#: The same, right after a reminder came: there it can be about nothing else.
_NOT_NOW = re.compile(
    r"^(?:please )?(?:not now|later|in (?:an?|\d{1,3}|half an) ?(?:min|hour|h\b|day)|tomorrow)"
    r"|^(?:请)?(?:稍后|晚点|等会儿?|过会儿?|待会儿?|明天)"
)
_DONE = re.compile(
    r"^(?:ok(?:ay)?,? |yes,? )?(?:i(?:'ve| have|’ve)? )?(?:just |already )?(?:called|sent|did|finished|handled|paid"
    r"|ordered|booked|submitted|fixed|renewed|updated|took care of|taken care of) (?:it|that|this|them|him|her|both)"
    r"(?: already| now| just now)?$"
    r"|^(?:已经?|刚刚?|都)?[\u4e00-\u9fff]{1,4}(?:完|好|过|掉)了$"
    r"|^(?:ok(?:ay)?,? |yes,? )?(?:(?:it'?s |i'?m |all |that'?s |this is )?done|did (?:it|that)|"
    r"(?:i'?m )?(?:all )?done with (?:it|that|this)(?: one)?|(?:i )?(?:have )?finished|completed?"
    r"|mark (?:it |this )?(?:as )?done)(?: it| that)?(?:,? (?:thanks|thank you))?$"
    r"|^(?:[好嗯行]?了?[，, ])?(?:我?(?:已经|已|都)?(?:完成|做完|搞定|办完|弄完|处理完|办好|做好|弄好)了?|好了|已办)$"
)
#: The same, of one that is named by its words; "one" is a reminder only where the conversation has one.
_CHANGE_NAMED = re.compile(
    r"^(?:please )?(?:(?:can|could) you )?"
    r"(?P<verb>move|make|change|push|shift|reschedule|postpone|delay|put off|set|snooze) (?:back )?(?:the|my) "
    r"(?:(?P<named>[^.?!]{1,60}?) (?P<kind>reminder|one)|reminder (?:about|for|to|of) (?P<of>.{1,60}?))"
    r"(?: back| off| forward)? (?=(?:to|until|till|by|for|every|daily|weekly|monthly)\b)(?P<until>.{2,80})$"
    r"|^(?:the|my) (?P<kind_of>one|reminder) (?:about|for|to|of|with) (?P<about>[^,]{1,60}),? (?:please )?"
    r"(?P<make>(?:make|move|change|set|put|push) (?:it|that|this) .{1,80})$"
    r"|^(?:请|麻烦)?把?(?P<named_zh>[^，,。]{1,30}?)(?P<kind_zh>的?那个提醒|的?那条提醒|的?提醒|的?那个|的?那条|的(?=改))"
    r"(?P<until_zh>(?:改到|改成|改为|挪到|推迟到|延到|推到|调到|换到|换成|提前到).{1,40})$"
)
#: Other words for the reminder that was spoken of.
_WORD = re.compile(
    r"^(?:please )?(?:(?:can|could) you )?(?:(?:call|name|rename|label|title|reword) (?:it|this|that|the reminder)"
    r"|(?:rename|change|edit|set|make|update) (?:the |its )?(?:text|name|title|wording|words|description)"
    r"(?: of (?:it|this|that|the reminder))?|(?:the|its) (?:text|name|title|wording) (?:should|must) be"
    r"|(?:make|have|change) it (?:to )?(?:say|read)|it (?:should|must) (?:say|read))"
    r"(?: (?:to|into|as))?:? (?P<text>.+)$"
    r"|^(?:请|麻烦)?(?:把)?(?:它|这个|这条|提醒)?的?(?:(?:内容|文字|名字|名称|标题|描述)(?:改|换|写)[成为]"
    r"|改名(?:叫|为|成)?|命名为|重命名为|就?叫它?(?!我|醒)|换个名字叫?)[:：,，]?(?P<zh>.+?)(?:吧|好了)?$"
)
#: The same, where what follows is no time.
_WORD_OR_TIME = re.compile(
    r"^(?:please )?(?:change|make|set) (?:it|that|this) to (?P<text>.+)$"
    r"|^(?:把(?:它|这个|这条)?)?改[成为](?P<zh>.+?)(?:吧)?$"
)
#: It stays as it is.
_STAYS = re.compile(
    r"^(?:no,? |ok(?:ay)?,? |actually,? |please )?(?:(?:leave|keep) (?:it|this|that|the reminder) "
    r"(?:(?:just )?(?:as|how|the way) it (?:is|was)|as is|alone|like (?:that|this)|that way|so)"
    r"|(?:it'?s|that'?s) (?:fine|good|ok(?:ay)?) (?:as it is|like that|that way)"
    r"|(?:don'?t|do not) (?:change|touch) (?:it|anything))$"
    r"|^(?:还是|先|那)?(?:就?这样|就?保持原样|不用改|不改|别改|别动它|不要动它?|不动它?)(?:吧|了|好了|就好|就行)?$"
)
#: Manners and marks at the end of a message.
_END = re.compile(r"(?:,? please|,? thanks|,? thank you|谢谢)?[ ?？.。!！]{0,3}$")
#: The command that sets one.
_VERB = re.compile(r"\s{0,3}(?:/\w{1,20}\s{1,3})?remind\s", re.IGNORECASE)
#: Right after one was set.
_UNDO = re.compile(
    r"^(?:please |actually,? |no,? |oh,? |oops,? |ok(?:ay)?,? ){0,2}(?:undo(?: (?:it|that|this))?"
    r"|take (?:it|that|this) back"
    r"|scratch that|cancel (?:it|that)|never ?mind(?: (?:it|that))?|nvm|nm|(?:forget|drop|scrap|ditch) (?:it|that)"
    r"|(?:i )?(?:don'?t|do not|no longer) need (?:it|that|the reminder)(?: any ?more)?|no need|i changed my mind)$"
    r"|^(?:请|还是)?(?:撤销|撤回|取消)(?:它|这个|这条|刚才的|刚才那个|刚才那条)?(?:吧|掉)?$"
    r"|^(?:还是)?(?:算了|不用了|不要了|不必了|不需要了|当我没说)吧?"
    r"(?:[，, ]{0,2}(?:不用了?|不要了|不必了|取消))?吧?$"
)
#: Right after one was set, or those that there are were listed.
_DELETE_IT = re.compile(
    r"^(?:please )?(?:delete|cancel|remove|drop|scrap|get rid of) (?:it|that|this)(?: one)?$"
    r"|^(?:请|麻烦)?(?:把(?:它|这个|这条))?(?:删除|取消|删掉|删了)(?:它|这个|这条)?(?:吧|掉)?$"
)
#: Who asks how it is done, or what something was, wants to be told and not reminded.
_ASKS_HOW = re.compile(
    r"^(?:how|what|why|when|where|who|which|is|are|do|does|did|should|can i|may i|could i)\b"
    r"|\bremind (?:me|us) (?:how|what|when|where|who|why|which|whether|if)\b"
    r"|怎么|如何|怎样|什么是|是什么"
)
#: Without a time of its own, a wish has to say what is to be done.
_TO_DO = re.compile(
    r"\bremind (?:me|us|everyone|everybody|(?:this|the) (?:channel|group|team|room)) (?:to|that|here to)\b"
    r"|\bremind (?:me|us) (?:later|again|soon|sometime)\b"
    r"|\b(?:set(?: up)?|create|add|make|schedule|need|want|like) (?:me |us )?(?:a|an|another) (?:\w{1,12} )?reminder\b"
    r"|提醒(?:一下|下)?(?:我们|我|大家|所有人|各位|本频道|这个频道|团队)|(?:设置?|设定|创建|新建|添加|加|定)一?个?提醒"
)
#: A clause before a wish: what it is about.
_CLAUSE = re.compile(
    r"(?:[,.;，。；–—]|\s-\s|\s(?=so\s))(?:\s|please|pls|so|and|can you|could you|记得|请|麻烦|帮我|到时候?){0,6}$",
    re.IGNORECASE,
)
#: What may stand before a wish.
_PREFACE = re.compile(
    r"\b(?:hi|hello|hey|hiya|yo|oi|btw|sorry|well|actually|just|quick(?: one)?|ok|okay|and|also|then|so|please|pls|desk"
    r"|at|on|by|in|from|now|i'd like|i would like|i want|i need|can|could|would|will|you|to|for"
    r"|someone|anyone|anybody|somebody"
    r"|or so|possibly|perhaps|maybe|be (?:so|very|really)? ?(?:kind|good|nice)(?: as| enough)?"
    r"|(?:it )?(?:would be|be) (?:great|good|nice|lovely|grateful) if"
    r"|don'?t forget|make sure|never forget)\b|@(?=\s)"
    r"|记得|(?:别|不要|可别|切勿)忘[了记]?|一定|务必|(?:之|以)?前|[上下]班[前后]|你好|您好|那么?|也|还|请|麻烦|帮我|在|于|的时候|时|我想|我要|你|您|/|[\s,，:：.。;；!！-]",
    re.IGNORECASE,
)
#: Some time, or the end of something, that no clock knows, before a wish: 改天, 开完会, "sometime".
_SOME_TIME = re.compile(
    r"(?:some ?time|some day|one day|at some point|later(?: on)?|soon)|改天|哪天|有空的?(?:话|时候?)?|回头|过几天"
    r"|过阵子|晚点|晚些时候"
    r"|(?:等|等到)?[^，。？?！!]{0,8}(?:完|结束|下班|散)[了会课班饭后以之的时候]{0,5}(?:再|记得|请|麻烦){0,2}"
    r"|(?:[到至]|每隔?[半一二两三四五六\d]{0,3}个?(?:小时|钟头|分钟)|\s){1,4}",
    re.IGNORECASE,
)
#: What is to be done after something else has happened: "remind me when the meeting ends to send the notes".
_WHEN_TO_DO = re.compile(
    r"\bremind (?:me|us) (?:when|if|once) [^?,]{3,60}"
    r"(?<!have)(?<!has)(?<!had)(?<!need)(?<!needs)(?<!going)(?<!supposed)(?<!want)(?<!wants)(?<!due)(?<!able)"
    r" to [a-z][^?]*$"
)


def talk(clock: Clock, tools: frozenset[str]) -> Talk:
    """Return the talk of the feature. The time matters little here: the tool reads the words again, in the zone."""

    def understand(message: Message, offered: frozenset[str]) -> Reading | None:
        if "set_reminder" not in offered or len(message.text) > _LONGEST:
            return None
        if (changed := _waiting_changed(message, clock)) is not None:
            return changed
        about_one = _answer(message, clock) or _about_one(message, clock) or _undone(message, clock)
        return about_one or _wish(message, clock)

    return Talk(
        tools=tools,
        understand=understand,
        concerns=lambda message: message.memory.last.get("told_reminder", "") != "" or _is_wish(message, clock),
    )


def _waiting_changed(message: Message, clock: Clock) -> Reading | None:
    """Return the change of a reminder that waits for its button: "make it 4", "call it the demo"."""
    turns, core = message.memory.turns, _END.sub("", message.core)
    if not _waits(turns, clock) or calls_off(message.plain) or _is_own_wish(message, clock):
        return None
    step = {"when": message.text, "change": message.text}
    if turns[-1].answered == ASKS_CHANGE:
        again = _changes(core, clock) and not says_only_when(core, now=clock.now().replace(tzinfo=None))
        return Step("set_reminder", step if again else {**step, "change": turns[-1].asked, "answers": [message.text]})
    worded = _worded(message, core, clock)
    if worded is not None:
        return Step("set_reminder", {**step, "text": worded.arguments["text"]}) if worded.arguments else None
    return Step("set_reminder", step) if _changes(core, clock) else None


def _waits(turns: Sequence[Turn], clock: Clock) -> bool:
    """Return whether the exchanges before are about one reminder that waits for its button."""
    if not turns or not (turns[-1].outcome == "needs_approval" or turns[-1].answered == ASKS_CHANGE):
        return False
    for turn in reversed(turns):
        begun = _VERB.match(turn.asked) is not None or _is_wish(read(turn.asked), clock)
        if turn.outcome != "needs_approval" and not turn.answered.startswith(ASKS):
            return False
        if begun or not _changes(_core_of(turn), clock):
            return begun
    return False


def _answer(message: Message, clock: Clock) -> Reading | None:
    """Take a message as the answer to what was asked of a wish before."""
    said = [message.text]
    turns = message.memory.turns
    for turn in reversed(turns):
        if turn.outcome != "asked_back" or not turn.answered.startswith(ASKS):
            break
        said.insert(0, turn.asked)
        if LEAD.search(turn.asked):
            break  # here the wish began
    if len(said) > 1:
        said[0] = wish_of(said[0])  # what was typed as a command is remembered without its verb
    if _asks_until(turns):
        others = calls_off(message.plain) or _is_undone(message) or _is_own_wish(message, clock)
        others = others or _change_named(message, _END.sub("", message.core)) is not None
        if others or any(each.match(_END.sub("", message.core)) for each in (_LIST, _DELETE, _DELETE_IT)):
            return None  # no time
        return Step("snooze_reminder", {"until": message.text, "asked": turns[-1].asked})
    if len(said) == 1 or calls_off(message.plain) or _about_one(message, clock) is not None:
        return None  # about another one, or about none
    if LEAD.match(message.text) and turns and len(message.text) > len(said[-2]) // 2:
        return None  # said again, and better: a wish of its own
    if _is_own_wish(message, clock) or _is_new_matter(message, said, clock):
        return None  # of something else
    return Step("set_reminder", {"when": said[0], "answers": list(said[1:])})


#: The code of the question of what somebody shall be reminded: any words may answer it.
_ASKS_WHAT = "reminder_what"
#: Of whatever it is, whoever begins so asks something: "why do we do that?", 为什么要这样.
_ASKS_BACK = re.compile(r"(?:why|how|who|where) (?:\S+ ){1,}\S|(?:为什么|为啥|怎么|谁|哪里|在哪)\S{2,}")
#: Words that say something, or Chinese characters, from which what says nothing of when is a matter of its own.
_MANY_WORDS, _MANY_CHARACTERS = 2, 5


def _is_new_matter(message: Message, said: Sequence[str], clock: Clock) -> bool:
    """Tell whether the newest words answer no question of when: "my laptop is broken", "what is a day code?"."""
    words = [each for each in content_words(message.text) if message.question or not is_generic(each)]
    many = len(words) >= _MANY_WORDS or chinese_characters(message.plain) >= _MANY_CHARACTERS
    many = many or _ASKS_BACK.match(message.plain) is not None
    if message.memory.turns[-1].answered == _ASKS_WHAT or not many:
        return False
    now = clock.now().replace(tzinfo=None)
    before, after = wish_in(said[:-1], now=now), wish_in(said, now=now)
    alone = plan_in(message.text, now=now).unclear is Unclear.NOTHING
    return alone and (before.plan, before.choices) == (after.plan, after.choices)


def _asks_until(turns: Sequence[Turn]) -> bool:
    """Return whether the desk has just asked for the time that a reminder gets."""
    return bool(turns) and turns[-1].outcome == "asked_back" and turns[-1].answered in (ASKS_UNTIL, ASKS_WHICH)


def _is_own_wish(message: Message, clock: Clock) -> bool:
    """Return whether a message wishes to be reminded of something that it says itself."""
    now = clock.now().replace(tzinfo=None)
    return _is_wish(message, clock) and bool(wish_in((message.text,), now=now).text)


def _is_undone(message: Message) -> bool:
    return bool(UNDO.fullmatch(message.plain) or _UNDO.match(_END.sub("", message.core)))


def speaks_of_reminders(asked: str) -> bool:
    """Return whether what was asked is itself a wish for a reminder, or is said to one."""
    message = read(asked)
    core = _END.sub("", message.core)
    said = (_LIST, _DELETE, _DELETE_IT, _SNOOZE, _PUT_OFF, _NOT_NOW, _DONE, _UNDO, UNDO)
    return LEAD.search(asked) is not None or any(each.match(core) for each in said)


def _about_one(message: Message, clock: Clock) -> Reading | None:
    """Return what shall become of reminders that there are."""
    core, told = _END.sub("", message.core), bool(message.memory.last.get("told_reminder"))
    listed = _is_listed(message)
    sure = told or listed or _is_restored(message)
    spoken_of = sure or _is_spoken_of(message, clock)
    if _LIST.match(core) or asks_after(core):
        return Step("list_reminders")
    if (deleted := _deleted(core, sure=sure, spoken_of=spoken_of)) is not None:
        return deleted
    if spoken_of and (worded := _worded(message, core, clock)) is not None:
        return worded
    named = _change_named(message, core)
    if named := named or named_in(core, spoken_of=spoken_of, known=_known(message), listed=listed):
        return named
    if _SNOOZE.match(core) or (spoken_of and _changes(core, clock)) or (told and _NOT_NOW.match(core)):
        return Step("snooze_reminder", {"until": message.text})
    snoozed = bool(message.memory.turns) and _SNOOZE.match(read(message.memory.turns[-1].asked).core) is not None
    return Step("finish_reminder") if (told or snoozed) and _DONE.match(core) else None


def _known(message: Message) -> bool:
    """Return whether reminders were spoken of in the conversation, or have just been listed."""
    return bool(message.memory.last.get("reminder") or message.memory.last.get("told_reminder")) or _is_listed(message)


def _only_agrees(message: Message) -> bool:
    """Return whether a message says yes or no, and nothing else, where nothing was asked."""
    plain = message.plain
    said = ACCEPTED.match(plain) is not None or REFUSED.fullmatch(plain) is not None
    return said and not is_noted(plain)


def _deleted(core: str, *, sure: bool, spoken_of: bool) -> Step | None:
    """Return that a reminder is deleted: one that is named, or the one that was spoken of."""
    if found := _DELETE.match(core):
        about = next((each for each in found.groups() if each), "")
        return Step("delete_reminder", {"about": _NO_MORE.sub("", about).strip()[:300]})
    meant = (sure or (spoken_of and not _UNDO.match(core))) and _DELETE_IT.match(core)
    return Step("delete_reminder") if meant else None


def _worded(message: Message, core: str, clock: Clock) -> Step | None:
    """Return that a reminder gets other words, or stays as it is: its card comes again, with its buttons."""
    last = message.memory.last
    agreed = last.get("reminder") and not last.get("told_reminder") and message.follows("answered")
    if _STAYS.match(core) or (agreed and _only_agrees(message)):
        return Step("word_reminder")
    found = _WORD.match(core) or _WORD_OR_TIME.match(core)
    if found is None:
        return None
    words = found["text"] or found["zh"]
    if (
        found.re is _WORD_OR_TIME
        and plan_in(words, now=clock.now().replace(tzinfo=None)).unclear is not Unclear.NOTHING
    ):
        return None
    return Step("word_reminder", {"text": as_written(words, message.text)})


def _changes(core: str, clock: Clock) -> bool:
    """Return whether words give the reminder that was spoken of another time or other words, or leave it."""
    others = _PUT_OFF.match(core) or _WORD.match(core) or _STAYS.match(core)
    return others is not None or leaves_out(core) or says_only_when(core, now=clock.now().replace(tzinfo=None))


def _undone(message: Message, clock: Clock) -> Reading | None:
    """Return what "undo that" means right after a reminder was set, or was given another time."""
    if not _is_undone(message):
        return None
    turns = message.memory.turns
    if message.memory.last.get("reminders_deleted") and turns and _has_deleted(turns[-1]):
        return Step("delete_reminder", {"back": True}) if UNDO.fullmatch(message.plain) else None
    while _asks_until(turns):
        turns = turns[:-1]  # whoever is asked for another time and undoes means the reminder
    if _was_just_set(turns, message.memory.last, clock):
        return Step("delete_reminder")
    if message.memory.last.get("reminder_worded"):
        return Step("word_reminder", {"back": True})
    moved = message.memory.last.get("reminder") and _before_moving(message.memory.turns, clock) is not None
    return Step("snooze_reminder", {"until": message.text, "back": True}) if moved else None


def _has_deleted(turn: Turn) -> bool:
    """Return whether an exchange deleted a reminder, or took one back."""
    core = _core_of(turn)
    step = _deleted(core, sure=True, spoken_of=True) or named_in(core, spoken_of=True, known=True, listed=True)
    deleted = step is not None and step.tool == "delete_reminder"
    return deleted or _is_undone(read(turn.asked))


def _change_named(message: Message, core: str) -> Reading | None:
    """Return the change of a reminder that is named by its words: "move the roster reminder to 9:30"."""
    if (found := _CHANGE_NAMED.match(core)) is None:
        return None
    said = {name: value for name, value in found.groupdict().items() if value}
    kind = said.get("kind") or said.get("kind_of") or said.get("kind_zh") or "reminder"
    if not ("reminder" in kind or "提醒" in kind or message.memory.last.get("reminder") or _is_listed(message)):
        return None
    about = next(said[name] for name in ("named", "of", "about", "named_zh") if name in said)
    until = f"{said['verb']} it {said['until']}" if "until" in said else said.get("make") or said["until_zh"]
    return Step("snooze_reminder", {"until": until, "about": about.strip()[:300]})


def _is_listed(message: Message) -> bool:
    """Return whether the exchange before listed the reminders that there are."""
    turns = message.memory.turns
    return bool(turns) and _LIST.match(_core_of(turns[-1])) is not None


def _is_spoken_of(message: Message, clock: Clock) -> bool:
    """Return whether the exchanges before are about one reminder: it was set, and perhaps given other times since."""
    turns: Sequence[Turn] = message.memory.turns
    while turns and not _was_just_set(turns, message.memory.last, clock):
        before = turns[:-1] if _UNDO.match(_core_of(turns[-1])) else _before_moving(turns, clock)
        if before is None:
            break
        turns = before
    last, listed = message.memory.last, 0 < len(turns) < len(message.memory.turns) and _LIST.match(_core_of(turns[-1]))
    return _was_just_set(turns, last, clock) or bool(listed and last.get("reminder"))


def _is_restored(message: Message) -> bool:
    """Return whether the exchange before brought a deleted reminder back."""
    turns = message.memory.turns
    return bool(turns and message.memory.last.get("reminder_restored")) and _is_undone(read(turns[-1].asked))


def _core_of(turn: Turn) -> str:
    return _END.sub("", read(turn.asked).core)


def _before_moving(turns: Sequence[Turn], clock: Clock) -> Sequence[Turn] | None:
    """Return the exchanges before the last, in which a reminder was given another time; None where it was not."""
    if turns and turns[-1].outcome != "asked_back":
        if len(turns) > 1 and turns[-2].outcome == "asked_back" and turns[-2].answered in (ASKS_UNTIL, ASKS_WHICH):
            return turns[:-2]
        if _changes(_core_of(turns[-1]), clock) or skipped_in(_core_of(turns[-1]), spoken_of=True):
            return turns[:-1]
    return None


def _was_just_set(turns: Sequence[Turn], last: Mapping[str, str], clock: Clock) -> bool:
    """Return whether a reminder was set, or answered to be set, in the last of these exchanges."""
    if not turns or not last.get("reminder") or turns[-1].outcome == "asked_back":
        return False
    begun = turns[-1].asked
    for turn in reversed(turns[:-1]):
        if turn.outcome != "asked_back" or not turn.answered.startswith(ASKS):
            break
        begun = turn.asked
    return _VERB.match(begun) is not None or _is_wish(read(wish_of(begun)), clock)


def _wish(message: Message, clock: Clock) -> Reading | None:
    return Step("set_reminder", {"when": message.text}) if _is_wish(message, clock) else None


def _has_own_time(text: str, lead: re.Match[str], clock: Clock) -> bool:
    """Return whether a time stands at a wish itself."""
    plain, today = folded(text), clock.now().date()
    ahead = lead_in(plain)
    at_cue = (each.span for each in clusters_in(plain, today) if each.rank and is_at_cue(each, plain))
    return ahead is not None or any(end >= lead.start() - 2 for _, end in at_cue)


def _is_wish(message: Message, clock: Clock) -> bool:
    return _reads_as_wish(message, respelt(message.text), clock) or _reads_as_wish(
        message, respelt(message.core), clock
    )


def _reads_as_wish(message: Message, text: str, clock: Clock) -> bool:
    """Return whether the words of a message, or those left of it without its courtesies, wish for a reminder."""
    lead = LEAD.search(text)
    if lead is None and not is_of_another(message.core):
        return False
    said = plan_in(text, now=clock.now().replace(tzinfo=None))
    spans, asks = said.spans, _ASKS_HOW.search(message.core)
    # "Remind me when it opens" asks; "remind me when Bob is back at 3pm" is a wish that the clock alone cannot keep.
    on_condition = said.unclear is Unclear.CONDITION or _WHEN_TO_DO.search(message.plain) is not None
    timed = lead is not None and any(start < lead.start() for start, _ in spans) and "?" not in text
    if asks and not (on_condition and asks[0].endswith(("when", "if"))) and not (timed and asks.start() > 0):
        return False
    if lead is None:
        return bool(spans)
    before = "".join(
        " " if any(start <= at < end for start, end in spans) else each for at, each in enumerate(text[: lead.start()])
    )
    if _CLAUSE.search(before) and (_has_own_time(text, lead, clock) or (spans and ends_with(text, lead))):
        return True  # "my dentist is on 14 Dec at 16:30, remind me an hour before"
    # "The client reminds me that …", 系统提醒我…: somebody else's doing.
    preface = "" if on_condition else _PREFACE.sub("", re.sub(r"在\s?#\S{1,40}", "", before))
    preface = "" if _SOME_TIME.fullmatch(preface) else preface
    return not preface and (bool(spans) or on_condition or _TO_DO.search(message.plain) is not None)
