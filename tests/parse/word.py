"""Word files built in code: a whole one, and what each test changes of it."""

import zipfile
from pathlib import Path

TRANSITIONAL = "http://schemas.openxmlformats.org/"
STRICT = "http://purl.oclc.org/ooxml/"
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_SPACES = {
    "w": ("wordprocessingml/2006/main", "wordprocessingml/main"),
    "r": ("officeDocument/2006/relationships", "officeDocument/relationships"),
    "m": ("officeDocument/2006/math", "officeDocument/math"),
    "wp": ("drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing"),
    "a": ("drawingml/2006/main", "drawingml/main"),
    "pic": ("drawingml/2006/picture", "drawingml/picture"),
}
_FIXED = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:basedOn w:val="a"/></w:style>
<w:style w:type="paragraph" w:styleId="Unter"><w:name w:val="Mein Kapitel"/><w:basedOn w:val="1"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="C"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="L"><w:name w:val="List Bullet"/>
<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Ring"><w:name w:val="Ring"/><w:basedOn w:val="Ring"/></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
"""


def p(content: str = "", style: str = "", more: str = "") -> str:
    """A paragraph; text without markup becomes a run."""
    runs = content if content.startswith("<") else r(content)
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{more}</w:pPr>{runs}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>' if text else ""


def item(text: str, level: int = 0) -> str:
    return p(text, more=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>')


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def xml(tag: str, content: str, *, strict: bool = False) -> str:
    root = STRICT if strict else TRANSITIONAL
    spaces = " ".join(f'xmlns:{k}="{root}{v[strict]}"' for k, v in _SPACES.items())
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{tag} {spaces} {_FIXED}>{content}</w:{tag}>'


def relations(*entries: tuple[str, str, str], strict: bool = False) -> str:
    root = STRICT + "officeDocument" if strict else TRANSITIONAL + "officeDocument/2006"
    items = "".join(
        f'<Relationship Id="{i}" Type="{root}/relationships/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if kind == 'hyperlink' else ''}/>"
        for i, kind, target in entries
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'
    )


def write(path: Path, body: str, *, strict: bool = False, **parts: str) -> Path:
    """Write a file of this body; `parts` are further roots' contents: footnotes, endnotes, comments, core."""
    named = {k: v for k, v in parts.items() if k != "core"}
    files = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml"), strict=strict),
        "word/document.xml": xml("document", f"<w:body>{body}<w:sectPr/></w:body>", strict=strict),
        "word/styles.xml": xml("styles", STYLES, strict=strict),
        "word/numbering.xml": xml("numbering", NUMBERING, strict=strict),
        "word/_rels/document.xml.rels": relations(
            ("s", "styles", "styles.xml"),
            ("n", "numbering", "/word/numbering.xml"),
            ("link", "hyperlink", "https://example.org/a?b&amp;c"),
            *((kind, kind, f"{kind}.xml") for kind in named),
            strict=strict,
        ),
        **{f"word/{kind}.xml": xml(kind, content, strict=strict) for kind, content in named.items()},
    }
    if "core" in parts:
        files["docProps/core.xml"] = (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/">{parts["core"]}</cp:coreProperties>'
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path
