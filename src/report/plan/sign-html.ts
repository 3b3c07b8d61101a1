import type { FieldTableRow } from '../fields/field-rows.js'
import { type Html, html, renderCode } from '../html.js'

/** Renders the name of a field after the sign of its change, which is read out as a word. */
export function renderSignedName(sign: FieldTableRow['sign'], name: string): Html {
  return html`<span class="named">${signs[sign]}${renderCode(name)}</span>`
}

const signs: Readonly<Record<FieldTableRow['sign'], Html>> = {
  '+': html`<span class="sign new"><span aria-hidden="true">+</span><span class="unseen">new</span></span>`,
  '-': html`<span class="sign gone"><span aria-hidden="true">&minus;</span><span class="unseen">removed</span></span>`,
  '~': html`<span class="sign other"><span aria-hidden="true">~</span><span class="unseen">changed</span></span>`,
}
