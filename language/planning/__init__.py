"""When something is to happen, as people say it: "tomorrow at 9", "every Monday at 10", 每月最后一个工作日."""
