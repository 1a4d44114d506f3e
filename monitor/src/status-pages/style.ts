/** The style of every status page. The colours are those of the console (`web/src/ui/css/tokens.css`). */
export const statusStyle = `:root{color-scheme:light dark;--bg:light-dark(#f0f5f7,#071216);--surface:light-dark(#fff,#0d1a1f);--border:light-dark(#d9e1e4,#1e2c33);--text:light-dark(#0f2630,#e7eef0);--quiet:light-dark(#3f535d,#abb8be);--accent:light-dark(#006078,#78cdda);--up:light-dark(#1a7f4b,#5fc48d);--slow:light-dark(#9a6700,#e0b252);--slow-soft:light-dark(#fff1d8,#342514);--slow-border:light-dark(#f0c686,#754f21);--down:light-dark(#c62828,#f08a84);--planned:light-dark(#33617a,#8fb9d0);--none:light-dark(#c0cbcf,#33444c)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1rem}
h1{margin:0;font-size:1.5rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1rem}
h3{margin:0;font-size:1rem;font-weight:600}
p{margin:.25rem 0}
ul{margin:0;padding:0;list-style:none}
a{color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.overall,.components,article{background:var(--surface);border:1px solid var(--border);border-radius:.625rem}
.overall{display:flex;gap:.625rem;align-items:center;margin:1.25rem 0 0;padding:1rem;font-weight:600}
.components li{padding:.875rem 1rem}
.components li+li{border-top:1px solid var(--border)}
article{padding:.875rem 1rem;margin-bottom:.75rem}
article.going-on{padding-top:0;border-color:var(--slow-border)}
.going-on h3{margin:0 -1rem;padding:.75rem 1rem;border-bottom:1px solid var(--slow-border);border-radius:.5625rem .5625rem 0 0;background:var(--slow-soft)}
.update{margin-top:.625rem}
.line{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between}
.state{display:inline-flex;gap:.5rem;align-items:center;color:var(--quiet)}
.lamp{flex:none;width:.625rem;height:.625rem;border-radius:50%;background:var(--none)}
.up .lamp{background:var(--up)}
.slow .lamp{background:var(--slow)}
.down .lamp{background:var(--down)}
.maintenance .lamp{background:var(--planned)}
.quiet,footer{color:var(--quiet);font-size:.875rem}
footer{margin-top:2rem}
footer a{margin-right:.75rem}
.bars{display:block;width:100%;height:1.75rem;margin:.5rem 0 .25rem}
.bars path{fill:none;stroke-width:3}
.bars .good{stroke:var(--up)}
.bars .some{stroke:var(--slow)}
.bars .bad{stroke:var(--down)}
.bars .planned{stroke:var(--planned)}
.bars .none{stroke:var(--none)}
`;
