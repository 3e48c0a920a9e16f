import pytest

from glossator.parse.language import guess_language, settle_language

SAMPLES = {
    "en": "It was the best of times, it was the worst of times, and that is all there is to be said of it.",
    "de": "Als er eines Morgens aus unruhigen Träumen erwachte, fand er sich in seinem Bett zu einem Tier verwandelt.",
    "fr": "Longtemps, je me suis couché de bonne heure et les yeux se fermaient si vite que je ne le savais pas.",
    "es": "En un lugar de la Mancha, de cuyo nombre no quiero acordarme, no ha mucho tiempo que vivía un hidalgo.",
    "ru": "Все счастливые семьи похожи друг на друга.",
    "uk": "Реве та стогне Дніпр широкий, сердитий вітер завива, додолу верби гне високі, горами хвилю підійма її.",
    "zh": "话说天下大势，分久必合，合久必分。ABC and some English words.",
    "ja": "吾輩は猫である。名前はまだ無い。",
    "ko": "모든 행복한 가정은 서로 닮았다.",
    "el": "Η ζωή είναι ωραία",
    "fa": "این یک متن فارسی است که چند واژه دارد و گاهی پژوهش می‌شود",
}


@pytest.mark.parametrize("tag", SAMPLES)
def test_a_language_is_told_by_script_or_common_words(tag: str) -> None:
    assert guess_language(SAMPLES[tag]) == tag


@pytest.mark.parametrize(
    "text", ["", "12 34 56", "Lorem ipsum dolor sit amet consectetur adipiscing elit", "def f(x): pass"]
)
def test_what_is_not_clear_is_not_guessed(text: str) -> None:
    assert guess_language(text) is None


def test_a_contents_list_in_another_language_does_not_decide() -> None:
    licence = "This is the licence of the text and it is in English as you can see. " * 100
    assert guess_language(licence + SAMPLES["de"] * 2000) == "de"


def test_a_chinese_text_that_claims_to_be_english_is_chinese_and_a_german_claim_is_kept() -> None:
    assert settle_language("en", "道可道，非常道。名可名，非常名。" * 20) == "zh"
    assert settle_language("ja-JP", "道可道，非常道。名可名，非常名。" * 20) == "ja-JP"
    assert settle_language("de", "The house and the garden of the old man. " * 20) == "de"
    assert settle_language(None, "The house and the garden of the old man. " * 20) == "en"
