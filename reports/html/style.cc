// SPDX-License-Identifier: Apache-2.0
// The style of the pages: a light and a dark theme, chosen by the reader's preference; one column on a phone; failures
// expanded on paper. The contrast of text and background is at least 4.5 to 1.
#include "reports/html/page.h"

namespace wirelaw::html {

const std::string_view kStyle = R"css(
:root{--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--soft:#f6f8fa;--link:#0550ae;
--fail:#b3131b;--failbg:#ffebe9;--pass:#116329;--passbg:#dafbe1;--warn:#7d4e00;--warnbg:#fff8c5;--none:#57606a;--nonebg:#eaeef2;
--mark:#ffd8d3;--field:#fff1b8}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9aa4af;--line:#30363d;--soft:#161b22;--link:#79b8ff;
--fail:#ff8e85;--failbg:#4a1215;--pass:#6fdd8b;--passbg:#10351d;--warn:#f0c04a;--warnbg:#3b2c00;--none:#9aa4af;--nonebg:#21262d;
--mark:#7a1f22;--field:#4d3d00}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,footer{max-width:70rem;margin:0 auto;padding:0 1rem}
footer{color:var(--dim);padding:2rem 1rem;font-size:.875rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem}
h1{font-size:1.5rem;margin:1.5rem 0 .5rem}h2{font-size:1.2rem;margin:2.5rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
h3{font-size:1rem;margin:1rem 0 .25rem}
a{color:var(--link)}p{margin:.25rem 0}.dim{color:var(--dim)}.wrap{overflow-wrap:anywhere}
.verdict{padding:.75rem 1rem;border-radius:.5rem;font-weight:600;border:1px solid;overflow-wrap:anywhere}
.verdict.ok{color:var(--pass);background:var(--passbg)}.verdict.bad{color:var(--fail);background:var(--failbg)}
.tiles{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:1rem 0;padding:0}
.tiles li{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.4rem .75rem}
.tiles b{font-size:1.15rem}
nav{position:sticky;top:0;z-index:1;background:var(--bg);border-bottom:1px solid var(--line);padding:.5rem 0}
nav a{margin-right:.9rem;white-space:nowrap}
.filter{display:flex;flex-wrap:wrap;gap:.35rem .9rem;align-items:center;margin-top:.4rem;font-size:.9rem}
.filter input[type=search]{flex:1 1 12rem;min-width:9rem;font:inherit;padding:.25rem .5rem;color:inherit;background:var(--soft);border:1px solid var(--dim);border-radius:.35rem}
.filter label{white-space:nowrap}
.v{display:inline-block;border-radius:.3rem;padding:0 .4rem;font-size:.8rem;font-weight:600;white-space:nowrap;color:var(--none);background:var(--nonebg)}
.v-pass,.v-better,.v-judged{color:var(--pass);background:var(--passbg)}
.v-fail,.v-critical,.v-major,.v-violation,.v-worse,.v-unstable{color:var(--fail);background:var(--failbg)}
.v-warned,.v-minor,.v-warning,.v-inconclusive,.v-partial,.v-gone{color:var(--warn);background:var(--warnbg)}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border-bottom:1px solid var(--line)}
th{font-size:.85rem;color:var(--dim)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.scroll{overflow-x:auto}.scroll td.wrap{min-width:11rem}
.bar{display:flex;min-width:6rem;height:.7rem;border-radius:.35rem;overflow:hidden;background:var(--nonebg);margin-top:.45rem}
.bar i{display:block}.bar .p{background:var(--pass)}.bar .f{background:var(--fail)}.bar .w{background:var(--warn)}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;background:var(--bg)}
summary{cursor:pointer;padding:.5rem .75rem;overflow-wrap:anywhere}
summary:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid var(--link);outline-offset:1px}
details[open]>summary{border-bottom:1px solid var(--line);background:var(--soft)}
.in{padding:.5rem .75rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .9rem;margin:.4rem 0}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere;min-width:0}
code,pre,.ad{font:13px/1.45 ui-monospace,"Cascadia Mono","DejaVu Sans Mono",monospace}
pre{overflow-x:auto;background:var(--soft);border:1px solid var(--line);border-radius:.35rem;padding:.5rem;margin:.4rem 0}
pre mark{background:var(--mark);color:inherit;font-weight:700;outline:1px solid var(--fail)}
pre u{background:var(--field);text-decoration:none}
.finding{border-left:4px solid var(--fail);padding:.1rem 0 .1rem .75rem;margin:.9rem 0}.finding.w{border-color:var(--warn)}
.ends{display:flex;justify-content:space-between;gap:1rem;margin:.6rem 0 0;padding:0 .25rem;font-weight:600;overflow-wrap:anywhere}
.lad{list-style:none;margin:0 0 .6rem;padding:.25rem 0;border:solid var(--dim);border-width:0 3px;font-size:.875rem}
.lad li{padding:.2rem 1rem .3rem;position:relative}
.lad .t{color:var(--dim);font-variant-numeric:tabular-nums;margin-right:.6rem;white-space:nowrap}
.lad .m{overflow-wrap:anywhere}
.lad .r,.lad .l{border-bottom:2px solid var(--link)}
.lad .r::after,.lad .l::after{content:"";position:absolute;bottom:-6px;border:5px solid transparent;z-index:1}
.lad .r::after{right:0;border-left:9px solid var(--link);border-right:0}
.lad .l::after{left:0;border-right:9px solid var(--link);border-left:0}
.lad .l{text-align:right}
.lad .x{background:var(--failbg);border-color:var(--fail)}.lad .x.r::after{border-left-color:var(--fail)}.lad .x.l::after{border-right-color:var(--fail)}
.lad .gap{color:var(--dim);text-align:center;font-style:italic}
[hidden]{display:none!important}
@media(max-width:40rem){main{padding:0 .6rem}dl{grid-template-columns:1fr;gap:0}dt{margin-top:.35rem}.hide{display:none}nav{position:static}
.lad li{padding-left:.6rem;padding-right:.6rem}th,td{padding:.3rem .3rem}}
.stack td:empty{display:none}
@media(max-width:40rem){.stack thead{display:none}.stack tr{display:block;border-bottom:1px solid var(--line);padding:.35rem 0}
.stack td{display:block;border:0;padding:.1rem .3rem}.stack td.n{text-align:left}.scroll td.wrap{min-width:0}}
@media print{.more:not(.wanted){display:none}.sheet h1{margin-top:0}.sheet{font-size:9.5pt}.sheet p,.sheet dl,.sheet table{margin:.25rem 0}
.sheet td,.sheet th{padding:.15rem .4rem}.more.wanted{break-before:page}footer{padding:.5rem 0}.screen{display:none}
nav,.skip{display:none}body{font-size:10pt}details{break-inside:avoid-page;border-color:#999}pre{white-space:pre-wrap}a{color:inherit}}
)css";

}  // namespace wirelaw::html
