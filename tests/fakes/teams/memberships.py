"""Who is in a conversation, as the connector tells it."""

from collections.abc import Mapping

from tests.fakes.teams.errors import bad
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Conversation, Json, User

#: How many people a page may be asked to hold.
SMALLEST_PAGE, LARGEST_PAGE = 50, 500


def user(organisation: Organisation, member_id: str) -> User | None:
    """Return a person by either id, None for a stranger."""
    if member_id in organisation.users:
        return organisation.users[member_id]
    known = (each for each in organisation.users.values() if each.aad_object_id)
    return next((each for each in known if each.aad_object_id == member_id.casefold()), None)


def people(organisation: Organisation, conversation: Conversation) -> list[User]:
    """Return everybody in a conversation."""
    return [organisation.users[each] for each in conversation.members]


def member(organisation: Organisation, user: User) -> Json:
    """Return a person as the connector describes them; what is not known of somebody is left out."""
    given, _, surname = user.name.partition(" ")
    known = {
        "id": user.id,
        "name": user.name,
        "givenName": given,
        "surname": surname,
        "objectId": user.aad_object_id,
        "aadObjectId": user.aad_object_id,
        "email": user.email,
        "userPrincipalName": user.upn,
        "tenantId": user.tenant_id or organisation.tenant.id,
        "userRole": user.user_role,
    }
    return {name: value for name, value in known.items() if value}


def page(organisation: Organisation, conversation: Conversation, query: Mapping[str, str]) -> Json:
    """Return a page of people and where the next one begins."""
    everybody = people(organisation, conversation)
    token, size = query.get("continuationToken", ""), query.get("pageSize", "")
    begin = organisation.pages.get(token, 0)
    if (token and token not in organisation.pages) or (size and not size.isdecimal()):
        raise bad("Invalid continuation token or page size")
    end = begin + min(max(int(size or LARGEST_PAGE), SMALLEST_PAGE), organisation.largest_page)
    answer: Json = {"members": [member(organisation, each) for each in everybody[begin:end]]}
    if end < len(everybody):
        following = organisation.new_guid()
        organisation.pages[following] = end
        answer["continuationToken"] = following
    return answer
