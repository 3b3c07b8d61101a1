import { display } from './display.js'
import type { Phrase } from './phrase.js'

/** Markup that is safe to put into a page; only `html` creates it. */
export interface Html {
  readonly markup: string
}

/**
 * Creates markup. A text in a hole can only become text of the page; inside a tag only numbers are allowed, so that no
 * attribute is built from data.
 */
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
  if (typeof hole === 'string') return escapeHtml(hole)
  return 'markup' in hole ? hole.markup : hole.map(({ markup }) => markup).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return display(text).replaceAll(/[&<>"']/g, character => entities[character] ?? '')
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
