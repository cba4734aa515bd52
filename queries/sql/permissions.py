"""Who may ask databases, and who looks after them. Which rows somebody reads is the catalogue's business."""

from identity.permissions import FeaturePermission

ASK = FeaturePermission("data:ask", meaning="ask databases for numbers", roles=("staff",))
MANAGE = FeaturePermission("data:manage", meaning="see what databases can do and how the guard decides", roles=())
