"""Exact BM25 over segments of postings, in memory, pruned by MaxScore.

BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf that is
never negative; K1 and B are Anserini's defaults. MaxScore (Turtle and Flood 1995; here term at a time): terms are read
from the heaviest on, and once those left cannot lift an unseen chunk into the best k, only chunks already seen are
looked up. Ranges are applied inside the scan; statistics count the chunks that are there, not the deleted ones.

Deleted chunks of a merged segment are known by `live`. Limit: all postings searched are in memory (about 110 MB for
100,000 chunks).
"""

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from glossator.index.ranges import Ids, Mask, Range, distinct, mask_of, top
from glossator.index.segment import LONGEST, MOST_TIMES, Segment, build, load, merge, term_hash
from glossator.index.tokens import ASIDE, TOKENIZER, counted, query_tokens, tokens

__all__ = ["ASIDE", "TOKENIZER", "Index", "Segment", "build", "load", "merge", "query_tokens", "tokens"]

K1, B = 0.9, 0.4
LONG = 20_000  # postings of a term worth a check whether the set of candidates is closed
Scores = npt.NDArray[np.float32]
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class _Term:
    weight: float  # the most it can add to a score
    documents: int
    hits: tuple[tuple[int, int, int], ...]  # segment, start, stop


@dataclass(slots=True)
class _Scan:
    """One search under way: what may be found, the scores so far, and the chunks touched."""

    span: Range
    allowed: Mask | None
    scores: Scores
    k: int
    touched: list[Ids]


class Index:
    """Segments ready to be searched. Never changes once made; may be shared between threads."""

    def __init__(self, segments: Iterable[Segment], live: Mask | None = None) -> None:
        """Take segments in any order, and a bool for every chunk id that says whether it is there; None: all are."""
        self.segments = tuple(sorted(segments, key=lambda s: s.first))
        self.end = max((s.end for s in self.segments), default=0)
        self.live = None if live is None else _reaching(live, self.end)
        there = [self._there(s) for s in self.segments]
        self._whole = [bool(t[s.length > 0].all()) for s, t in zip(self.segments, there, strict=True)]
        lengths = [s.length[t] for s, t in zip(self.segments, there, strict=True)]
        self.chunks = sum(map(len, lengths))
        self.average = sum(float(n.sum(dtype=np.int64)) for n in lengths) / max(1, self.chunks)
        self._norms = np.zeros(self.end, np.float32)  # by chunk id
        for s in self.segments:
            self._norms[s.first : s.end] = _norm(s.length, self.average)
        self._scratch = threading.local()

    def search(self, query: Sequence[str], k: int, ranges: Sequence[Range] | None = None) -> tuple[Ids, Scores]:
        """Return ids and scores of the best `k` chunks in `ranges` (None: everywhere), best first.

        `query` are `query_tokens`; a term that is asked twice weighs twice. Ranges ascend and do not touch. Chunks that
        hold none of the terms are not found.
        """
        if (ranges is not None and not ranges) or not self.segments or k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        span = (0, self.end) if ranges is None else (ranges[0][0], ranges[-1][1])
        scan = _Scan(span, self._allowed(ranges), self._accumulator(), k, [])
        try:
            found = self._scored(self._weighed(query), scan)
            return top(found, scan.scores[found], k)
        finally:
            self._clear(scan)

    def score_text(self, terms: Sequence[str], query: Sequence[str]) -> float:
        """Return the score of a chunk with these `tokens`: for the visible part of one that a bound cuts."""
        counts = Counter(terms)
        length = np.array([min(max(counted(list(terms)), 1), LONGEST)], np.uint16)
        norm = float(_norm(length, self.average)[0])
        asked = {term: n for term, n in Counter(query).items() if counts[term]}
        total = 0.0
        for (term, n), places in zip(asked.items(), self._hits([term_hash(t) for t in asked]), strict=True):
            times = min(counts[term], MOST_TIMES)
            total += n * self._idf(sum(self._count(*hit) for hit in places)) * (K1 + 1) * times / (times + norm)
        return total

    def _idf(self, documents: int) -> float:
        return float(np.log1p((self.chunks - documents + 0.5) / (documents + 0.5)))

    def _weighed(self, query: Sequence[str]) -> list[_Term]:
        """The terms of a query that occur, heaviest first."""
        asked = Counter(query)
        hits = self._hits([term_hash(term) for term in asked])
        weighed = []
        for places, times in zip(hits, asked.values(), strict=True):
            documents = sum(self._count(*hit) for hit in places)
            if documents:
                weighed.append(_Term(times * self._idf(documents) * (K1 + 1), documents, tuple(places)))
        return sorted(weighed, key=lambda t: -t.weight)

    def _hits(self, keys: Sequence[int]) -> list[list[tuple[int, int, int]]]:
        """For each term the segments that hold it, each with where its postings begin and end."""
        found: list[list[tuple[int, int, int]]] = [[] for _ in keys]
        wanted = np.array(keys, np.uint64)
        for n, segment in enumerate(self.segments):
            for term, start, stop in segment.find(wanted):
                found[term].append((n, start, stop))
        return found

    def _count(self, n: int, start: int, stop: int) -> int:
        if self._whole[n] or self.live is None:
            return stop - start
        segment = self.segments[n]
        return int(np.count_nonzero(self.live[segment.first : segment.end][segment.local[start:stop]]))

    def _scored(self, terms: Sequence[_Term], scan: _Scan) -> Ids:
        """Fill the scores; return the ids that can be among the best."""
        rest = [*np.cumsum([t.weight for t in terms[::-1]])[::-1], 0.0]  # the most that the terms from i on can add
        candidates: Ids | None = None
        for i, term in enumerate(terms):
            if candidates is None and scan.touched and (rest[i] < terms[0].weight or term.documents > LONG):
                candidates = self._closed(float(rest[i]), scan)
            ids, times = self._postings(term, candidates, scan)
            if candidates is None:
                scan.touched.append(ids)  # before the scores, so that an interrupted search is cleared, too
            scan.scores[ids] += np.float32(term.weight) * times / (times + self._norms[ids])
        return self._seen(scan) if candidates is None else candidates

    def _postings(self, term: _Term, candidates: Ids | None, scan: _Scan) -> tuple[Ids, Scores]:
        """The chunks in scope that hold a term, ascending, and how often; of `candidates` only, if they are known."""
        few = candidates is not None and len(candidates) * 16 < term.documents
        parts: list[Ids] = []
        times: list[npt.NDArray[np.uint8]] = []
        for n, start, stop in term.hits:
            segment = self.segments[n]
            if segment.end <= scan.span[0] or segment.first >= scan.span[1]:
                continue
            local = segment.local[start:stop]
            if few and candidates is not None:
                at = _places(candidates, segment, local)
                parts.append(local[at].astype(np.int64) + segment.first)
                times.append(segment.times[start:stop][at])
            else:
                parts.append(local.astype(np.int64) + segment.first)
                times.append(segment.times[start:stop])
        if not parts:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        ids, counts = _joined(parts), _joined(times)
        if not few:
            kept = self._kept(ids, candidates, scan)
            ids, counts = ids[kept], counts[kept]
        return ids, counts.astype(np.float32)

    def _kept(self, ids: Ids, candidates: Ids | None, scan: _Scan) -> slice | Mask:
        """Which of the ascending `ids` may be found, and are candidates, if those are known."""
        if candidates is not None:
            at = np.minimum(candidates.searchsorted(ids), max(len(candidates) - 1, 0))
            known: Mask = candidates[at] == ids if len(candidates) else np.zeros(len(ids), np.bool_)
            return known
        if scan.allowed is None:
            return slice(*ids.searchsorted(scan.span).tolist())
        allowed: Mask = scan.allowed[ids]
        if (scan.span[0], scan.span[1]) != (0, self.end):
            allowed &= (ids >= scan.span[0]) & (ids < scan.span[1])
        return allowed

    def _closed(self, rest: float, scan: _Scan) -> Ids | None:
        """The chunks that can still win, once `rest` cannot lift an unseen one into the best k; else None."""
        seen = self._seen(scan)
        if len(seen) < scan.k:
            return None
        values = scan.scores[seen]
        threshold = float(np.partition(values, len(values) - scan.k)[len(values) - scan.k])
        if rest >= threshold:
            return None
        return seen[values + np.float32(rest) >= np.float32(threshold) * np.float32(0.9999)]  # sums are float32

    def _seen(self, scan: _Scan) -> Ids:
        if not scan.touched:
            return np.empty(0, np.int64)
        if sum(map(len, scan.touched)) > self.end // 200:  # one pass over all scores beats a sort
            return np.flatnonzero(scan.scores)
        return distinct(np.concatenate(scan.touched))

    def _allowed(self, ranges: Sequence[Range] | None) -> Mask | None:
        if ranges is None or len(ranges) == 1:  # the span says it
            return self.live
        mask = mask_of(ranges, self.end)
        return mask if self.live is None else mask & self.live[: self.end]

    def _there(self, segment: Segment) -> Mask:
        there: Mask = segment.length > 0
        return there if self.live is None else there & self.live[segment.first : segment.end]

    def _accumulator(self) -> Scores:
        """Zeroes by chunk id, one array for each thread; each search leaves it as it was."""
        scores: Scores | None = getattr(self._scratch, "scores", None)
        if scores is None:
            scores = self._scratch.scores = np.zeros(self.end, np.float32)
        return scores

    def _clear(self, scan: _Scan) -> None:
        if sum(map(len, scan.touched)) > self.end // 8:
            scan.scores.fill(0)
        else:
            for ids in scan.touched:
                scan.scores[ids] = 0


def _norm(length: npt.NDArray[np.uint16], average: float) -> Scores:
    return (K1 * (1 - B + B * length.astype(np.float32) / np.float32(max(average, 1.0)))).astype(np.float32)


def _joined(parts: list[npt.NDArray[T]]) -> npt.NDArray[T]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _places(candidates: Ids, segment: Segment, local: npt.NDArray[np.uint16 | np.uint32]) -> Ids:
    """Where in the postings of a term the candidate chunks of a segment stand."""
    a, b = candidates.searchsorted((segment.first, segment.end)).tolist()
    wanted = (candidates[a:b] - segment.first).astype(local.dtype)
    if not len(wanted) or not len(local):
        return np.empty(0, np.int64)
    at: Ids = np.minimum(local.searchsorted(wanted), len(local) - 1)
    places: Ids = at[local[at] == wanted]
    return places


def _reaching(live: Mask, end: int) -> Mask:
    """A mask that reaches at least to `end`; ids beyond the given one are not there."""
    return live if len(live) >= end else np.concatenate((live, np.zeros(end - len(live), np.bool_)))
