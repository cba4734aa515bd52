"""Who is in a conversation."""

from tests.fakes.teams_api.conftest import House, refused


async def test_a_member_is_known_by_both_ids(house: House) -> None:
    for known_as in (house.ann.id, house.ann.aad_object_id):
        answer = await house.call("GET", f"/{house.help.id}/members/{known_as}")

        assert answer.json() == {
            "id": house.ann.id,
            "name": "Ann Archer",
            "givenName": "Ann",
            "surname": "Archer",
            "objectId": house.ann.aad_object_id,
            "aadObjectId": house.ann.aad_object_id,
            "email": "ann.archer@harbour.example",
            "userPrincipalName": "ann.archer@harbour.example",
            "tenantId": house.organisation.tenant.id,
            "userRole": "user",
        }


async def test_guests_and_people_without_an_account_are_marked(house: House) -> None:
    add = house.organisation.add_user
    gus = add("Gus", user_role="guest", upn="gus_elsewhere.example#EXT#@harbour.example")
    amy = add("Amy", user_role="anonymous", aad_object_id="", email="", upn="")
    group = house.organisation.add_group_chat((house.ann, gus, amy))
    told = (await house.call("GET", f"/{group.id}/members")).json()

    assert [each["userRole"] for each in told] == ["user", "guest", "anonymous"]
    assert "#EXT#" in told[1]["userPrincipalName"]
    assert not {"aadObjectId", "email", "userPrincipalName"} & set(told[2])


async def test_nobody_is_a_member_of_a_place_where_they_are_not(house: House) -> None:
    for member in (house.ben.id, "29:nobody"):
        answer = await house.call("GET", f"/{house.chat.id}/members/{member}")
        assert refused(answer) == (404, "MemberNotFoundInConversation")


async def test_people_come_in_pages(house: House) -> None:
    crowd = tuple(house.organisation.add_user(f"Mate {number}") for number in range(5))
    group = house.organisation.add_group_chat(crowd)
    house.organisation.largest_page = 2
    path, names = f"/{group.id}/pagedmembers?pageSize=100", []
    answer = (await house.call("GET", path)).json()
    while "continuationToken" in answer:
        names += [each["name"] for each in answer["members"]]
        answer = (await house.call("GET", f"{path}&continuationToken={answer['continuationToken']}")).json()
    names += [each["name"] for each in answer["members"]]

    assert names == [f"Mate {number}" for number in range(5)]
    assert refused(await house.call("GET", f"{path}&continuationToken=17")) == (400, "BadArgument")


async def test_the_readers_of_a_message(house: House) -> None:
    said = await house.post(house.help.id)
    answer = await house.call("GET", f"/{house.thread(said)}/activities/{said.id}/members")

    assert [each["id"] for each in answer.json()] == [house.ann.id, house.ben.id]
