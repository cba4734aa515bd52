"""Words for manifests in tests."""

from adapters.teams.setup.manifest import Command, ManifestWords

APP_ID = "11112222-3333-4444-5555-666677778888"
URL = "https://desk.example.com"
ENGLISH = ManifestWords(
    short="Answers from your documents.",
    full="Answers from your documents, with sources, and looks after tickets.",
    commands=(Command("help", "What can be said"), Command("ticket list", "Your tickets")),
)
CHINESE = ManifestWords(
    short="根据文档回答。",
    full="根据文档回答并注明出处，还能处理工单。",
    commands=(Command("帮助", "可以说什么"), Command("ticket list", "您的工单")),
)
