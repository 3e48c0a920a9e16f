"""Whether passages belong into somebody's prompt: the decision, and its reason in one line. Pure.

A prompt to a coding assistant is mostly about code, and passages that do not belong to it do harm. So the gate asks how
much of what a prompt is about stands in one place: the share of its words, each weighed by its rarity in the library
itself, that a passage holds, and the two neighbouring sentences of it that hold most; the mean of both counts. A word
that the library has never seen weighs most, which closes the gate for what is out of its subject and for what it does
not hold. Code, paths and addresses in the prompt are not looked at; words of programming that the library does not know
raise the limit.

Known limits: a question in other words than the passage's is not told from one about something else; a question about
people and things of the library that no passage answers looks like one that is answered.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from glossator.document.sentence import sentences
from glossator.index.tokens import ASIDE, stem, tokens
from glossator.library.answer import asked, is_chinese

LIMIT, CHINESE_LIMIT = 0.53, 0.46  # of the share; set on the prompts of benchmarks/hook.py that are not held out
STRICTER = 0.25  # more, where the prompt speaks of programming and the library does not
FEWEST = 2  # words that say what a prompt is about
LONG = 28  # terms of a prompt that is judged sentence by sentence
PIECES = 6  # sentences of it that are looked at
UNKNOWN = 0.97  # of the greatest weight, from which a word counts as one that the library does not know

Weight = Callable[[str], float]

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|~~~.*?(?:~~~|\Z)", re.S)
_ADDRESS = re.compile(
    r"\bhttps?://\S+|(?<!\w)(?:~|\.{1,2})?/[\w.\-/]+|\b[\w\-]+(?:/[\w.\-]+)+|\b[\w\-]+\.[a-z]{1,5}\b(?=[\s:,)]|$)"
)
_SYMBOL = re.compile(r"\b[a-z]+[A-Z]\w*|\b\w*(?:_\w+|\(\)|::\w+)\w*|(?<!\w)--?[a-zA-Z][\w\-]*|@\w+")
_TRACE = re.compile(
    r"^\s*(?:at .+\(.+:\d+|File \".+\", line \d+|Traceback .+|\w*(?:Error|Exception): .*|[$>#%] .*)$", re.M
)
_SIGN = re.compile(r"[{}\[\]();=<>|&\\^$*+~]")
_COMMAND = re.compile(r"\s*[/!#]\S")  # of the host, not of the person's own words

# Words of talk with an assistant, which say nothing of a subject.
# fmt: off
_TALK = frozenset((
    "again", "ahead", "also", "continue", "describe", "explain", "find", "give", "go", "good", "great",
    "happen", "happened", "help", "just", "kind", "let", "lets", "look", "looks", "made", "make", "need",
    "nice", "no", "now", "ok", "okay", "please", "proceed", "retry", "right", "show", "summarize", "sure",
    "tell", "thank", "thanks", "then", "thing", "things", "try", "type", "use", "used", "using", "want", "way",
    "write", "yeah", "yes",
))
# fmt: on
_TALK_TERMS = frozenset(map(stem, _TALK))
_TALK_CHINESE = re.compile(
    "请继续|继续|可以|好的|谢谢|帮我|请|一下|看看|告诉我|解释|说明|根据|关于|目前|现在|这个|那个|其中"
)
_JOINTS = frozenset("的是在了有和与及又被于所为由从将把对其这那也都到着过之此很最个位种年时何能否")
# What programs and their making are called. Only those that the library does not know are held against a prompt.
# fmt: off
_PROGRAMMING = frozenset((
    "api", "app", "async", "backend", "branch", "browser", "bug", "build", "builds", "cache", "ci", "class",
    "cli", "client", "code", "commit", "compile", "component", "config", "container", "cron", "css", "csv",
    "cursor", "database", "debug", "dependency", "deploy", "deployment", "diff", "docker", "dockerfile", "docs",
    "endpoint", "enum", "error", "eslint", "exception", "feature", "file", "files", "fix", "flag", "frontend",
    "function", "git", "github", "gradle", "hook", "html", "http", "import", "imports", "index", "install",
    "integer", "interface", "java", "javascript", "json", "kubernetes", "lambda", "lint", "linter", "list",
    "log", "logging", "loop", "merge", "method", "migration", "mock", "module", "monorepo", "node", "npm",
    "null", "object", "package", "parameter", "parser", "patch", "pip", "pipeline", "postgres", "prettier",
    "promise", "pull", "push", "pytest", "python", "query", "react", "readme", "rebase", "recursion",
    "refactor", "regex", "release", "rename", "repo", "repository", "request", "response", "rest", "return",
    "rollback", "route", "rust", "schema", "script", "sdk", "server", "shell", "sql", "stack", "staging",
    "string", "struct", "stylesheet", "syntax", "table", "tdd", "terminal", "test", "tests", "thread", "token",
    "tooltip", "tsconfig", "tuple", "type", "types", "typescript", "unit", "unittest", "url", "variable",
    "version", "webpack", "websocket", "widget", "wrapper", "xml", "yaml", "z-index",
))
# fmt: on
_PROGRAMMING_CHINESE = re.compile(
    "代码|函数|变量|编译|部署|接口|数据库|脚本|报错|测试|单元|提交|合并|分支|仓库|前端|后端|组件|配置|依赖|重构|调试|日志|缓存|线程|进程"
    "|异步|回调|类型|正则|算法|字段|索引|迁移|文档构建|版本号|命令行|流水线|定时任务|容器|镜像"
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says: `share` of the prompt's words in the best passage against `limit`; `reason` in one line."""

    relevant: bool
    reason: str
    share: float = 0.0
    limit: float = 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """What is left of a prompt to search for: texts (one, or sentences of a long one); none, with the reason."""

    texts: tuple[str, ...]
    reason: str = ""


def asks(prompt: str) -> Asked:
    """Return what of a prompt may be about something in a library; nothing of a prompt that is code only."""
    if _COMMAND.match(prompt):
        return Asked((), "a command of the host")
    bare = _CODE.sub(" ", prompt)
    signs = len(_SIGN.findall(bare))
    words = _SYMBOL.sub(" ", _ADDRESS.sub(" ", _TRACE.sub(" ", bare)))
    words = " ".join(words.split())
    terms = subject(words)
    if len(terms) < FEWEST and not (terms and is_chinese(words) and len(terms[0]) > 1):
        return Asked((), "code only" if words != " ".join(prompt.split()) else "too few words of a subject")
    if signs * 8 > len(words):
        return Asked((), "mostly code")
    parts = [words[a:b].strip() for a, b in sentences(words)]
    questions = [p for p in parts if p.endswith(("?", "？")) and len(subject(p)) > FEWEST]
    if len(terms) <= LONG:
        return Asked((words, *(questions[:PIECES] if len(parts) > 1 else ())))
    others = [p for p in parts if p not in questions and len(subject(p)) > FEWEST]
    return Asked(tuple([*questions, *others][:PIECES]) or (words[:600],))


def subject(text: str) -> list[str]:
    """Return the terms that say what a text is about, without words of talk; Chinese ones without joints of words."""
    terms = asked(_TALK_CHINESE.sub(" ", text))
    own = [t for t in terms if t not in _TALK_TERMS and not t.startswith(ASIDE)]
    whole = [t for t in own if not (len(t) == 2 and t[0] > "\u2e80" and (t[0] in _JOINTS or t[1] in _JOINTS))]
    return whole or own


def judge(text: str, passages: Sequence[str], weight: Weight, greatest: float) -> Judgement:
    """Return whether passages, best first, belong to a text.

    `weight` is that of a term in the library, `greatest` that of a term it has never seen.
    """
    terms = subject(text)
    weights = {t: weight(t) for t in terms}
    total = sum(weights.values())
    if not passages or not total:
        return Judgement(False, "nothing found")
    shares = [_share(p, weights) / total for p in passages]
    share = max(shares)
    limit = CHINESE_LIMIT if is_chinese(text) else LIMIT
    foreign = _foreign(text, weights, greatest)
    if foreign:
        limit += STRICTER
    there = "" if not foreign else f", stricter because of “{foreign}”"
    said = f"{share:.0%} of what it asks stands in one place (limit {limit:.0%}{there})"
    missing = [t for t, w in weights.items() if w >= UNKNOWN * greatest]
    if share < limit and missing:
        said += "; unknown here: " + ", ".join(missing[:4])
    return Judgement(share >= limit, said, share, limit)


def shares(text: str, passages: Sequence[str], weight: Weight) -> list[float]:
    """Return the share of a text's words that each passage holds, by weight."""
    weights = {t: weight(t) for t in subject(text)}
    total = sum(weights.values())
    return [_share(p, weights) / total if total else 0.0 for p in passages]


def _share(passage: str, weights: dict[str, float]) -> float:
    """Return the weight of the words in a passage, and in its best two sentences: scattered words say less."""
    held = [set(tokens(passage[a:b])) & weights.keys() for a, b in sentences(passage)] or [set[str]()]
    whole, near = set[str]().union(*held), [a | b for a, b in pairwise([*held, set[str]()])]
    return (_sum(whole, weights) + max(_sum(pair, weights) for pair in near)) / 2


def _sum(terms: set[str], weights: dict[str, float]) -> float:
    return sum(weights[t] for t in terms)


def _foreign(text: str, weights: dict[str, float], greatest: float) -> str | None:
    """Return a word of programming in a text that the library hardly knows, or None."""
    if (found := _PROGRAMMING_CHINESE.search(text)) and weights.get(found[0][:2], greatest) >= 0.6 * greatest:
        return found[0]
    words = re.findall(r"[a-z][a-z\-]+", text.lower())
    known = {t: w for t, w in weights.items() if w < 0.6 * greatest}
    return next((w for w in words if w in _PROGRAMMING and tokens(w)[0] not in known), None)
