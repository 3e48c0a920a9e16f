"""Sentences that code adds to an answer, in Chinese to a Chinese question and in English to any other."""

import re
from typing import Literal

Ending = Literal["interrupted", "failed"]
_ABSTAINS = re.compile(
    r"^\W*(?:I (?:found|find|have found) no (?:answer|mention|passage|evidence|information)"
    r"|I (?:could not|couldn't|cannot|can't|did not|didn't) find|no answer was found|nothing was found"
    r"|(?:The |These |Your )?(?:documents?|texts?|book|passages?|library) (?:do|does|did) not "
    r"(?:say|answer|mention|tell|contain)"
    r"|未找到|没有找到|找不到|文中(?:并)?(?:没有|未)|书中(?:并)?(?:没有|未)|无法(?:在|从)|抱歉，(?:未|没有))",
    re.IGNORECASE,
)


def abstains(text: str) -> bool:
    """Return whether a text begins by saying that there is no answer."""
    return bool(_ABSTAINS.search(text.strip()))


def nothing_written(how: Ending | None, *, chinese: bool) -> str:
    """Return what stands for an answer that was not written."""
    if how == "interrupted":
        return "（已中断，没有写出回答。）" if chinese else "(Stopped before an answer was written.)"
    if how == "failed":
        return "（模型未能作答。）" if chinese else "(The model could not answer.)"
    return "模型没有写出回答。" if chinese else "The model wrote no answer."
