"""Bytes or text to canonical XHTML: well-formed, inert, and stable, since CFIs count its elements.

Strict XML first; what is not well-formed goes through the HTML5 algorithm (html5lib), never through a recovering XML
parser, which drops characters. Canonical XHTML has no comments, processing instructions, CDATA or entities, so that a
text chunk of a CFI is one `text` or `tail`; all elements have a namespace; nothing is nested deeper than `MAX_DEPTH`.

Sanitising changes no element's index: what could run or load a foreign document becomes an inert element in its place.

Known limits: entities declared by a document itself are not expanded, their names stand as text; html5lib reads about
0.3 MB a second, and is therefore spared what is wrong only in its ampersands.
"""

import html.entities
import re
import warnings
from typing import Literal, cast

from lxml import etree

from glossator.parse import encoding as encodings

How = Literal["xml", "html5"]

XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
OPS = "http://www.idpf.org/2007/ops"
XML = "http://www.w3.org/XML/1998/namespace"

_EMPTY_PAGE = f'<html xmlns="{XHTML}"/>'
MAX_DEPTH = 200  # below what libxml2 reads back (256), and below Python's recursion limit for whoever walks the tree

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(
    r"""<!DOCTYPE(?:[^>\["']|"[^"]*"|'[^']*')*(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*\]\s*)?>""", re.IGNORECASE
)
_PROLOGUE = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_CDATA = re.compile(r"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)
_AMPERSAND = re.compile(r"&(?:([A-Za-z][A-Za-z0-9]*);|(?!#(?:[0-9]+|[xX][0-9a-fA-F]+);))")
_NUMBERED = re.compile(r"&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?")
_XML_NAMES = {"amp", "lt", "gt", "quot", "apos"}
_UPPER_TAG = re.compile(r"<[A-Z][A-Za-z]*[\s/>]")

_INERT = {"script", "iframe", "embed", "applet", "frame", "portal"}  # emptied: their content is no text of the book
_UNWRAPPED = {"object"}  # kept as `span` with their content, the fallback of what is no longer loaded
_SCHEME = re.compile(r"(?:javascript|vbscript|data:(?!image/|font/|audio/|video/)[^,]*)\s*[:,]", re.IGNORECASE)
_IGNORED_IN_URL = re.compile(r"[\x00-\x20\u00a0\u2028\u2029]+")
_SUSPECTS = etree.XPath(
    "//*[@*[contains(., ':') or translate(substring(local-name(), 1, 2), 'ON', 'on') = 'on'"
    " or local-name() = 'srcdoc']]"
)
_COLON = "U0003A"  # what html5lib makes of a colon in a name
_PREFIXES = {"epub": OPS, "xml": XML, "m": MATHML, "mml": MATHML, "math": MATHML, "svg": SVG}


def canonical(data: bytes | str, *, encoding: str | None = None) -> tuple[etree._Element, How]:
    """Return (the `html` element of canonical, sanitised XHTML, how it was parsed).

    Args:
        data: A document, whole or in fragments; bytes are decoded by their own declaration, then `encoding`.
        encoding: What a header says.
    """
    text = data if isinstance(data, str) else _decode(data, encoding)
    text = _without_prologue(_legal(text))
    root = _as_xml(text)
    how: How = "xml"
    if root is None:
        root, how = _as_html5(text), "html5"
    _flatten(root)
    sanitise(root)
    return root, how


def parse_xml(data: bytes | str, *, recover: bool = False) -> etree._Element | None:
    """Return the root of an XML document that is no page (a package, a table of contents), or None if it is not one.

    Nothing is loaded, no declared entity expanded. With `recover` what can be read of a damaged one is returned.
    """
    text = _without_prologue(_legal(data if isinstance(data, str) else _decode(data, None)))
    try:
        return etree.fromstring(_with_characters(text).encode(), _parser(recover=recover))
    except etree.XMLSyntaxError:
        return None


def sanitise(root: etree._Element) -> None:
    """Make a tree inert in place, keeping every element's index: no scripts, frames, handlers, or script URLs."""
    for el in list(root.iter(*(f"{{*}}{name}" for name in _INERT))):
        _empty(el)
    for el in list(root.iter(*(f"{{*}}{name}" for name in _UNWRAPPED))):
        el.tag = f"{{{XHTML}}}span"
        _keep_attributes(el, ("id", "class", "title", "lang", "role", "aria-label", "style"))
    for el in root.iter("{*}base", "{*}meta"):
        if local_name(el) == "base" or "http-equiv" in el.attrib:
            _keep_attributes(el, ("id", "charset"))
    for el in cast("list[etree._Element]", _SUSPECTS(root)):
        for key, value in list(el.attrib.items()):
            if _runs_code(str(key), str(value)):
                del el.attrib[key]


def serialise(root: etree._Element) -> bytes:
    """Return canonical XHTML as UTF-8 bytes that any XML parser reads back to the same tree."""
    body = etree.tostring(root, encoding="utf-8", with_tail=False)
    return b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n' + body


def local_name(el: etree._Element) -> str:
    """Return the name of an element without its namespace, in lower case; "" for comments and the like."""
    tag: object = el.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


# --- reading --------------------------------------------------------------------------------------------------------


def _decode(data: bytes, encoding: str | None) -> str:
    return encodings.decode(data, encodings.declared_encoding(data) or encoding).text


def _legal(text: str) -> str:
    """Remove what XML cannot hold, whether written as a character or as a number."""
    text = text.lstrip("\ufeff")
    if _ILLEGAL.search(text):
        text = _ILLEGAL.sub("", text.replace("\f", " "))
    return _NUMBERED.sub(_legal_reference, text) if "&#" in text else text


def _legal_reference(match: re.Match[str]) -> str:
    """Return a numeric reference as HTML5 reads it: 128 to 159 mean Windows-1252, and the semicolon may be missing.

    Source: HTML Standard, section 13.2.5.80, numeric character reference end state.
    """
    digits = match[1] or match[2]
    number = int(digits, 16 if match[1] else 10) if len(digits) <= 8 else 0x110000
    if number > 0x10FFFF:
        return "\ufffd"
    if 0x80 <= number < 0xA0:
        return bytes([number]).decode("cp1252", "ignore")
    return "" if _ILLEGAL.match(chr(number)) else f"&#{number};"


def _without_prologue(text: str) -> str:
    """Cut the XML declaration and the document type, whose entities are never wanted."""
    text = _XML_DECLARATION.sub("", text, count=1)
    start = _PROLOGUE.match(text)
    doctype = _DOCTYPE.match(text, start.end() if start else 0)
    return text[doctype.end() :] if doctype else text


def _parser(*, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        strip_cdata=True,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


def _as_xml(text: str) -> etree._Element | None:
    try:
        root = etree.fromstring(_with_characters(text).encode(), _parser())
    except etree.XMLSyntaxError:
        return None
    if local_name(root) == "svg":
        return _wrapped(root)
    if root.tag == "html":
        return None if _UPPER_TAG.search(text) or root.find("body") is None else _in_namespace(root)
    return root if root.tag == f"{{{XHTML}}}html" else None


def _with_characters(text: str) -> str:
    """Put characters for the entities of HTML outside CDATA; an ampersand that begins no entity is itself.

    So does HTML5 read both, and unescaped ampersands are what is most often wrong in books.
    """
    if "&" not in text:
        return text
    parts = _CDATA.split(text)
    parts[::2] = [_AMPERSAND.sub(_character, part) for part in parts[::2]]
    return "".join(parts)


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if name is None:
        return "&amp;"
    if name in _XML_NAMES:
        return match[0]
    return html.entities.html5.get(f"{name};") or f"&amp;{name};"


def _as_html5(text: str) -> etree._Element:
    import html5lib  # 60 ms, wanted by what is not well-formed only
    from html5lib.constants import DataLossWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataLossWarning)  # names that XML does not know are renamed below
        tree = html5lib.parse(f"<!DOCTYPE html>{text}", treebuilder="lxml", namespaceHTMLElements=True)
    root = etree.fromstring(_EMPTY_PAGE)
    parsed = tree.getroot()
    root.attrib.update({k: v for k, v in parsed.attrib.items() if not k.startswith("xmlns")})
    root.text = parsed.text
    root.extend(list(parsed))
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    etree.cleanup_namespaces(root, keep_ns_prefixes=["xlink"])
    for el in root.iter("*"):
        if _COLON in str(el.tag):
            el.tag = _with_namespace(str(el.tag).rpartition("}")[2]) or el.tag
        for key in [k for k in el.attrib if _COLON in str(k)]:
            name = _with_namespace(str(key))
            value = el.attrib.pop(key)
            if name:
                el.set(name, value)
    return root


def _with_namespace(coerced: str) -> str | None:
    prefix, _, name = coerced.partition(_COLON)
    return f"{{{_PREFIXES[prefix]}}}{name}" if prefix in _PREFIXES and name.isidentifier() else None


def _wrapped(svg: etree._Element) -> etree._Element:
    root = etree.fromstring(_EMPTY_PAGE)
    etree.SubElement(root, f"{{{XHTML}}}head")
    etree.SubElement(root, f"{{{XHTML}}}body").append(svg)
    return root


def _in_namespace(root: etree._Element) -> etree._Element:
    """Return the tree with its nameless elements in XHTML."""
    top = etree.fromstring(_EMPTY_PAGE)
    top.attrib.update(root.attrib)
    top.text = root.text
    top.extend(list(root))
    for el in top.iter("*"):
        if not str(el.tag).startswith("{"):
            el.tag = f"{{{XHTML}}}{el.tag}"
    return top


# --- making inert ---------------------------------------------------------------------------------------------------


def _flatten(root: etree._Element) -> None:
    """Turn elements at the greatest depth into their text, keeping every character."""
    for el in cast("list[etree._Element]", root.xpath("/*" * MAX_DEPTH)):
        text = "".join(str(t) for t in el.itertext())
        for child in list(el):
            el.remove(child)
        el.text = text


def _empty(el: etree._Element) -> None:
    for child in list(el):
        el.remove(child)
    el.text = None
    el.tag = f"{{{XHTML}}}template"
    _keep_attributes(el, ("id",))


def _keep_attributes(el: etree._Element, names: tuple[str, ...]) -> None:
    for key in list(el.attrib):
        if key not in names:
            del el.attrib[key]


def _runs_code(name: str, value: str) -> bool:
    bare = name.rpartition("}")[2].lower()
    if bare.startswith("on") or bare == "srcdoc":
        return True
    return ":" in value and bool(_SCHEME.match(_IGNORED_IN_URL.sub("", value)))
