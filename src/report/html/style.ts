/** Colours. Print is always light. */
const LIGHT = `--text: #1d2024; --soft: #59616b; --page: #fff; --card: #f5f7f9; --line: #d5dbe1; --control: #7b8590;
  --good: #14692f; --bad: #b3171f; --unsure: #7a5200; --plain: #59616b; --link: #0b57b0;`;
const DARK = `--text: #e6e9ec; --soft: #a3adb8; --page: #14171a; --card: #1d2125; --line: #363c43; --control: #7b8590;
  --good: #5fcf80; --bad: #ff8a8a; --unsure: #e8b44c; --plain: #a3adb8; --link: #7db5ff;`;

/** The one style sheet of every page. */
export const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--page); color: var(--text);
  overflow-wrap: anywhere; font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.15rem; font-weight: 600; margin: 0 0 .25rem; } header p { margin: 0; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .6rem; } h3 .soft { font-weight: 400; }
p { margin: .5rem 0; } ul { margin: .25rem 0; padding-left: 1.4rem; } li { margin: .2rem 0; }
a { color: var(--link); } a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  font-variant-ligatures: none; }
code { padding: .05em .3em; border-radius: .25em; background: var(--card); border: 1px solid var(--line);
  box-decoration-break: clone; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.good { --tone: var(--good); } .bad { --tone: var(--bad); }
.unsure { --tone: var(--unsure); } .plain { --tone: var(--plain); }
.status, .sign { color: var(--tone); font-weight: 600; white-space: nowrap; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: .875rem; }
.verdict, article { border: 1px solid var(--line); border-left: .35rem solid var(--tone); border-radius: .4rem;
  padding: .9rem 1.1rem; margin: 0 0 1rem; }
.verdict { border-left-width: .5rem; margin: 1rem 0; padding: 1rem 1.25rem; background: var(--card); }
.verdict p { margin: .25rem 0; }
.verdict .conclusion { font-size: 1.4rem; line-height: 1.35; font-weight: 650; color: var(--tone); }
.bar { position: sticky; top: 0; z-index: 1; margin: 1.5rem 0 0; background: var(--page);
  border-bottom: 1px solid var(--line); }
.bar ul { display: flex; gap: 0 1.25rem; list-style: none; margin: 0; padding: .6rem 0; overflow-x: auto;
  white-space: nowrap; }
.headlines ul { list-style: none; margin: 1rem 0; padding: 0; }
article h3 { margin-top: 0; } article:target { outline: 2px solid var(--link); outline-offset: 2px; }
.id { white-space: nowrap; }
.evidence { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .3rem .75rem; margin: .6rem 0 0; }
.evidence dt { color: var(--soft); } .evidence dd { margin: 0; } .evidence dd ul { margin: 0; padding-left: 1.1rem; }
.evidence dd > pre { line-height: 1.714; }
summary { cursor: pointer; } summary code { border: 0; background: none; padding: 0; }
details > pre { margin: .4rem 0 .6rem; padding: .6rem .8rem; background: var(--card); border-radius: .3rem; }
.requirement { border: 1px solid var(--line); border-left: .35rem solid var(--tone); }
.requirement + .requirement { border-top: 0; }
.requirement > summary { display: grid; grid-template-columns: 1rem 1.1rem 7rem minmax(0, 1fr) 12rem; gap: 0 .5rem;
  padding: .5rem .75rem; list-style: none; }
.requirement > summary::-webkit-details-marker { display: none; }
.requirement > summary::before { content: '▸' / ''; color: var(--soft); }
.requirement[open] > summary::before { content: '▾' / ''; }
.requirement > summary:hover, .requirement:target > summary { background: var(--card); }
.requirement > summary .id { font-weight: 600; }
.requirement > .evidence { padding: 0 .75rem .75rem 3.4rem; }
.requirement .state { padding-left: .5rem; white-space: nowrap; }
.requirement .state .soft { display: block; font-size: .875rem; }
[hidden] { display: none !important; }
.controls { display: flex; flex-wrap: wrap; gap: .6rem 1.25rem; align-items: end; margin: .5rem 0; padding: .8rem 1rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
.controls fieldset { border: 0; padding: 0; margin: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: .3rem; }
.controls legend { padding: 0; } .controls p { margin: 0; } .shown { color: var(--soft); }
.controls .search { flex: 1 1 16rem; } .controls input[type=search] { display: block; width: 100%; }
.chip { margin-right: .75rem; white-space: nowrap; } .chip input { accent-color: var(--link); }
input[type=search], button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--control);
  border-radius: .35rem; padding: .25rem .7rem; }
button { padding: 0 .4rem; font-size: .875rem; line-height: 1.375rem; cursor: pointer; }
.copy { float: right; margin-left: .75rem; color: var(--soft); }
mark { background: none; color: var(--bad); font-weight: 700; outline: 1px solid var(--bad); border-radius: .2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .925rem; }
caption { text-align: left; color: var(--soft); padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line);
  overflow-wrap: normal; }
th { font-weight: 600; } thead th { color: var(--soft); font-size: .85rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } td.number { white-space: nowrap; }
@media (max-width: 40rem) { body { padding: 1rem; } .bar { position: static; } .bar ul { flex-wrap: wrap; }
  html { scroll-padding-top: .5rem; }
  .verdict .conclusion { font-size: 1.2rem; }
  .evidence { grid-template-columns: minmax(0, 1fr); gap: .1rem; } .evidence dt { margin-top: .5rem; }
  .requirement > summary { grid-template-columns: .9rem 1rem minmax(0, 1fr) auto; }
  .requirement > summary .says { grid-row: 2; grid-column: 3 / -1; }
  .requirement .state .soft { display: none; } .requirement > .evidence { padding-left: .75rem; }
  table { font-size: .8125rem; } th, td { padding: .35rem .3rem; } }
@media print { :root { color-scheme: light; ${LIGHT} } html { font-size: 10px; } body { max-width: none; padding: 0; }
  .bar, .controls, button { display: none !important; } * { print-color-adjust: exact; } .wide { overflow: visible; }
  details::details-content { content-visibility: visible; } .requirement > summary::before { content: '' !important; }
  a { color: inherit; text-decoration: none; } .verdict, tr, .evidence > * { break-inside: avoid; }
  h2, h3, summary { break-after: avoid; } }
`;
