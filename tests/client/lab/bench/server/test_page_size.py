"""What a page refers to, and so loads."""

from __future__ import annotations

from client.lab.bench.server import page_size


def test_references_leave_out_comments_other_sites_data_and_what_is_loaded_later() -> None:
    script = b"/** @type {import('./types.js').A} */\nimport { a } from './a.js';\nawait import('/static/b.js');\n"
    assert page_size.references("/static/main.js", script, "text/javascript") == ["/static/a.js"]
    html = b'<a href="#top"><link href="https://example.org/x.css"><script src="/static/m.js"></script>'
    assert page_size.references("/", html, "text/html") == ["/static/m.js"]
    packed = b'import{a as b}from"./a.js";import"./b.js";var c=()=>import("./c.js");'
    assert page_size.references("/static/main.js", packed, "text/javascript") == ["/static/a.js", "/static/b.js"]
    texts = b'<meta name="languages" content="de=/static/d.json en=/static/e.json">'
    assert page_size.references("/", texts, "text/html") == ["/static/e.json"]
    assert page_size.references(
        "/static/s.css", b"a{background:url(data:x)} b{background:url('c.svg')}", "text/css"
    ) == ["/static/c.svg"]
