import type { FieldRow } from './field-rows.js'
import { type Html, html } from './html.js'

/** What happens to a field, as a sign that is read out as a word. */
export function signHtml(sign: FieldRow['sign']): Html {
  return signs[sign]
}

const signs: Readonly<Record<FieldRow['sign'], Html>> = {
  '+': html`<span class="sign new"><span aria-hidden="true">+</span><span class="unseen">new</span></span>`,
  '-': html`<span class="sign gone"><span aria-hidden="true">−</span><span class="unseen">removed</span></span>`,
  '~': html`<span class="sign other"><span aria-hidden="true">~</span><span class="unseen">changed</span></span>`,
}
