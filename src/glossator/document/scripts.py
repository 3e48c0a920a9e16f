"""East Asian scripts as character classes, to be put between the brackets of a pattern.

What the index and matching make of a character is theirs to say (`index.tokens`, `fold`); this is for telling what a
text is written in.
"""

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3040-\u30ff"
