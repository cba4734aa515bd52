"""The only durable queue: what must happen later, once, in order, and survive a crash.

A *work item* has a topic (who handles it), a line (items of one line go one after the other), a key (the same key is
kept once), a priority, an instant before which it stays, and a payload. `work.enqueue` promises it with the caller's
transaction; a `worker.Worker` in any process carries it out after the commit. Inbound events, posts to chats, news of
tickets and the slots of schedules are topics; a row in `schedules` puts an item into the queue when its time has come.

Delivery is at least once. A handler may return an `Ending` whose effects are committed together with the end of the
item, and are not when another worker has taken the item over meanwhile: such effects happen exactly once.

It imports `storage` only and knows no topic. Start reading at `work.py`.
"""
