"""The outer side of the spoiler wall: what an answer says of a document that was not read to its end.

The inner side is the clipped `Reader`: no tool shows what lies past the bound. But a model may know the book. So, under
a bound, of every sentence:

- Names and terms that the reader has not met (`first_seen`) are masked, however they are written.
- A sentence about the document must have a receipt: a citation in the part read, or a passage there that says it. One
  without is withheld, whatever it says. Sentences about something else, and what is said to the reader, pass.

What comes later is not talked about at all: see `declines`. Nothing here tells what was hidden.

Known limit: whether a passage says what a sentence says is judged by their words. A loose paraphrase of the part read
is withheld unless it is cited; a false claim in the words of the part read passes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.agent.marks import MARKER, quotations
from glossator.document.sentence import sentences
from glossator.library.analysis.first_seen import FirstSeen, of_document
from glossator.library.answer import Weight, asked, coverage, is_chinese
from glossator.library.reader import Reader
from glossator.search.query import Query

SUPPORTED, SUPPORTED_CHINESE = 0.62, 0.5  # of a sentence's terms, by their weight, that a passage must hold
CITED = 0.5  # … of a sentence with a receipt, its quotations aside, where it uses words of the part not read
OWN = 0.75  # of a sentence's words that stand in a document, from which it speaks of it if one is first met later
NEAR = 2  # sentences on each side that count as the passage of a sentence
LOOKED_AT = 4  # passages
SHOWN = 0.5  # of a sentence that may be masked before all of it is withheld
MASK = ("[…]", "〔…〕")
WITHHELD = ("[withheld: it may tell what you have not read yet]", "〔可能涉及未读内容，已略去〕")

_LATER = re.compile(
    r"\b(?:plot )?twists?\b|\bspoil(?:er|ers)?\b|\bendings?\b|\bhow (?:does|do|will|did) .{1,60}\bends?\b|"
    r"\bwhat (?:happens|will happen|comes|is going to happen) (?:next|later|at the end|in the end|afterwards)\b|"
    r"\b(?:later|rest of|remainder of|end of|next chapter|coming chapters?)\b.{0,20}\b(?:book|story|novel|chapter)s?\b|"
    r"反转|反轉|逆转|结局|結局|剧透|劇透|大结局|(?:后面|後面|后来|後來|接下来|接下來|后文|後文|下一章|下一回|下文)"
    r".{0,12}(?:吗|嗎|什么|什麼|怎么|怎麼|谁|誰|如何|会|會|\?|？)|最后.{0,12}(?:死|怎么|怎麼|如何|谁|誰|结|吗|嗎)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:he|she|they|him|her|his|hers|them|their)\b|"
    r"\b(?:book|novel|story|tale|author|narrator|protagonist|hero|heroine|villain|murderer|killer|character|chapter|"
    r"ending|twist|plot|finale|climax|epilogue|scene|(?:in|at|by) the end|finally|eventually|later on|at last|"
    r"everyone|everybody|die[sd]?|dead|death|drown(?:s|ed)?|kill(?:s|ed)?|murder(?:s|ed)?|perish(?:es|ed)?|"
    r"surviv(?:es?|ed)|marr(?:y|ies|ied)|betray(?:s|ed|al)?|reveal(?:s|ed)?|turn(?:s|ed)? out)\b",
    re.IGNORECASE,
)
_ABOUT_CHINESE = re.compile(
    "[他她它]|书中|小说|故事|作者|主角|主人公|人物|情节|结局|反转|凶手|反派|这一?章|这一?回|后来|最后|最终|终于|原来|"
    "竟然|其实|死|杀|嫁|娶|背叛|真相|身份"
)
_TO_READER = re.compile(
    r"^\W*(?:I (?:can(?:not|'t|’t)?|could|do(?:n't|n’t| not)|did(?:n't|n’t| not)|found|have|won't|won’t|will not|am|"
    r"only|looked|searched)\b|You (?:have|can|may|might|could|asked|are)\b|So far you\b|Nothing in the\b|"
    r"(?:对不起|抱歉)?[，,]?(?:我(?:不能|无法|不会|没有|没|只能|找|查|在已读)|你(?:已经|目前|还|可以)|您(?:已经|目前|还|可以)|"
    r"未找到|没有找到|在已读|目前读到))"
)


@dataclass(frozen=True, slots=True)
class Held:
    """What became of a sentence: how it is shown, and whether it was withheld as a whole."""

    shown: str
    withheld: bool


class Wall:
    """Holds back what a reader has not met, of the documents that a scope caps."""

    def __init__(self, reader: Reader, *, notice: str | None = None) -> None:
        """Guard what `reader` hides; `notice` says in words how far was read."""
        self._reader = reader
        self._notice = notice
        with reader.database.read():
            self._capped = [(d.key, opened.end) for d in reader.documents() if (opened := reader.open(d.key)).capped]

    @property
    def active(self) -> bool:
        """Return whether anything is hidden at all."""
        return bool(self._capped)

    def declines(self, question: str) -> str | None:
        """Return the answer to a question about what comes later, which is that it is not answered; else None."""
        if not self._capped or not _LATER.search(question):
            return None
        if is_chinese(question):
            return f"我不能透露你还没有读到的内容。{self._bound(chinese=True)}"
        return f"I do not tell what you have not read yet. {self._bound(chinese=False)}".strip()

    def hold(self, sentence: str, *, cited: bool = False) -> Held | None:
        """Return how a sentence must be shown instead, or None when it may stand as it is.

        `cited`: it has a receipt in the scope.
        """
        if not self._capped or not any(c.isalnum() for c in sentence):
            return None
        chinese = is_chinese(sentence)
        with self._reader.database.read():
            spans = self._later(sentence)
            if (spans or cited or self._is_about(sentence)) and not self._is_supported(sentence, cited=cited):
                return Held(WITHHELD[chinese], withheld=True)
        if not spans:
            return None
        if sum(b - a for a, b in spans) > SHOWN * len(sentence.strip()):
            return Held(WITHHELD[chinese], withheld=True)
        return Held(_masked(sentence, spans, MASK[chinese]).rstrip(), withheld=False)

    def masked(self, words: str) -> str:
        """Return words without the names that the reader has not met."""
        if not self._capped:
            return words
        with self._reader.database.read():
            return _masked(words, self._later(words), MASK[is_chinese(words)])

    def closing(self, chinese: bool) -> str:
        """Return the sentence that says that something was withheld, and how far was read."""
        said = (
            "有些内容在你读到的部分之后，已略去。"
            if chinese
            else "Some of the answer was left out: it may tell more than you have read."
        )
        return f"{said}{'' if chinese else ' '}{self._bound(chinese=chinese)}".strip()

    def _bound(self, *, chinese: bool) -> str:
        if self._notice and not chinese:
            return self._notice
        with self._reader.database.read():
            parts = []
            for key, end in self._capped[:3]:
                document = self._reader.open(key).document
                share = 100 * end // max(1, document.characters)
                parts.append(
                    f"《{document.title}》读到 {share}%" if chinese else f"{document.title}: read up to {share}%"
                )
        return f"（{'；'.join(parts)}）" if chinese else f"({'; '.join(parts)})"

    def _later(self, sentence: str) -> list[tuple[int, int]]:
        """Return the spans that name what is first met past a bound, and is met nowhere else in the scope."""
        spans: list[tuple[int, int]] = []
        for key, end in self._capped:
            spans += self._index(key).later(sentence, end)
        apart = [s for s in sorted(set(spans)) if not self._is_known(sentence[s[0] : s[1]])]
        return _merged(apart)

    def _index(self, key: int) -> FirstSeen:
        return of_document(self._reader, key)

    def _is_known(self, words: str) -> bool:
        """Return whether a document that is not capped, or the part read of another, holds the words."""
        if self._reader.scope.documents is not None and len(self._reader.scope.documents) < 2:
            return False
        found = self._reader.search(Query(text=words, phrases=(words,)), k=1, mode="lexical")
        return bool(found.passages)

    def _is_about(self, sentence: str) -> bool:
        """Return whether a sentence speaks of a document rather than to the reader or of something else."""
        if _TO_READER.search(sentence):
            return False
        chinese = is_chinese(sentence)
        if (_ABOUT_CHINESE if chinese else _ABOUT).search(sentence):
            return True
        if all(self._index(key).han != chinese for key, _ in self._capped):
            return True  # names are written otherwise in another script: no index knows them
        return any(
            index.names_something(sentence) or (index.speaks_later(sentence, end) and index.share(sentence) >= OWN)
            for index, end in ((self._index(key), end) for key, end in self._capped)
        )

    def _is_supported(self, sentence: str, *, cited: bool) -> bool:
        """Return whether the words of a sentence stand close together somewhere in the scope; loosely when cited."""
        claim = _claim(sentence)
        terms = asked(claim) if any(c.isalnum() for c in claim) else []
        if not terms or (cited and not any(self._index(key).speaks_later(claim, end) for key, end in self._capped)):
            return True
        weight = self._weight()
        enough = CITED if cited else SUPPORTED_CHINESE if is_chinese(sentence) else SUPPORTED
        found = self._reader.search(Query(text=" ".join(sentence.split())), k=LOOKED_AT, mode="lexical")
        for passage in found.passages:
            text = self._reader.text(passage.document, passage.start, passage.end)
            if any(coverage(terms, window, weight) >= enough for window in _windows(text)):
                return True
        return False

    def _weight(self) -> Weight:
        with self._reader.database.read() as c:
            index = self._reader.means.indexes().snapshot(c, vectors=False).lexical
        return lambda term: index.score_text([term], [term])


def _claim(sentence: str) -> str:
    """Return what a sentence says around its quotations and numbers."""
    for quoted in reversed(quotations(sentence)):
        if not quoted.slight:
            sentence = sentence[: quoted.start] + " " + sentence[quoted.after :]
    return MARKER.sub(" ", sentence)


def _windows(text: str) -> list[str]:
    spans: Sequence[tuple[int, int]] = sentences(text)
    return [
        text[spans[max(0, i - NEAR)][0] : spans[min(len(spans) - 1, i + NEAR)][1]] for i in range(0, len(spans), NEAR)
    ] or [text]


def _masked(text: str, spans: Sequence[tuple[int, int]], mask: str) -> str:
    for start, end in reversed(spans):
        text = text[:start] + mask + text[end:]
    return text


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
