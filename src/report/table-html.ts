import type { FieldTableRow } from './fields/field-rows.js'
import { type Html, html, renderCode, renderPhrase } from './html.js'
import type { Section, SectionRow } from './section.js'

/** Renders a table whose rows become cards on a narrow screen, each cell with the name of its column. */
export function renderTable(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly Html[])[],
): Html {
  const heads = columns.map(column => html`<th scope="col">${column}</th>`)
  const body = rows.map(
    row =>
      html`<tr>${row.map((cell, at) =>
        at === 0
          ? html`<th scope="row">${cell}</th>`
          : html`<td><span class="label">${columns[at] ?? ''}</span><div>${cell}</div></td>`,
      )}</tr>`,
  )
  return html`<table><caption class="unseen">${title}</caption><thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody></table>`
}

/** Renders a section of a page; the sign of a row precedes its first cell and is read out as a word. */
export function renderSection({ title, tone, lead, columns, rows }: Section): Html {
  const cells = rows.map(({ sign, cells: [first = [], ...rest] }) => [
    html`<span class="named">${resultSigns[sign]}<span>${renderPhrase(first)}</span></span>`,
    ...rest.map(renderPhrase),
  ])
  return html`${sectionOpens[tone]}
<h2>${title}</h2>
<p>${renderPhrase(lead)}</p>
${renderTable(title, columns, cells)}
</section>`
}

const sectionOpens: Readonly<Record<Section['tone'], Html>> = {
  good: html`<section class="found">`,
  bad: html`<section class="found stop">`,
}

const resultSigns: Readonly<Record<SectionRow['sign'], Html>> = {
  '+': html`<span class="sign new"><span aria-hidden="true">+</span><span class="unseen">OK</span></span>`,
  '-': html`<span class="sign gone"><span aria-hidden="true">−</span><span class="unseen">not OK</span></span>`,
  '!': html`<span class="sign other"><span aria-hidden="true">!</span><span class="unseen">note</span></span>`,
  '?': html`<span class="sign faint"><span aria-hidden="true">?</span><span class="unseen">not checked</span></span>`,
}

/** Renders the name of a field after the sign of its change, which is read out as a word. */
export function renderSignedName(sign: FieldTableRow['sign'], name: string): Html {
  return html`<span class="named">${changeSigns[sign]}${renderCode(name)}</span>`
}

const changeSigns: Readonly<Record<FieldTableRow['sign'], Html>> = {
  '+': html`<span class="sign new"><span aria-hidden="true">+</span><span class="unseen">new</span></span>`,
  '-': html`<span class="sign gone"><span aria-hidden="true">&minus;</span><span class="unseen">removed</span></span>`,
  '~': html`<span class="sign other"><span aria-hidden="true">~</span><span class="unseen">changed</span></span>`,
}
