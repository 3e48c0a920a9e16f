"""Names in languages that write them with a capital letter.

A word is part of a name when, inside sentences, it is mostly capitalised; the beginning of a sentence proves nothing.
Words of a name that follow one another are one name, also over "of" and the like; shorter forms join the fullest one
that they can only mean. Whether a name is a person's or a place's is told by titles, verbs of speaking and
prepositions around it.

Known limit: German nouns are all capitalised, so there every noun counts; a first name shared by two persons counts
for both as a name of its own.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from glossator.library.analysis.common import is_common
from glossator.library.analysis.names import Kind, Name, Piece

# fmt: off
TITLES = frozenset((
    "mr", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "sir", "lord", "lady", "madam", "madame", "mme",
    "mademoiselle", "monsieur", "captain", "capt", "colonel", "col", "major", "general", "gen", "lieutenant", "lt",
    "sergeant", "inspector", "king", "queen", "prince", "princess", "duke", "duchess", "count", "countess", "baron",
    "saint", "st", "uncle", "aunt", "father", "mother", "brother", "sister", "reverend", "rev", "judge", "emperor",
))
_ABBREVIATED = frozenset(("mr", "mrs", "ms", "dr", "prof", "capt", "col", "gen", "lt", "st", "rev", "mme"))
_SPEAKING = (
    "said|says|asked|asks|cried|cries|replied|answered|whispered|shouted|called|exclaimed|murmured|muttered|remarked|"
    "added|began|continued|thought|told|laughed|smiled|sighed|nodded|answers|observed|explained|demanded|gasped|"
    "grunted|growled|snapped|screamed|sobbed|declared|went|looked|turned|stood|sat|felt|knew|wanted|saw|came|took"
)
# fmt: on
WORD = re.compile(r"[^\W\d_]+(?:[’'\-][^\W\d_]+)*")
_OPENING = " \t\n“‘\"'([«„—–-*_"
_ENDING = '.!?…:;”"»'
_JOINING = re.compile(r" |-| (?:of|of the|de|de la|del|von|van|van der|du|la|le|di|al|bin|ibn) ")
_CONNECTED = re.compile(r" (?:of|of the) ")
_GENITIVE = re.compile(r"[’'][sS]?\Z")
_SPOKE = re.compile(rf"\W{{0,3}}(?:{_SPEAKING})\b")
_SPEAKS = re.compile(r"\b(?:said|asked|cried|replied|answered|whispered|shouted|exclaimed|returned)\s(?:the\s)?\Z")
_ACTED = re.compile(
    r" (?:had|has|would|could|did|never|always|only|herself|himself)\b|[’']s (?:face|eyes|hand|voice|head)"
)
_THE = re.compile(r"\b[Tt]he\s\Z")
_WHERE = re.compile(
    r"\b(?:in|at|from|to|into|near|through|across|towards?|around|round|beyond|outside|inside|leave|left|reach|"
    r"reached|visit|visited)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
_NOT_NAMES = frozenset(
    (
        "i",
        "i'm",
        "i'll",
        "i'd",
        "i've",
        "oh",
        "ah",
        "o",
        "yes",
        "no",
        "well",
        "ha",
        "alas",
        "ay",
        "hullo",
        "hello",
        "chapter",
        "part",
        "book",
        "section",
        "figure",
        "table",
        "note",
        "ii",
        "iii",
        "iv",
        "vi",
        "vii",
        "viii",
        "ix",
        "xi",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "april",
        "june",
        "hundred",
        "thousand",
        "million",
        "three",
        "seven",
        "eight",
        "nevertheless",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "christmas",
        "god",
        "heaven",
    )
)
_EDGE = 24  # characters around a name that tell its kind
_DOMINATES = 0.6  # of the fuller names that a short form may mean


@dataclass(frozen=True, slots=True)
class _Token:
    """A capitalised word, its genitive cut off."""

    start: int
    end: int
    word: str  # folded
    first: bool  # at the beginning of a sentence


@dataclass(slots=True)
class _Words:
    """How often each word was met: small, capitalised inside a sentence, capitalised at its beginning."""

    small: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)

    def is_name(self, word: str) -> bool:
        if word in _NOT_NAMES or word in TITLES or len(word) == 1:
            return False
        small, inside, first = self.small[word], self.inside[word], self.first[word]
        if inside:
            return inside >= small
        return not small and first > 1 and not is_common(word)

    def may_be_name(self, word: str) -> bool:
        if word in TITLES:
            return self.inside[word] > 0 and self.inside[word] >= self.small[word]
        return self.is_name(word) or not (self.small[word] or word in _NOT_NAMES or is_common(word))


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive words of a name at `[start, end)` of the document, its title apart."""

    start: int
    end: int
    text: str
    title: str
    evidence: str  # "person", "subject", "place" or nothing


def names(pieces: Sequence[Piece]) -> list[Name]:
    """Return the names of a text in no particular order."""
    words, capitals = _counted(pieces)
    runs = [run for tokens, piece in zip(capitals, pieces, strict=True) for run in _runs(tokens, piece, words)]
    return [_name(forms) for forms in _grouped(runs)]


def named_words(pieces: Sequence[Piece]) -> dict[str, int]:
    """Return every word, folded, that is or may be part of a name, and where it is first met.

    Broader than `names`: titles count, and what is met only at the beginning of sentences, unless it is a common word.
    """
    words, capitals = _counted(pieces)
    first: dict[str, int] = {}
    for tokens, (offset, _) in zip(capitals, pieces, strict=True):
        for token in tokens:
            if words.may_be_name(token.word):
                first.setdefault(token.word, offset + token.start)
    return first


def named_phrases(pieces: Sequence[Piece]) -> dict[str, int]:
    """Return every name of several words, folded, titles included, and where it is first met."""
    words, capitals = _counted(pieces)
    first: dict[str, int] = {}
    for tokens, (offset, text) in zip(capitals, pieces, strict=True):
        for a, b in pairwise(tokens):
            if not b.first and text[a.end : b.start] == " " and a.word not in _NOT_NAMES and not _ordinary(a, words):
                first.setdefault(f"{a.word} {b.word}", offset + a.start)
    return first


def _ordinary(token: _Token, words: _Words) -> bool:
    """Tell whether a capital is only that of a sentence's beginning."""
    return token.first and words.small[token.word] > 0


def fold_word(word: str) -> str:
    """Return a word without its genitive, in small letters: how `named_words` names it."""
    return _GENITIVE.sub("", word).casefold().replace("’", "'")


# --- words and runs of them


def _counted(pieces: Sequence[Piece]) -> tuple[_Words, list[list[_Token]]]:
    words = _Words()
    capitals: list[list[_Token]] = []
    for _, text in pieces:
        found: list[_Token] = []
        for match in WORD.finditer(text):
            word = match[0]
            if word[0].islower():
                words.small[fold_word(word)] += 1
            elif word[0].isupper():
                bare = _GENITIVE.sub("", word)
                begins = _begins(text, match.start(), found)
                token = _Token(match.start(), match.start() + len(bare), fold_word(word), begins)
                (words.first if begins else words.inside)[token.word] += 1
                found.append(token)
        capitals.append(found)
    return words, capitals


def _begins(text: str, at: int, before: Sequence[_Token]) -> bool:
    """Tell whether a word begins a sentence or a speech."""
    i = at - 1
    while i >= 0 and text[i] in _OPENING:
        if text[i] in '“"«„‘*_\n':
            return True
        i -= 1
    if i < 0:
        return True
    if text[i] != ".":
        return text[i] in _ENDING
    return not (before and before[-1].end == i and (before[-1].word in _ABBREVIATED or i - before[-1].start == 1))


def _runs(tokens: Sequence[_Token], piece: Piece, words: _Words) -> Iterator[_Run]:
    """Yield runs of capitalised words of which one is a name; words that begin a sentence count only as names."""
    text = piece[1]
    named = [words.is_name(t.word) for t in tokens]
    usable = [
        n or not (t.first or t.word in _NOT_NAMES or len(t.word) == 1) for n, t in zip(named, tokens, strict=True)
    ]
    at = 0
    while at < len(tokens):
        first = at
        title = tokens[at].word in TITLES and at + 1 < len(tokens) and _titles(text, tokens[at], tokens[at + 1])
        first += bool(title)
        end = first
        while end < len(tokens) and usable[end] and (end == first or _joined(text, tokens[end - 1], tokens[end])):
            end += 1
        if any(named[first:end]):
            yield _run(piece, tokens[at:end], bool(title))
        at = max(end, at + 1)


def _titles(text: str, title: _Token, name: _Token) -> bool:
    return text[title.end : name.start] in (" ", ". ")


def _joined(text: str, a: _Token, b: _Token) -> bool:
    return not b.first and bool(_JOINING.fullmatch(text[a.end : b.start]))


def _run(piece: Piece, tokens: Sequence[_Token], titled: bool) -> _Run:
    offset, text = piece
    first, last = tokens[int(titled)], tokens[-1]
    title = " ".join(text[tokens[0].start : first.start].split()) if titled else ""
    before, after = text[max(0, first.start - _EDGE) : first.start], text[last.end : last.end + _EDGE]
    evidence = "subject" if _ACTED.match(after) and not _THE.search(before) else ""
    if title or _SPOKE.match(after) or _SPEAKS.search(before):
        evidence = "person"
    elif _WHERE.search(before):
        evidence = "place"
    start = offset + (tokens[0].start if titled else first.start)
    words = " ".join(text[first.start : last.end].split())
    return _Run(start, offset + last.end, words, title, evidence)


# --- forms of one name


def _grouped(runs: Sequence[_Run]) -> list[list[_Run]]:
    """Return the runs by name: a short form goes to the one fuller name that it mostly means."""
    by_form: defaultdict[str, list[_Run]] = defaultdict(list)
    for run in runs:
        by_form[run.text.casefold()].append(run)
    target = {form: _fuller(form, by_form) for form in by_form}
    groups: defaultdict[str, list[_Run]] = defaultdict(list)
    for form, found in by_form.items():
        last, seen = form, {form}
        while target[last] not in seen:
            last = target[last]
            seen.add(last)
        groups[last].extend(found)
    return [sorted(group, key=lambda r: r.start) for group in groups.values()]


def _fuller(form: str, by_form: Mapping[str, Sequence[_Run]]) -> str:
    """Return the fuller name that a form belongs to, or the form itself."""
    singular = form[:-1] if form.endswith("s") else form
    if singular != form and singular in by_form:
        return singular if len(by_form[singular]) >= len(by_form[form]) else form
    if form + "s" in by_form and len(by_form[form + "s"]) > len(by_form[form]):
        return form + "s"
    longer = {
        f: len(found)
        for f, found in by_form.items()
        if len(f) > len(form) and (f.endswith(" " + form) or (f.startswith(form + " ") and _is_given(form, found)))
        if len(found) > 1 or (found[0].title and f.endswith(" " + form))
        if not _CONNECTED.search(f)
    }
    if not longer:
        return form
    best = max(longer, key=lambda f: longer[f])
    return best if longer[best] >= _DOMINATES * sum(longer.values()) else form


def _is_given(form: str, fuller: Sequence[_Run]) -> bool:
    """Tell whether a form that begins a fuller name may be a person's first name."""
    return " " not in form and any(run.evidence in ("person", "subject") for run in fuller)


def _name(group: Sequence[_Run]) -> Name:
    forms = Counter(run.text for run in group)
    most = max(forms.values())
    titled = {run.text for run in group if run.title}
    fullest = max(
        (f for f, n in forms.items() if n > 1 or n == most or f in titled), key=lambda f: (len(f.split()), forms[f], f)
    )
    titles = Counter(run.title for run in group if run.text == fullest)
    title, _ = titles.most_common(1)[0]
    if fullest.isupper() and len(fullest) > 4:
        fullest = fullest.title()
    shown = f"{title} {fullest}" if title else fullest
    spellings = Counter(f"{r.title} {r.text}".strip() for r in group)
    return Name(
        shown, _kind(group), tuple((r.start, r.end) for r in group), tuple(f for f, _ in spellings.most_common())
    )


def _kind(group: Sequence[_Run]) -> Kind:
    evidence = Counter(run.evidence for run in group)
    if evidence["subject"] > 1 and evidence["subject"] > evidence["place"]:
        return "person"
    if evidence["person"] >= max(1, 0.04 * len(group)) and evidence["person"] * 3 >= evidence["place"]:
        return "person"
    return "place" if evidence["place"] >= 0.4 * len(group) and evidence["place"] > 1 else "name"
