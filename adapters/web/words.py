"""The few words that the browser chat itself says; they arrive finished, in the reader's language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WebWords:
    """One language's words. `bot/server` fills them from the texts under `web.<field>`."""

    desk: str
    you: str
    source: str
    edited: str
    optional: str
    choose: str
    close: str
    thinking: str
    sending: str
    not_sent: str
    retry: str
    reconnecting: str
    copy_code: str
    code_copied: str
    numbers: str  # what opens the numbers of a chart
    remove: str  # the button at a person's message
    remove_answer: str  # the same at the answer to it
    remove_title: str
    remove_text: str  # what goes and what stays
    remove_now: str
    keep: str
    removing: str
    removed: str
    removed_answer: str
    send_reason: str
    reason_sent: str
    signed_out: str
    refused: str
    malformed: str
    too_large: str
    file_too_large: str  # with `{limit}`, in MB
    too_many_files: str
    take_off: str
    uploading: str
    too_many: str
    unavailable: str
