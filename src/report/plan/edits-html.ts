import { blockingEdits, type ImmutableEdit, type Plan } from '../../plan/plan.js'
import { rowOf } from '../fields/field-rows.js'
import { type Html, html, nothing, phraseHtml, placeHtml } from '../html.js'
import { words } from '../phrase.js'
import { tableHtml } from '../table-html.js'
import { ignoreWords } from './ignore-words.js'
import { editWords } from './plan-words.js'
import { namedHtml } from './sign-html.js'

/** The edits that can never be applied, and how to go on. */
export function editsHtml(plan: Plan): Html {
  if (plan.immutable.length === 0) return nothing
  const blocking = blockingEdits(plan)
  const columns = ['Field', 'Applied', 'Manifest', 'What it does', 'Where']
  return html`<section class="stop" aria-labelledby="edits">
<h2 id="edits">Edits that can never be applied</h2>
${tableHtml('Edits that can never be applied', columns, plan.immutable.map(editRow))}
${
  blocking.length === 0
    ? nothing
    : html`<p>Take back what stops the apply in the manifest, or leave the site as it is with</p>
<pre translate="no">${ignoreWords(blocking)}</pre>`
}
</section>`
}

function editRow(edit: ImmutableEdit): readonly Html[] {
  const { sign, name, before, after, place } = rowOf(edit)
  return [
    namedHtml(sign, name),
    phraseHtml(before ?? words('–')),
    phraseHtml(after ?? words('–')),
    html`${edit.ignored ? ignored : stops} ${editWords[edit.because]}`,
    placeHtml(place),
  ]
}

const ignored = html`<span class="chip">ignored</span>`
const stops = html`<span class="chip stops">stops the apply</span>`
