"""What can go wrong in a run.

AgentError
├── ToolRefused       a tool will not do this; a code for the words
│   └── ToolAsks      … before the person has said something; with choices where there are some
├── ToolTimedOut      a tool did not come back in time; whether it had an effect is not known
├── BrainFailed       a brain gave no usable ending: unreachable, too slow, invalid twice, over budget
├── BrainUnavailable  the named language model cannot be built; says what to install or set
├── RunMovedOn        a run that waited went on elsewhere; nothing of this attempt is kept
├── NotReplayable     a run that an older release kept cannot be gone through again
├── RunNotFound       no such run, or not this actor's to read: the same answer
└── ApprovalNotFound  no such approval, or not this actor's to see: the same answer
"""


class AgentError(Exception):
    """Base of this package's errors."""


class ToolRefused(AgentError):
    """A tool will not do this; raised by handlers, turned into a refusal by the gate."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class ToolAsks(ToolRefused):
    """A tool lacks what only the person can say: they are asked `asked_back.<code>`, with these choices.

    `question` is asked in its place where the words have to name something.
    """

    def __init__(self, code: str, *, question: str = "", options: tuple[str, ...] = ()) -> None:
        super().__init__(code, question)
        self.options = options


class ToolTimedOut(AgentError):
    """A tool did not come back in time; whether it had an effect is not known."""

    def __init__(self, tool: str, *, timeout_s: float) -> None:
        super().__init__(f"{tool} took longer than {timeout_s} s")
        self.tool = tool


class BrainFailed(AgentError):
    """A brain gave no usable ending; the runner goes on with the rules. `away`: it did not answer at all."""

    def __init__(self, code: str, detail: str = "", *, away: bool = False) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.away = away


class BrainUnavailable(AgentError):
    """The named language model cannot be built."""


class RunMovedOn(AgentError):
    """A run that waited went on elsewhere since it was taken up."""


class NotReplayable(AgentError):
    """A run has kept too little to be gone through again."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"{run_id} was kept by an older release, without what it takes to replay it")


class RunNotFound(AgentError):
    """No such run, or not this actor's to read."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"no run {run_id}")
        self.run_id = run_id


class ApprovalNotFound(AgentError):
    """No such approval, or not this actor's to see."""

    def __init__(self, approval_id: str) -> None:
        super().__init__(f"no approval {approval_id}")
        self.approval_id = approval_id
