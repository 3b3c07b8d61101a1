import { blockingEdits, type ImmutableEdit, type Plan } from '../../plan/plan.js'
import { rowOf } from '../fields/field-rows.js'
import { type Html, html, nothing, phraseHtml, placeHtml } from '../html.js'
import { words } from '../phrase.js'
import { tableHtml } from '../table-html.js'
import { ignoreWords } from './ignore-words.js'
import { editWords } from './plan-words.js'
import { namedHtml } from './sign-html.js'

/** Renders the edits of immutable fields, and the next step. */
export function editsHtml(plan: Plan): Html {
  if (plan.immutable.length === 0) return nothing
  const blocking = blockingEdits(plan)
  const columns = ['Field', 'Applied', 'Manifest', 'Effect', 'Where']
  return html`<section class="stop" aria-labelledby="edits">
<h2 id="edits">Edits of immutable fields</h2>
${tableHtml('Edits of immutable fields', columns, plan.immutable.map(editRow))}
${
  blocking.length === 0
    ? nothing
    : html`<p>Revert the blocking edits in the manifest, or keep the site as it is with</p>
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
const stops = html`<span class="chip stops">blocks the apply</span>`
