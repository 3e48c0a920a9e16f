"""Pictures made with PDFium: a page drawn small, a photograph made smaller. PNG, for nothing here writes JPEG."""

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

from glossator.errors import DamagedFile

NARROWEST = 0.1  # of the height; what is not even so wide is a stripe, and no picture of a page


def first_page(path: Path, *, height: int) -> bytes:
    """Return the first page of a PDF as it is seen, `height` pixels high, and no wider than twice that.

    Raises: as `pdf.read`.
    """
    import pypdfium2

    from glossator.parse.pdf import open_pdf

    document = open_pdf(path)
    try:
        return _drawn(document[0], height)
    except (pypdfium2.PdfiumError, IndexError) as error:
        raise DamagedFile(f"{path}: its first page cannot be drawn ({error})", hint="open it in a viewer") from error
    finally:
        document.close()


def smaller(jpeg: bytes, *, height: int) -> bytes | None:
    """Return a JPEG picture `height` pixels high, or None when it is not that high or cannot be read."""
    import pypdfium2

    document = pypdfium2.PdfDocument.new()
    try:
        picture = pypdfium2.PdfImage.new(document)
        picture.load_jpeg(BytesIO(jpeg), inline=True)
        width, full = picture.get_px_size()
        if full <= height or width < NARROWEST * full:
            return None
        page = document.new_page(width, full)
        picture.set_matrix(pypdfium2.PdfMatrix().scale(width, full))
        page.insert_obj(picture)
        page.gen_content()
        return _drawn(page, height)
    except pypdfium2.PdfiumError:  # it is shown as it is, or not at all
        return None
    finally:
        document.close()


def png(pixels: bytes, width: int, height: int) -> bytes:
    """Return 8-bit RGB pixels, row by row, as a PNG file. Source: PNG (ISO/IEC 15948), sections 5, 9 and 11."""
    size = 3 * width
    rows = b"".join(b"\1" + _differences(pixels[y * size : (y + 1) * size]) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _differences(row: bytes) -> bytes:
    """Return each byte less the one of the pixel before it (filter type 1), which packs drawn pages well."""
    import numpy as np

    values = np.frombuffer(row, dtype=np.uint8)
    return (values - np.concatenate((np.zeros(3, np.uint8), values[:-3]))).tobytes()


def _drawn(page: Any, height: int) -> bytes:
    wide, high = page.get_size()
    scale = min(height / max(high, 1.0), 2 * height / max(wide, 1.0))
    drawn = page.render(scale=scale, rev_byteorder=True).to_numpy()
    pixels = drawn[:, :, :3]
    return png(pixels.tobytes(), pixels.shape[1], pixels.shape[0])
