"""Words in the other language: how a text is cut, and what its words are called there."""

from language.synonyms.bilingual import to_chinese, to_english


def test_chinese_is_cut_at_the_longest_words_and_what_is_unknown_stays_together() -> None:
    parts = to_english("年假可以结转到克拉科夫吗")

    assert [part.said for part in parts] == ["年假", "可以", "结转", "到克拉科夫吗"]
    assert "annual leave" in parts[0].others
    assert "carry over" in parts[2].others
    assert parts[3].others == ()


def test_english_phrases_go_before_their_words_in_any_form() -> None:
    parts = to_chinese("are paper jams covered by the health insurances")
    called = {part.said: part.others for part in parts}

    assert "卡纸" in called["paper jams"]
    assert "医疗保险" in called["health insurances"]
    assert called["the"] == ()


def test_both_directions_know_the_same_pairs() -> None:
    for word in ("发票", "宿舍", "会议室", "急救箱", "试用期"):
        (rendered,) = to_english(word)
        assert rendered.others
        assert all(any(word in part.others for part in to_chinese(other)) for other in rendered.others)
