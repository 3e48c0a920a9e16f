"""Small documents, built in code, for the tests of this folder."""

import zipfile
from pathlib import Path

ISLAND = """# The Island

## Arrival

The schooner reached the island at dawn. Captain Marlowe counted eleven sailors on the deck.

A lantern burned in the tower, although the tower had been empty since the great storm of 1870.

## The Letter

Under the third stair Eleanor found a letter sealed with green wax. It began with the words: "Do not trust the pilot."

She hid it in her glove and said nothing to anybody.

## The Betrayal

At midnight the pilot, Gregory Thorne, cut the anchor rope. The schooner drifted onto the northern shoals and broke.

Eleanor read the letter aloud to the survivors, and they understood everything at last.
"""

STONE = """# 石猴记

## 第一回 石猴出世

东胜神洲海外有一国土，名曰傲来国。国近大海，海中有一座名山，唤为花果山。

那座山正当顶上，有一块仙石。内育仙胞，一日迸裂，产一石卵，化作一个石猴。

## 第二回 水帘洞

石猴跳过瀑布，发现一座铁板桥，桥那边是一座天造地设的石房，名叫水帘洞。

众猴拜他为王，石猴自称美猴王。
"""


def island(folder: Path, text: str = ISLAND) -> Path:
    """Write the English story; return its path."""
    path = folder / "island.md"
    path.write_text(text, "utf-8")
    return path


def stone(folder: Path) -> Path:
    """Write the Chinese story; return its path."""
    path = folder / "stone.md"
    path.write_text(STONE, "utf-8")
    return path


def unique_words(sections: int, paragraphs: int = 3, words: int = 18) -> str:
    """Return Markdown in which no word occurs twice, headings included: w0, w1, w2 … in Latin letters."""
    made = 0
    parts: list[str] = []

    def some(count: int) -> str:
        nonlocal made
        made += count
        return " ".join(word(n) for n in range(made - count, made))

    for _ in range(sections):
        parts.append(f"## {some(3).capitalize()}")
        for _ in range(paragraphs):
            parts.append(f"{some(words // 2).capitalize()}. {some(words // 2).capitalize()}.")
    parts.append("| " + " | ".join((some(1), some(1))) + " |\n|---|---|\n" + f"| {some(1)} | {some(1)} |")
    return "\n\n".join(parts) + "\n"


def word(n: int) -> str:
    """Return a word of its own for each number; none is the beginning of another."""
    letters = "bcdfghjklmnpqrstvwz"
    digits = []
    for _ in range(4):
        n, digit = divmod(n, len(letters))
        digits.append(letters[digit])
    return "a".join(digits) + "o"


def zip_bomb(path: Path) -> Path:
    """Write an EPUB whose one chapter inflates to 400 MB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
            '<rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        archive.writestr(
            "c.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
            '<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
        )
        with archive.open("a.xhtml", "w", force_zip64=True) as chapter:
            chapter.write(b"<html><body><p>")
            for _ in range(400):
                chapter.write(b"a" * (1 << 20))
            chapter.write(b"</p></body></html>")
    return path
