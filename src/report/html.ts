import { display } from './display.js'
import type { Phrase, Section, SectionRow } from './phrase.js'

/** Markup that is safe to put into a page; only `html` creates it. */
export interface Html {
  readonly markup: string
}

/** Builds markup from a template. Escapes text, and allows only numbers inside tags, so no attribute is built from data. */
export function html(
  parts: TemplateStringsArray,
  ...holes: readonly (string | number | Html | readonly Html[])[]
): Html {
  let markup = parts[0] ?? ''
  holes.forEach((hole, at) => {
    if (typeof hole !== 'number' && markup.lastIndexOf('<') > markup.lastIndexOf('>'))
      throw new TypeError('only numbers are allowed in a tag')
    markup += renderHole(hole) + (parts[at + 1] ?? '')
  })
  return { markup }
}

function renderHole(hole: string | number | Html | readonly Html[]): string {
  if (typeof hole === 'number') return String(hole)
  if (typeof hole === 'string')
    return display(hole).replaceAll(/[&<>"']/g, character => entities[character] ?? '')
  return 'markup' in hole ? hole.markup : hole.map(({ markup }) => markup).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const afterSlash = /(?<=\w\/)(?=\w)/
const afterPart = /(?<=[a-z][._])(?=\w)/i

/** Renders untrusted text as code, which translators skip. A long path or name breaks between its parts. */
export function renderCode(text: string): Html {
  // A text of several words breaks between them.
  if (/[\s=]/.test(text)) return renderParts([text])
  return renderParts(text.split(text.includes('/') ? afterSlash : afterPart))
}

/** Renders file and line. A long path breaks between its folders. */
export function renderPlace(place: string): Html {
  return renderParts(place.split(afterSlash))
}

function renderParts([first = '', ...others]: readonly string[]): Html {
  return html`<code translate="no">${first}${others.map(part => html`<wbr>${part}`)}</code>`
}

/** Renders a phrase in a page. */
export function renderPhrase(pieces: Phrase): Html {
  return html`${pieces.map(({ kind, text }) => (kind === 'words' ? html`${text}` : renderCode(text)))}`
}

export const nothing: Html = html``

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

/** A field that is new, removed or changed. */
export type ChangeSign = '+' | '-' | '~'

/** Renders the name of a field after the sign of its change, which is read out as a word. */
export function renderSignedName(sign: ChangeSign, name: string): Html {
  return html`<span class="named">${changeSigns[sign]}${renderCode(name)}</span>`
}

const changeSigns: Readonly<Record<ChangeSign, Html>> = {
  '+': html`<span class="sign new"><span aria-hidden="true">+</span><span class="unseen">new</span></span>`,
  '-': html`<span class="sign gone"><span aria-hidden="true">&minus;</span><span class="unseen">removed</span></span>`,
  '~': html`<span class="sign other"><span aria-hidden="true">~</span><span class="unseen">changed</span></span>`,
}
