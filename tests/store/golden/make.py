"""Write `vN.zip`: a library of the present version with something of everything in it.

    python tests/store/golden/make.py

It goes on from the library of the first version, which that version wrote itself (three documents with vectors of two
models, progress, a collection, edited metadata). Once a version is released, its file is never made again.
"""

import hashlib
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from glossator.library.library import Library  # noqa: E402
from glossator.library.results import Bound  # noqa: E402
from glossator.messages import Text  # noqa: E402
from glossator.store.database import LIBRARY_FILE  # noqa: E402
from glossator.store.migrations import MIGRATIONS  # noqa: E402

ALL = Bound(uncapped=True)


def main() -> None:
    """Make the file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with zipfile.ZipFile(HERE / "v1.zip") as first:
            first.extractall(folder / "library")
        with Library.open(folder / "library", embedder="none") as library:
            fill(library, folder)
        target = HERE / f"v{len(MIGRATIONS)}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.write(folder / "library" / LIBRARY_FILE, LIBRARY_FILE)
        print(target, target.stat().st_size, hashlib.sha256(target.read_bytes()).hexdigest()[:12])


def fill(library: Library, folder: Path) -> None:
    """Do what a person does: notes in three documents (one changes, one is removed), links, tags, talk, reading."""
    page = folder / "tides.md"
    page.write_text("# Tides\n\nThe moon draws the water twice a day.\n\nFishermen know it by heart.\n", "utf-8")
    lost = folder / "lost.md"
    lost.write_text("# Lost\n\nA page that is thrown away later, but not its note.\n", "utf-8")
    library.add([str(page), str(lost)])
    note = library.notes.add
    one = note("The Keeper", quote="a brass lantern", body="Where *from*? 🏮", tags=["objects"], bound=ALL)
    two = note("Monkey", quote="花果山上有一块仙石", body="石头", color="blue", tags=["objects", "石"])
    three = note("Tides", quote="The moon draws the water", color="green")
    four = note("Lost", quote="thrown away later", body="kept")
    library.notes.link(one.id, two.id, relation="supports", bound=ALL)
    library.notes.link(two.id, four.id, relation="contradicts", bound=ALL)
    gone = note("Tides", quote="Fishermen know it")
    library.notes.remove(gone.id)
    page.write_text("# Tides\n\nNow and for ever, the moon draws the water twice a day.\n", "utf-8")
    library.add([str(page)])
    assert library.notes.show(three.id, bound=ALL).state in ("exact", "moved")
    library.remove("Lost")
    library.shelves.tag("to read", [library.identify("Bees and the Weather")])
    library.progress("Tides", at=20)
    library.progress("Tides", finished=True)
    library.progress("Tides", restart=True)
    session = library.sessions.start("About lanterns")
    library.sessions.append(session.id, [Text("Who forged the letter?")], role="user")
    library.sessions.append(session.id, [Text("The keeper did.")], role="assistant")
    library.memory.keep("reads on the train", kind="preference")
    library.memory.keep("the tide turns at noon", doc="Tides")


if __name__ == "__main__":
    main()
