"""Answers without a language model: the document's own sentences, chosen by relevance. Pure; retrieval is elsewhere.

A sentence scores by the share of the question's words it holds (each weighed by its rarity in the library), by its
similarity to the question where an embedder is at hand, and by the rank of its passage. The answer abstains when the
best passage holds too little of the question: see `relevant`. `benchmarks/answers.py` measures both.

Known limit: an answer is found, not composed. A question about the whole of a book, or one whose answer must be put
together from several places, gets the sentences nearest to it. A question about something the documents talk about
without answering it is not told from one they answer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from glossator.document.scripts import HAN, KANA
from glossator.index.tokens import ASIDE, query_tokens, tokens

MOST = 5  # sentences of an answer
USUAL = 3  # unless the best ones are all but equal
KEEPS = 0.62  # of the best score, for a further sentence
ALIKE = 0.7  # share of common terms from which two sentences say the same
WORDS, MEANING, PASSAGE = 0.5, 0.4, 0.1  # what a sentence's score is made of
WORDS_ALONE = 0.9  # … without an embedder, beside PASSAGE
LIMITS, CHINESE_LIMITS = (0.42, 0.95), (0.27, 0.8)  # of words alone, of words with standing
STANDING = 0.15  # what a standard deviation counts
SHORTEST = 12  # characters of a sentence that can answer; a Chinese one counts double

Weight = Callable[[str], float]

# Words of Chinese questions that say nothing of their subject; English ones are stop words of the index.
_ASKING = re.compile(
    "请问|请告诉我|为什么|为何|什么时候|什么|怎么样|怎么|怎样|如何|哪里|哪儿|哪一个|哪个|哪些|哪一|哪位|哪|"
    "多少|多久|多长|几个|是否|有没有|是不是|谁|吗|呢|吧|啊|？|\\?"
)
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that may answer: `[start, end)` of a document (its key), from the passage of rank `passage`."""

    document: int
    start: int
    end: int
    text: str
    passage: int
    similarity: float | None = None  # to the question, from 0 (least of its embedder's sentences) to 1; None: unknown


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence of the answer, and its score."""

    sentence: Sentence
    score: float


def asked(question: str) -> list[str]:
    """Return the terms of a question that say what it is about."""
    bare = _ASKING.sub(" ", question)
    terms = [t for t in query_tokens(bare) if not t.startswith(ASIDE)]
    return list(dict.fromkeys(terms or query_tokens(question)))


def is_chinese(text: str) -> bool:
    """Return whether a question is to be answered in Chinese."""
    return bool(_HAN.search(text)) and not _KANA.search(text)


def coverage(terms: Sequence[str], text: str, weight: Weight) -> float:
    """Return the share of `terms`, by weight, that stand in a text: 0 to 1."""
    total = sum(weight(t) for t in terms)
    there = set(tokens(text))
    return sum(weight(t) for t in terms if t in there) / total if total else 0.0


def relevant(question: str, words: float, standing: float | None) -> bool:
    """Return whether what was found is worth quoting.

    `words` is the largest share of the question's terms that one passage holds. `standing` is by how many standard
    deviations the passage nearest in meaning stands out among all passages in scope; None where there are too few of
    them, or no vectors. The limits were set on questions about other documents: see `benchmarks/answers.py`. Those of
    Chinese are lower: its terms are pairs of characters, and a pair across two words is found in no other wording.
    """
    alone, together = CHINESE_LIMITS if is_chinese(question) else LIMITS
    return words >= alone if standing is None else words + STANDING * standing >= together


def choose(question: str, sentences: Sequence[Sentence], weight: Weight) -> list[Chosen]:
    """Return one to five sentences, best first; none when there are none to choose from."""
    chosen: list[Chosen] = []
    for candidate in ranked(question, sentences, weight):
        if len(chosen) == MOST or (chosen and candidate.score < _least(chosen)):
            break
        if not any(_alike(candidate.sentence, c.sentence) for c in chosen):
            chosen.append(candidate)
    return chosen


def ranked(question: str, sentences: Sequence[Sentence], weight: Weight) -> list[Chosen]:
    """Return the sentences that are long enough to answer, by how likely they do."""
    terms = asked(question)
    scored = [Chosen(s, score) for s, score in zip(sentences, _scores(terms, sentences, weight), strict=True)]
    return sorted(
        (c for c in scored if _length(c.sentence.text) >= SHORTEST),
        key=lambda c: (-c.score, c.sentence.passage, c.sentence.start),
    )


def _least(chosen: Sequence[Chosen]) -> float:
    """Return what a further sentence must score: more, once there are as many as usual."""
    return chosen[0].score * (KEEPS if len(chosen) < USUAL else (1 + KEEPS) / 2)


def _scores(terms: Sequence[str], sentences: Sequence[Sentence], weight: Weight) -> list[float]:
    scores = []
    for sentence in sentences:
        words, meaning = coverage(terms, sentence.text, weight), sentence.similarity
        prior = PASSAGE / (1 + sentence.passage)
        scores.append(prior + (WORDS_ALONE * words if meaning is None else WORDS * words + MEANING * meaning))
    return scores


def scaled(values: Sequence[float]) -> list[float]:
    """Return values between 0 and 1, so that a model with squeezed scores counts like another."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(v - low) / (high - low) if high > low else 1.0 for v in values]


def _alike(a: Sentence, b: Sentence) -> bool:
    if a.document == b.document and a.start < b.end and b.start < a.end:
        return True
    first, second = set(tokens(a.text)), set(tokens(b.text))
    return len(first & second) >= ALIKE * min(len(first), len(second)) if first and second else False


def _length(text: str) -> int:
    return len(text) + len(_HAN.findall(text))


# --- the words around the sentences


def told(question: str, quotations: Sequence[tuple[str, str]]) -> str:
    """Return the answer as text: each (title, sentence) quoted with its number, under the title where that changes.

    Quotation marks stand around quotations only, so that `verify` can check the text.
    """
    chinese = is_chinese(question)
    lines: list[str] = []
    before = None
    for n, (title, sentence) in enumerate(quotations, 1):
        if title != before:
            lines.append(f"《{title}》写道：" if chinese else f"From {title}:")
            before = title
        quoted = sentence if sentence[0] in "“「" and sentence[-1] in "”」" else f"“{sentence}”"
        lines.append(f"{quoted} [{n}]")
    return "\n\n".join(lines)


def declined(question: str, notice: str | None) -> str:
    """Return what is said when nothing relevant was found; `notice` is what was hidden from the search."""
    if is_chinese(question):
        words = "在可以查阅的文档里，没有找到能回答这个问题的内容。"
    else:
        words = "Nothing in the documents that may be searched answers this."
    return f"{words}\n\n{notice}" if notice else words
