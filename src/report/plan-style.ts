/** The style of the page of a plan: the house colours, light and dark, narrow and wide, on screen and on paper. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f5f6f4, #131615);
  --card: light-dark(#ffffff, #1b1f1d);
  --line: light-dark(#dfe3df, #303633);
  --text: light-dark(#1b211e, #e6ebe8);
  --faint: light-dark(#5c665f, #9aa69f);
  --good: light-dark(#1c7a55, #55c896);
  --busy: light-dark(#1f63b5, #74aef5);
  --warn: light-dark(#8a5a00, #e6b450);
  --bad: light-dark(#b3352b, #ff8a7d);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--ground);
  color: var(--text);
  font: 15px / 1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  margin: 0 auto;
  max-width: 1040px;
  overflow-wrap: anywhere;
  padding: 2rem clamp(0.75rem, 3vw, 2rem);
}
h1 { font-size: 1.9rem; font-weight: 700; letter-spacing: -0.01em; line-height: 1.2; text-wrap: balance; }
h2 { font-size: 1.1rem; font-weight: 650; }
h3 { align-items: center; display: flex; flex-wrap: wrap; font-size: 1rem; gap: 0.5rem; }
code, pre { font-family: var(--mono); font-size: 0.9em; }
pre {
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 0.5rem 0.7rem;
  white-space: pre-wrap;
}
:focus-visible { outline: 2px solid var(--busy); outline-offset: 2px; }
main:focus { outline: none; }
.unseen, .skip:not(:focus) {
  clip-path: inset(50%);
  height: 1px;
  overflow: hidden;
  position: absolute;
  white-space: nowrap;
  width: 1px;
}
.skip { color: inherit; }
.faint, footer, .site, .legend, dt { color: var(--faint); }
ul, ol { list-style: none; padding: 0; }
header { display: grid; gap: 0.7rem; margin-bottom: 1.5rem; }
.brand {
  align-items: center;
  color: var(--faint);
  display: flex;
  font-size: 0.85rem;
  font-weight: 600;
  gap: 0.5rem;
  letter-spacing: 0.04em;
  text-transform: uppercase;
}
.brand svg { fill: var(--good); width: 1.6rem; }
.decision {
  align-items: center;
  background: color-mix(in srgb, var(--tone) 9%, var(--card));
  border: 1px solid color-mix(in srgb, var(--tone) 45%, var(--card));
  border-left: 6px solid var(--tone);
  border-radius: 10px;
  color: var(--tone);
  display: flex;
  font-size: 1.15rem;
  font-weight: 650;
  gap: 0.8rem;
  padding: 0.8rem 1rem;
}
.decision svg { fill: currentColor; flex: none; width: 1.7rem; }
.good { --tone: var(--good); }
.busy { --tone: var(--busy); }
.warn { --tone: var(--warn); }
.bad { --tone: var(--bad); }
.counts, .legend { display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; }
.counts li {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 99px;
  padding: 0.1rem 0.8rem;
}
.counts .none { background: none; color: var(--faint); }
b { font-variant-numeric: tabular-nums; font-weight: 650; }
main { display: grid; gap: 1rem; }
section {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 10px;
  display: grid;
  gap: 0.8rem;
  min-width: 0;
  padding: 1.1rem 1.2rem 1.2rem;
}
.once { border-top: 4px solid var(--warn); }
.once h2 { color: var(--warn); }
.stop { border-top: 4px solid var(--bad); }
.stop h2 { color: var(--bad); }
.things { columns: 22rem 2; column-gap: 2rem; }
.things li { break-inside: avoid; padding: 0.2rem 0 0.2rem 1.4rem; position: relative; }
.things li::before { color: var(--warn); content: "●" / ""; font-size: 0.6em; left: 0.3rem; position: absolute; top: 0.75em; }
.things code { color: var(--faint); display: block; font-size: 0.8em; }
.steps > li {
  display: grid;
  gap: 0.6rem;
  min-width: 0;
  padding: 0 0 1.6rem 2.7rem;
  position: relative;
}
.steps > li > * { min-width: 0; }
.steps > li:last-child { padding-bottom: 0; }
.steps > li:not(:last-child)::before {
  background: var(--line);
  bottom: -0.2rem;
  content: "";
  left: 0.85rem;
  position: absolute;
  top: 2rem;
  width: 2px;
}
.mark {
  align-items: center;
  background: var(--card);
  border: 2px solid var(--tone);
  border-radius: 50%;
  color: var(--tone);
  display: flex;
  font: 700 1rem / 1 var(--mono);
  height: 1.8rem;
  justify-content: center;
  left: 0;
  position: absolute;
  top: 0;
  width: 1.8rem;
}
.create { --tone: var(--good); }
.update { --tone: var(--warn); }
.resume, .wait { --tone: var(--busy); }
.no-op { --tone: var(--faint); }
.chip {
  border: 1px solid currentColor;
  border-radius: 99px;
  color: var(--tone, var(--faint));
  display: inline-block;
  font-size: 0.8rem;
  font-weight: 500;
  padding: 0 0.6rem;
  white-space: nowrap;
}
.stops { --tone: var(--bad); }
details { border: 1px solid var(--line); border-radius: 8px; }
summary {
  align-items: baseline;
  cursor: pointer;
  display: flex;
  flex-wrap: wrap;
  gap: 0.1rem 0.6rem;
  list-style: none;
  padding: 0.4rem 0.8rem;
}
summary::-webkit-details-marker { display: none; }
summary::before { color: var(--faint); content: "▸" / ""; width: 0.8em; }
[open] > summary::before { content: "▾" / ""; }
summary:hover { background: var(--ground); border-radius: 8px; }
.stages { counter-reset: stage; columns: 15rem 3; column-gap: 1.5rem; }
.stages li { break-inside: avoid; counter-increment: stage; padding: 0.12rem 0; }
.stages li::before {
  color: var(--faint);
  content: counter(stage);
  display: inline-block;
  font-variant-numeric: tabular-nums;
  margin-right: 0.6rem;
  text-align: right;
  width: 1.3rem;
}
table { border-collapse: collapse; table-layout: fixed; width: 100%; }
thead th:first-child { width: 30%; }
thead th:last-child { width: 26%; }
.stop thead th:first-child { width: 33%; }
.stop thead th:last-child { width: 17%; }
.stop thead th:nth-child(4) { width: 16%; }
.stop table + p { margin-top: 1rem; }
th, td { border-top: 1px solid var(--line); font-weight: 400; padding: 0.35rem 0.8rem; text-align: left; vertical-align: top; }
thead th { border: 0; color: var(--faint); font-size: 0.8rem; padding-bottom: 0.1rem; padding-top: 0; }
section > table th:first-child, section > table td:first-child { padding-left: 0; }
td:last-child { color: var(--faint); }
.found td:last-child { color: inherit; }
.volumes thead th:first-child { width: 24%; }
.volumes thead th:nth-child(2) { width: 7%; }
.volumes thead th:nth-child(3) { width: 19%; }
.volumes thead th:last-child { width: 21%; }
.found thead th:nth-child(n) { width: auto; }
.found thead th:first-child { width: 30%; }
td:last-child code { font-size: 0.8em; }
.found td:last-child code { font-size: 0.9em; }
.label { display: none; }
.named { display: flex; gap: 0.35rem; }
.named code { min-width: 0; }
.sign { flex: none; font-family: var(--mono); font-weight: 700; width: 0.9em; }
.new { color: var(--good); }
.gone { color: var(--bad); }
.other { color: var(--warn); }
.coverage { background: var(--line); border-radius: 5px; display: block; height: 12px; overflow: hidden; width: 100%; }
.equal { fill: var(--good); }
.different { fill: var(--bad); }
.recorded { fill: var(--busy); }
.asserted { fill: var(--busy); opacity: 0.5; }
.unknowable { fill: light-dark(#a9b1ac, #6b756f); }
.dot { height: 0.75em; width: 0.75em; }
.legend li { margin-right: 0.6rem; }
.legend b { color: var(--text); }
dl div { border-top: 1px solid var(--line); display: grid; gap: 0.2rem 1rem; grid-template-columns: 10rem 1fr; padding: 0.35rem 0; }
dd { min-width: 0; }
dd code { font-size: 0.82em; }
footer { font-size: 0.85rem; margin-top: 1.25rem; }
@media (max-width: 46rem) {
  body { padding-top: 1rem; }
  h1 { font-size: 1.5rem; }
  section { padding: 0.9rem 0.9rem 1rem; }
  .steps > li { padding-left: 0; }
  .steps > li:not(:last-child)::before { display: none; }
  .mark { height: 1.5rem; width: 1.5rem; }
  h3 { padding-left: 2rem; }
  thead { display: none; }
  tr { border-top: 1px solid var(--line); display: block; padding: 0.4rem 0.8rem; }
  section > table tr { padding-inline: 0; }
  th, td { border: 0; display: block; padding: 0.05rem 0; }
  td { display: grid; gap: 0.5rem; grid-template-columns: 5rem minmax(0, 1fr); }
  .label { color: var(--faint); display: block; font-size: 0.85em; }
  dl div { grid-template-columns: 1fr; }
}
@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 10pt; max-width: none; padding: 0; }
  /* Chromium places the rows of a grid before it breaks pages: what follows a table would be printed over it. */
  main, section, .steps > li { display: block; }
  main > * + *, section > * + *, .steps > li > h3 ~ * { margin-top: 0.7rem; }
  section { border-left: 0; border-radius: 0; border-right: 0; padding: 0.6rem 0; }
  tr, h2, h3, summary, .steps > li > p { break-inside: avoid; }
  h2, h3, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  summary::before, [open] > summary::before { content: none; }
  .skip { display: none; }
  .decision, .coverage { print-color-adjust: exact; }
}
@media (forced-colors: active) {
  .coverage, .dot { forced-color-adjust: none; }
}
`
