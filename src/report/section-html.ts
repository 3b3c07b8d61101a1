import { type Html, html, renderPhrase } from './html.js'
import type { Section, SectionRow } from './section.js'
import { renderTable } from './table-html.js'

/** Renders a section of a page; the sign of a row precedes its first cell and is read out as a word. */
export function renderSection({ title, tone, lead, columns, rows }: Section): Html {
  const cells = rows.map(({ sign, cells: [first = [], ...rest] }) => [
    html`<span class="named">${signs[sign]}<span>${renderPhrase(first)}</span></span>`,
    ...rest.map(renderPhrase),
  ])
  return html`${opens[tone]}
<h2>${title}</h2>
<p>${renderPhrase(lead)}</p>
${renderTable(title, columns, cells)}
</section>`
}

const opens: Readonly<Record<Section['tone'], Html>> = {
  good: html`<section class="found">`,
  bad: html`<section class="found stop">`,
}

const signs: Readonly<Record<SectionRow['sign'], Html>> = {
  '+': html`<span class="sign new"><span aria-hidden="true">+</span><span class="unseen">OK</span></span>`,
  '-': html`<span class="sign gone"><span aria-hidden="true">−</span><span class="unseen">not OK</span></span>`,
  '!': html`<span class="sign other"><span aria-hidden="true">!</span><span class="unseen">note</span></span>`,
  '?': html`<span class="sign faint"><span aria-hidden="true">?</span><span class="unseen">not checked</span></span>`,
}
