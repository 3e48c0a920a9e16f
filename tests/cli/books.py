"""Four small documents: two English, one Chinese, one page with a table. The keeper's secret stands in chapter 3."""

from pathlib import Path

LIGHTHOUSE = """\
# The Keeper of the Lantern

## Chapter 1: Arrival

Mara rowed to the island on the first of March. She carried a brass lantern and a letter with a broken seal.

The keeper met her on the stair. "You are late," he said, "and the lantern is cold."

## Chapter 2: The Long Watch

For forty nights they kept the light together. Mara learned to trim the wick, to read the barometer, and to say
nothing when the keeper spoke to the gulls.

A storm took the lower dock in April. The sea came up to the third step and stayed there until morning.

## Chapter 3: The Secret

On the last night the keeper told her that he had forged the letter himself. Nobody had sent her; he had only been
lonely.
"""

PAPER = """\
# Bees and the Weather

Honeybees stay in the hive when the air pressure falls. We counted 4,812 flights over nine days.

## Method

Each hive stood on a scale that wrote its weight every minute.

| day | flights | pressure |
|---|---|---|
| 1 | 611 | 1021 |
| 2 | 598 | 1016 |
"""

MONKEY = """\
石猴记

第一回 石猴出世

花果山上有一块仙石。仙石受日月精华，一日迸裂，产下一个石卵，化作石猴。石猴拜了四方，目运两道金光，惊动了玉皇大帝。

第二回 水帘洞

群猴在山涧边玩耍，见一股瀑布飞泉。石猴纵身一跃，跳进瀑布，里面原来是一座铁板桥，桥边有花有树，是一座石房。众猴大喜，拜他为王。
"""

PAGE = """\
<!doctype html><html lang="en"><head><title>How to Tie a Bowline</title></head><body>
<nav><a href="/">Home</a> <a href="/knots">All knots</a></nav>
<article><h1>How to Tie a Bowline</h1>
<p>The bowline makes a loop that does not slip under load and is easy to untie afterwards. Sailors call it the king of
knots, and climbers trust it to hold.</p>
<p>Make a small loop in the standing part. Pass the end up through the loop, around behind the standing part, and back
down through the loop. Pull it tight, and check that the tail is longer than your hand is wide.</p>
<p>Practise it until you can tie it behind your back, in the dark, with wet gloves on, because that is when you will
need it most.</p></article>
</body></html>
"""

BOOKS = {"keeper.md": LIGHTHOUSE, "bees.md": PAPER, "monkey.txt": MONKEY, "bowline.html": PAGE}


def write_books(folder: Path) -> Path:
    """Write all four into a folder, which is made, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in BOOKS.items():
        (folder / name).write_text(text, "utf-8")
    return folder
