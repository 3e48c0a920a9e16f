"""Small pages as the sites of the packaged rules make them; whatever says "unwanted" is no main text.

Each has its rule's name, where it came from, what stands in its head and body, and the blocks that are its text.
"""

from dataclasses import dataclass

EN = (
    "The harbour was quiet when the first boats came back with their nets, and nobody on the quay said a word.",
    "They had been out for three days, which was longer than anyone could remember, and the weather had turned.",
    "In the evening the lamps were lit along the wall, one after another, until the bay lay in a ring of light.",
)
ZH = (
    "却说那猴王领众，前行到了水帘洞前，只见那里山清水秀，果然是个好去处，众猴欢喜不尽，各自称赞不已。",
    "石猴端坐上面道：列位呵，人而无信，不知其可。你们才说有本事进得来，出得去，不伤身体者，就拜他为王。",
    "众猴听说，即拱伏无违，一个个序齿排班，朝上礼拜，都称千岁大王，自此石猴高登王位，将石字儿隐了。",
)
CHROME = """<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>{head}</head><body>
<nav><ul><li><a href="/">unwanted home</a></li></ul></nav>{body}
<div class="comments" id="comments"><p>unwanted: a comment of a reader, who has a lot to say about it.</p></div>
<div class="related"><h3>unwanted related</h3><p><a href="/x">unwanted: another page, which is as long as this</a></p>
</div><footer><p>unwanted: all rights reserved, and so on.</p></footer></body></html>"""
BARE = "<!DOCTYPE html><html lang='{lang}'><head><title>{title}</title>{head}</head><body>{body}</body></html>"

Blocks = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A page and what it should read as."""

    rule: str
    body: str
    blocks: Blocks
    url: str | None = None
    head: str = ""
    lang: str = "en"
    bare: bool = False  # no site around it

    @property
    def source(self) -> str:
        around = CHROME if not self.bare else BARE
        return around.format(lang=self.lang, title="The page", head=self.head, body=self.body)


def said(*texts: str) -> Blocks:
    return tuple(("paragraph", text) for text in texts)


def p(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


TABLE = "<table><tr><th>Boat</th><th>Catch</th></tr><tr><td>Anna</td><td>forty barrels</td></tr></table>"
TABLE_BLOCK = ("table", "Boat\tCatch\nAnna\tforty barrels")

SITES = (
    Saved(
        rule="MediaWiki",
        url="https://en.wikipedia.org/wiki/Harbour",
        body=f"""<div id="content"><h1 id="firstHeading" class="firstHeading">Harbour</h1><div id="bodyContent">
        <div id="siteSub">unwanted, the free encyclopedia</div><div id="mw-content-text"><div class="mw-parser-output">
        <div class="hatnote">unwanted: for other uses, see elsewhere.</div>
        <table class="ambox metadata"><tr><td>unwanted: this page needs work</td><td>now</td></tr></table>
        <p>{EN[0]}<sup class="reference"><a href="#cite_note-1">[1]</a></sup></p>
        <div id="toc" class="toc"><h2>unwanted contents</h2><ul><li>unwanted 1</li></ul></div>
        <h2><span class="mw-headline">Boats</span><span class="mw-editsection">[unwanted edit]</span></h2>
        {p(*EN[1:])}{TABLE}<h2>References</h2><ol class="references"><li id="cite_note-1">
        <span class="mw-cite-backlink"><a href="#x">^unwanted</a></span> Smith, <i>Harbours</i>, p. 3.<span
        class="cs1-maint">unwanted: a stray comma</span></li></ol>
        <div class="navbox"><table><tr><th>unwanted</th><td>other harbours</td></tr></table></div></div></div>
        <div id="catlinks">unwanted categories</div></div></div>""",
        blocks=(
            ("heading", "Harbour"),
            ("paragraph", f"{EN[0]}[1]"),
            ("heading", "Boats"),
            *said(*EN[1:]),
            TABLE_BLOCK,
            ("heading", "References"),
            ("list_item", "Smith, Harbours, p. 3."),
        ),
    ),
    Saved(
        rule="MediaWiki",
        lang="zh",
        head='<meta name="generator" content="MediaWiki 1.43.0">',
        body=f"""<h1 id="firstHeading">西遊記/第001回</h1><div id="mw-content-text"><div class="mw-parser-output">
        <div id="headerContainer" class="ws-noexport"><table><tr><td>unwanted</td><td>下一回</td></tr></table></div>
        <p>{ZH[0]}</p><p><span class="ws-pagenum">unwanted 12</span>{ZH[1]}</p><p>{ZH[2]}</p>
        <div class="licenseContainer">unwanted 公有領域</div></div></div>""",
        blocks=(("heading", "西遊記/第001回"), *said(*ZH)),
    ),
    Saved(
        rule="arXiv and LaTeXML",
        url="https://arxiv.org/html/2401.00001v1",
        body=f"""<header class="html-header">unwanted back to the abstract</header><div class="ltx_page_main">
        <nav class="ltx_TOC">unwanted contents</nav><div class="ltx_page_content"><article class="ltx_document">
        <h1 class="ltx_title ltx_title_document">On Harbours</h1><button class="sr-only">unwanted report</button>
        <section class="ltx_section"><h2 class="ltx_title"><span class="ltx_tag">1 </span>Boats</h2>
        <div class="ltx_para"><p class="ltx_p">{EN[0]}<span class="ltx_note ltx_role_footnote"><sup
        class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup
        class="ltx_note_mark">unwanted</sup><span class="ltx_tag ltx_tag_note">unwanted</span> So it was.</span></span>
        </span></p></div><div class="ltx_para"><p class="ltx_p">{EN[1]}</p></div><figure class="ltx_table">
        <figcaption>Table 1: Catches</figcaption>{TABLE}</figure></section><div class="ltx_pagination">unwanted</div>
        </article></div></div>""",
        blocks=(
            ("heading", "On Harbours"),
            ("heading", "1 Boats"),
            ("paragraph", f"{EN[0]}1 So it was."),
            ("paragraph", EN[1]),
            ("caption", "Table 1: Catches"),
            TABLE_BLOCK,
        ),
    ),
    Saved(
        rule="GitHub",
        url="https://github.com/someone/harbour",
        body=f"""<div class="repository-content"><div class="file-list">unwanted: last commit three days ago</div>
        <div id="readme"><article class="markdown-body entry-content"><div class="markdown-heading">
        <h1 class="heading-element">harbour</h1><a class="anchor" href="#harbour">unwanted</a></div>{p(*EN)}
        <div class="highlight"><pre>pip  install harbour</pre><div class="zeroclipboard-container">
        <clipboard-copy>unwanted</clipboard-copy></div></div>{TABLE}</article></div></div>
        <div class="BorderGrid"><h2>unwanted about</h2><p>unwanted: a library for harbours</p></div>""",
        blocks=(("heading", "harbour"), *said(*EN), ("code", "pip  install harbour"), TABLE_BLOCK),
    ),
    Saved(
        rule="WeChat",
        lang="zh",
        url="https://mp.weixin.qq.com/s/abcdef",
        body=f"""<div class="rich_media_inner"><h1 class="rich_media_title" id="activity-name"> 水帘洞 </h1>
        <div id="meta_content">unwanted 作者 公众号</div>
        <div class="rich_media_content" id="js_content" style="visibility: hidden; opacity: 0;">
        <section><p><span>{ZH[0]}</span></p></section><section><span>{ZH[1]}</span></section><p>{ZH[2]}</p>
        <mp-common-profile data-nickname="x">unwanted 关注</mp-common-profile></div>
        <div class="rich_media_tool">unwanted 阅读 100000</div></div>""",
        blocks=(("heading", "水帘洞"), *said(*ZH)),
    ),
    Saved(
        rule="Zhihu",
        lang="zh",
        url="https://zhuanlan.zhihu.com/p/123456",
        body=f"""<article class="Post-Main"><h1 class="Post-Title">水帘洞</h1><div class="Post-Author">unwanted</div>
        <div class="Post-RichTextContainer"><div class="RichText Post-RichText">{p(ZH[0])}<h2>石猴</h2>{p(*ZH[1:])}
        <a class="LinkCard" href="/x">unwanted 卡片</a><h2>参考</h2><ol class="ReferenceList"><li id="ref_1">
        <a class="ReferenceList-backLink" href="#r">unwanted^</a>吴承恩，西游记</li></ol></div></div>
        <div class="ContentItem-actions">unwanted 赞同 999</div></article>
        <div class="Comments-container">unwanted 评论：写得很好，我每天都看。</div>""",
        blocks=(
            ("heading", "水帘洞"),
            ("paragraph", ZH[0]),
            ("heading", "石猴"),
            *said(*ZH[1:]),
            ("heading", "参考"),
            ("list_item", "吴承恩，西游记"),
        ),
    ),
    Saved(
        rule="Zhihu",
        lang="zh",
        url="https://www.zhihu.com/question/1/answer/2",
        body=f"""<div class="QuestionHeader"><h1 class="QuestionHeader-title">石猴为何称王？</h1>
        <div class="QuestionRichText"><span class="RichText ztext">{ZH[0]}</span></div></div>
        <div class="ContentItem AnswerItem"><div class="AuthorInfo">unwanted 作者</div><div class="RichContent">
        <div class="RichContent-inner"><span class="RichText ztext">{p(*ZH[1:])}</span></div>
        <div class="ContentItem-actions">unwanted 赞同</div></div></div>""",
        blocks=(("heading", "石猴为何称王？"), *said(*ZH)),
    ),
    Saved(
        rule="Stack Exchange",
        url="https://unix.stackexchange.com/questions/1/boats",
        body=f"""<div id="question-header"><h1><a href="/q">How do I count boats?</a></h1></div><div id="question"
        class="question"><div class="js-voting-container">unwanted 12</div><div class="s-prose js-post-body"><aside
        class="s-notice">unwanted: closed as a duplicate</aside>{p(EN[0])}<pre><code>ls  boats</code></pre></div>
        <div class="js-comments-container">unwanted: have you tried counting?</div></div><div id="answers">
        <h2>unwanted: 2 answers</h2><div class="answer"><div class="s-prose js-post-body">{p(EN[1])}{TABLE}</div></div>
        <div class="answer"><div class="s-prose js-post-body">{p(EN[2])}</div></div></div>""",
        blocks=(
            ("heading", "How do I count boats?"),
            ("paragraph", EN[0]),
            ("code", "ls  boats"),
            ("paragraph", EN[1]),
            TABLE_BLOCK,
            ("paragraph", EN[2]),
        ),
    ),
    Saved(
        rule="CSDN",
        lang="zh",
        url="https://blog.csdn.net/someone/article/details/1",
        body=f"""<div class="article-title-box"><h1 class="title-article" id="articleContentId">水帘洞</h1></div>
        <div class="bar-content">unwanted 阅读量 1w</div><article class="baidu_pl"><div id="article_content">
        <div id="content_views" class="markdown_views">{p(*ZH)}<pre><code>boats =  12</code>
        <ul class="pre-numbering"><li>unwanted1</li></ul><div class="hljs-button">unwanted 复制</div></pre></div></div>
        </article><div class="recommend-box">unwanted 推荐文章</div>""",
        blocks=(("heading", "水帘洞"), *said(*ZH), ("code", "boats =  12")),
    ),
    Saved(
        rule="cnblogs",
        lang="zh",
        url="https://www.cnblogs.com/someone/p/1.html",
        body=f"""<div class="post"><h1 class="postTitle"><a id="cb_post_title_url" href="/p">水帘洞</a></h1>
        <div id="cnblogs_post_body" class="blogpost-body">{p(*ZH)}<div class="cnblogs_code"><div
        class="cnblogs_code_toolbar"><span>unwanted 复制代码</span></div><pre>boats =  12</pre></div>{TABLE}</div>
        <div id="blog_post_info">unwanted 好文要顶</div><div class="postDesc">unwanted posted @ 2020</div></div>""",
        blocks=(("heading", "水帘洞"), *said(*ZH), ("code", "boats =  12"), TABLE_BLOCK),
    ),
    Saved(
        rule="Jianshu",
        lang="zh",
        url="https://www.jianshu.com/p/1234",
        body=f"""<section class="ouvJEz"><h1 class="_1RuRku" title="水帘洞">水帘洞</h1><div>unwanted 字数 300</div>
        <article class="_2rhmJa">{p(*ZH)}<blockquote><p>列位呵</p></blockquote></article>
        <div class="_1kCBjS">unwanted 人点赞</div></section>""",
        blocks=(("heading", "水帘洞"), *said(*ZH), ("quotation", "列位呵")),
    ),
    Saved(
        rule="Substack",
        url="https://harbour.substack.com/p/boats",
        body=f"""<article class="newsletter-post post"><div class="post-header"><h1 class="post-title">Boats</h1>
        <div class="byline">unwanted Ann Fisher</div></div><div class="available-content"><div class="body markup">
        <p>{EN[0]}<a class="footnote-anchor" href="#footnote-1" id="footnote-anchor-1">1</a></p>
        <div class="subscription-widget-wrap"><p>unwanted: thanks for reading, subscribe</p></div>{p(EN[1])}
        <div class="digest-post-embed"><h4>unwanted: nets</h4><p>unwanted: how nets were made by hand</p></div>
        <p class="button-wrapper"><a href="/s">unwanted: share</a></p>{p(EN[2])}<div class="footnote"><a
        id="footnote-1" class="footnote-number" href="#footnote-anchor-1">1</a><div class="footnote-content">
        <p>So it was.</p></div></div></div></div></article>""",
        blocks=(
            ("heading", "Boats"),
            ("paragraph", f"{EN[0]}1"),
            *said(*EN[1:]),
            ("footnote", "1"),
            ("footnote", "So it was."),
        ),
    ),
    Saved(
        rule="Medium",
        head='<meta property="al:android:package" content="com.medium.reader">',
        url="https://blog.example.org/boats-1234",
        body=f"""<article class="meteredContent"><div><section><h1 class="pw-post-title">Boats</h1>
        <div class="speechify-ignore"><p data-testid="authorName">unwanted Ann Fisher</p><span>unwanted: 3 min read
        </span></div>{p(*EN)}<pre><span>ls  boats</span></pre></section></div></article>
        <section><p>unwanted: more from the author, as if this were not enough for a day</p></section>""",
        blocks=(("heading", "Boats"), *said(*EN), ("code", "ls  boats")),
    ),
    Saved(
        rule="Project Gutenberg",
        url="https://www.gutenberg.org/cache/epub/1/pg1-images.html",
        body=f"""<section class="pg-boilerplate pgheader" id="pg-header"><h2>unwanted: the Project Gutenberg eBook</h2>
        <p>unwanted: this eBook is for the use of anyone</p></section><h1>The Boats</h1><h2>CHAPTER I</h2>
        <p><span class="pagenum">unwanted 3</span>{EN[0]}</p>{p(*EN[1:])}
        <section class="pg-boilerplate" id="pg-footer"><p>unwanted: the full licence, which is long</p></section>""",
        bare=True,
        blocks=(("heading", "The Boats"), ("heading", "CHAPTER I"), *said(*EN)),
    ),
    Saved(
        rule="Sphinx and Read the Docs",
        url="https://docs.example.org/boats.html",
        body=f"""<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body"
        role="main"><section id="boats"><h1>Boats<a class="headerlink" href="#boats">unwanted</a></h1><p>{EN[0]} <a
        class="footnote-reference" href="#id2" id="id1">1</a></p>{p(*EN[1:])}<div class="highlight"><table
        class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>unwanted1</pre></div></td><td
        class="code"><pre>boats =  12</pre></td></tr></table></div>{TABLE}<aside class="footnote" id="id2"
        role="doc-footnote"><span class="label">1</span><p>So it was.</p></aside></section></div></div></div>
        <div class="sphinxsidebar"><h3>unwanted contents</h3></div></div>""",
        blocks=(
            ("heading", "Boats"),
            ("paragraph", f"{EN[0]} 1"),
            *said(*EN[1:]),
            ("code", "boats =  12"),
            TABLE_BLOCK,
            ("footnote", "1"),
            ("footnote", "So it was."),
        ),
    ),
    Saved(
        rule="Sphinx and Read the Docs",
        url="https://boats.readthedocs.io/en/latest/",
        body=f"""<div class="rst-content"><div role="navigation">unwanted: docs » boats</div><div role="main"
        class="document"><div itemprop="articleBody"><section><h1>Boats<a class="headerlink">unwanted</a></h1>
        {p(*EN)}</section></div></div><div class="rst-footer-buttons">unwanted next</div></div>""",
        blocks=(("heading", "Boats"), *said(*EN)),
    ),
    Saved(
        rule="MkDocs",
        head='<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.5">',
        body=f"""<div class="md-sidebar">unwanted contents</div><div class="md-content"><article
        class="md-content__inner md-typeset"><a class="md-content__button" href="/e">unwanted edit</a><h1>Boats<a
        class="headerlink">unwanted</a></h1>{p(*EN)}<pre><code>ls  boats</code></pre>{TABLE}
        <aside class="md-source-file">unwanted: last update</aside><form class="md-feedback">unwanted: helpful?</form>
        </article></div>""",
        blocks=(("heading", "Boats"), *said(*EN), ("code", "ls  boats"), TABLE_BLOCK),
    ),
    Saved(
        rule="WordPress",
        head='<meta name="generator" content="WordPress 6.6">',
        body=f"""<article class="post"><header class="entry-header"><h1 class="entry-title">Boats</h1><span
        class="posted-on">unwanted: posted on Monday</span></header><div class="entry-content">{p(*EN)}{TABLE}
        <div class="sharedaddy"><h3>unwanted: share this</h3></div><div id="jp-relatedposts" class="jp-relatedposts">
        <h3>unwanted: related</h3></div></div><footer class="entry-footer">unwanted tags</footer></article>""",
        blocks=(("heading", "Boats"), *said(*EN), TABLE_BLOCK),
    ),
)
