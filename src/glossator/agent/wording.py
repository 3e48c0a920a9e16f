"""Sentences that code adds to an answer, in Chinese to a Chinese question and in English to any other."""

import re
from typing import Literal

from glossator.document.quotation import quotations_in
from glossator.parse.language import guess_language

Ending = Literal["interrupted", "failed"]
_ABSTAINS = re.compile(
    r"^\W*(?:(?:I(?:['’]m| am) )?(?:sorry|afraid)\b,?\s*(?:but\s+)?|unfortunately,?\s*|based on [^,]{1,60},\s*)?"
    r"(?:I (?:found|find|have found) no (?:answer|mention|passage|evidence|information)"
    r"|I (?:could not|couldn['’]t|cannot|can['’]t|did not|didn['’]t|was unable to|am unable to) "
    r"(?:find|answer|tell|determine|locate)|no answer was found|nothing was found|nothing in (?:the|these|your)\b"
    r"|there (?:is|was) no (?:answer|mention|passage|evidence|information)"
    r"|(?:(?:the|these|your) )?(?:(?:provided|given|available) )?(?:documents?|texts?|book|passages?|library|context|"
    r"sources?) (?:(?:do|does|did) not|(?:do|does|did)n['’]t) "
    r"(?:say|answer|mention|tell|contain|provide|include|state|discuss)"
    r"|(?:很?抱歉|对不起)?[，,]?(?:根据[^，,。]{1,16}[，,])?(?:我(?:没有|没能|未能|没)找到|未能?找到|没有?找到|找不到"
    r"|(?:文档|资料|文中|书中|文章|材料)[里中]?(?:并)?(?:没有|未)|无法(?:在|从|回答|确定|得知)|没有(?:相关|提到|提及)|未提及))",
    re.IGNORECASE,
)
_ASKS = re.compile(  # a question that is too short to tell its language by its words
    r"(?:what|who|whom|whose|where|when|why|how|which|is|are|was|were|do|does|did|can|could|tell|list)\b", re.IGNORECASE
)
SOME = 6  # words in ASCII of which no Chinese answer is made
_OTHER = (
    "The model answered in another language than the question's.",
    "模型没有用提问的语言回答。",
)


def abstains(text: str) -> bool:
    """Return whether a text begins by saying that there is no answer."""
    return bool(_ABSTAINS.search(text.strip()))


def language_in_words(question: str, answer: str) -> str | None:
    """Return the sentence that says that an answer, its quotations aside, is in another language than its question.

    None where that is not plain: of a short answer, and of a question in a few words of a language other than English.
    """
    for start, end, _ in reversed(quotations_in(answer)):
        answer = answer[:start] + answer[end:]
    answered = guess_language(answer) or ("" if answer.isascii() and len(answer.split()) >= SOME else None)
    asked = guess_language(question) or ("en" if _ASKS.match(question.strip()) else None)
    if answered is None or asked is None or answered == asked or (not answered and asked != "zh"):
        return None
    return _OTHER[asked == "zh"]


def nothing_written(how: Ending | None, *, chinese: bool) -> str:
    """Return what stands for an answer that was not written."""
    if how == "interrupted":
        return "（已中断，没有写出回答。）" if chinese else "(Stopped before an answer was written.)"
    if how == "failed":
        return "（模型未能作答。）" if chinese else "(The model could not answer.)"
    return "模型没有写出回答。" if chinese else "The model wrote no answer."
