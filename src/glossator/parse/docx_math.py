"""Office formulas (OMML, ISO/IEC 29500-1 section 22.1) as one line of text, in the manner of Unicode's linear format.

"(a+b)/2", "x^2", "√(x)", "∑_(i=1)^n x_i": enough to read, to find and to quote. Known limits: matrices are read row by
row, accents and boxes keep only what they stand over.
"""

import re

from glossator.parse.docx_package import Element, child, name, value

_SIMPLE = re.compile(r"\w+|.", re.DOTALL)


def linear(formula: Element) -> str:
    """Return the text of `m:oMath`, or of any element within one."""
    return "".join(_linear(el) for el in formula)


def _linear(el: Element) -> str:
    kind = name(el)
    if kind in ("m:t", "w:t"):
        return el.text or ""
    if kind in ("m:rPr", "w:rPr", "m:ctrlPr") or kind.endswith("Pr"):
        return ""
    write = _FORMS.get(kind)
    return write(el) if write else linear(el)


def _of(el: Element, part: str) -> str:
    found = child(el, part)
    return linear(found) if found is not None else ""


def _grouped(text: str) -> str:
    return text if not text or _SIMPLE.fullmatch(text) else f"({text})"


def _fraction(el: Element) -> str:
    return f"{_grouped(_of(el, 'm:num'))}/{_grouped(_of(el, 'm:den'))}"


def _scripts(el: Element) -> str:
    low, high = _of(el, "m:sub"), _of(el, "m:sup")
    return (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")


def _based(el: Element) -> str:
    return _of(el, "m:e") + _scripts(el)


def _before(el: Element) -> str:
    return _scripts(el) + _of(el, "m:e")


def _radical(el: Element) -> str:
    degree = _of(el, "m:deg")
    return f"√({degree}&{_of(el, 'm:e')})" if degree else f"√{_grouped(_of(el, 'm:e'))}"


def _nary(el: Element) -> str:
    sign = value(child(el, "m:naryPr", "m:chr")) or "∫"
    return f"{sign}{_scripts(el)} {_of(el, 'm:e')}"


def _delimited(el: Element) -> str:
    properties = child(el, "m:dPr")
    left, between, right = (
        default if found is None else found
        for default, found in (
            ("(", value(child(properties, "m:begChr"))),
            ("|", value(child(properties, "m:sepChr"))),
            (")", value(child(properties, "m:endChr"))),
        )
    )
    return left + between.join(linear(e) for e in el if name(e) == "m:e") + right


def _rows(el: Element) -> str:
    rows = [e for e in el if name(e) in ("m:mr", "m:e")]
    return "; ".join(
        ", ".join(linear(cell) for cell in row if name(cell) == "m:e") if name(row) == "m:mr" else linear(row)
        for row in rows
    )


def _function(el: Element) -> str:
    return f"{_of(el, 'm:fName')} {_of(el, 'm:e')}"


def _limit(el: Element) -> str:
    mark = "_" if name(el) == "m:limLow" else "^"
    return f"{_of(el, 'm:e')}{mark}{_grouped(_of(el, 'm:lim'))}"


_FORMS = {
    "m:f": _fraction,
    "m:sSub": _based,
    "m:sSup": _based,
    "m:sSubSup": _based,
    "m:sPre": _before,
    "m:rad": _radical,
    "m:nary": _nary,
    "m:d": _delimited,
    "m:m": _rows,
    "m:eqArr": _rows,
    "m:func": _function,
    "m:limLow": _limit,
    "m:limUpp": _limit,
}
