"""The language of a text that does not say it itself: by its script, else by a vote of its common words.

Good for the choice between models and sentence rules, which is what it is used for. Known limits: languages that share
a script and are not listed here (Slovak, Catalan …) give None or a neighbour; a text in two languages gives the one
with more of it in the sample.
"""

import re
from collections import Counter

from glossator.document.scripts import HAN, KANA

_SAMPLE = 20_000  # characters from the beginning, and as many from the middle, where no licence or contents list stands
_ENOUGH = 0.08  # common words are over a quarter of any prose; less than this, and it is another language, or no prose
_LEAD = 1.25
_FEW = 3  # different common words that make a sentence of a language; two may come from anywhere

# Scripts written by one language only, or nearly.
_SCRIPTS = (
    (re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), "el"),
    (re.compile("[\u0590-\u05ff]"), "he"),
    (re.compile("[\u0600-\u06ff\u0750-\u077f]"), "ar"),
    (re.compile("[\u0900-\u097f]"), "hi"),
    (re.compile("[\u0e00-\u0e7f]"), "th"),
    (re.compile("[\u0530-\u058f]"), "hy"),
    (re.compile("[\u10a0-\u10ff]"), "ka"),
)
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}\u31f0-\u31ff\uff66-\uff9d]")
_HANGUL = re.compile("[\u1100-\u11ff\uac00-\ud7af]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LATIN = re.compile("[a-zA-Z\u00c0-\u024f]")
_UKRAINIAN = re.compile("[іїєґ]")
_PERSIAN = re.compile("[پچژگ]")
_WORD = re.compile(r"[^\W\d_]+")
_EAST_ASIAN = ("zh", "ja", "ko")
_HAN_WEIGHT = 3  # one Han character says about as much as three Latin letters

_COMMON = {
    "en": "the of and to in a is that was he it his for with as had you not be on at by she which have from this her",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er",
    "fr": "de la le et les des en un une que est pour qui dans du il sur au pas par plus ne se ce avec elle sont nous",
    "es": "de la que el en y los del se las por un con no una su para es al lo como más pero sus le ya era había",
    "it": "di e il la che in un del per è con non una le si da dei come nel alla più anche gli della ma sono era",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das seu sua ou era",
    "nl": "de het een en van ik te dat die in is niet zijn op aan met als voor had er maar om hem dan zou of wat door",
    "sv": "och att det som en är på i av för med den till inte han var jag om ett har de hade men så från vi kan sig",
    "da": "og i at det en den til er som på de med han af for ikke der var mig sig men et har om vi havde hun nu over",
    "pl": "i w na z się nie że do to jest o jak za od po ale przez co tak był dla czy tylko jego już być go ich",
    "la": "et in est non ad ut cum qui quod sed ex si de per quae esse sunt ab hoc nec atque enim quam autem aut",
    "fi": "ja on ei että se hän oli joka mutta kun niin mitä ole kuin sen minä olen jos myös siitä sitä nyt vain",
    "tr": "ve bir bu da de için ile çok ne ama gibi daha o var ben olarak kadar sonra diye değil mi her en olan",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}


def settle_language(declared: str | None, text: str) -> str | None:
    """Return the language a file names, else the guessed one.

    Where the text is plainly East Asian and the file says otherwise, the text is believed: programs write the language
    of their own menus into Chinese books.
    """
    guessed = guess_language(text)
    if not declared or (guessed in _EAST_ASIAN and declared.partition("-")[0].lower() not in _EAST_ASIAN):
        return guessed
    return declared


def guess_language(text: str) -> str | None:
    """Return the BCP 47 tag of the language that most of `text` seems to be in, or None when nothing is clear."""
    sample = text[:_SAMPLE]
    if len(text) > 3 * _SAMPLE:
        sample += text[len(text) // 2 : len(text) // 2 + _SAMPLE]
    latin = len(_LATIN.findall(sample))
    counts = {tag: len(pattern.findall(sample)) for pattern, tag in _SCRIPTS}
    kana, hangul = len(_KANA.findall(sample)), len(_HANGUL.findall(sample))
    han, cyrillic = len(_HAN.findall(sample)), len(_CYRILLIC.findall(sample))
    counts["east"] = _HAN_WEIGHT * (han + kana + hangul)
    counts["cyrillic"] = cyrillic
    script, count = max(counts.items(), key=lambda item: item[1])
    if not count or count < latin:
        return _by_words(sample)
    if script == "east":
        return _eastern(han, kana, hangul)
    if script == "cyrillic":
        return "uk" if len(_UKRAINIAN.findall(sample.lower())) > cyrillic * 0.02 else "ru"
    if script == "ar" and len(_PERSIAN.findall(sample)) > count * 0.01:
        return "fa"
    return script


def _eastern(han: int, kana: int, hangul: int) -> str:
    if hangul > han:
        return "ko"
    return "ja" if kana > 0.1 * (han + kana) else "zh"


def _by_words(sample: str) -> str | None:
    words = Counter(_WORD.findall(sample.lower()))
    total = sum(words.values())
    votes = sorted(((sum(words[w] for w in common), tag) for tag, common in _WORDS.items()), reverse=True)
    (best, tag), (second, _) = votes[:2]
    different = sum(1 for word in _WORDS[tag] if words[word])
    return tag if different >= _FEW and best >= _ENOUGH * total and best > _LEAD * second else None
