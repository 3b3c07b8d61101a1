import { type ImmutableEdit, listBlockingEdits, type Plan } from '../../plan/plan.js'
import { buildFieldRow } from '../fields/field-rows.js'
import { type Html, html, nothing, renderPhrase, renderPlace } from '../html.js'
import { words } from '../phrase.js'
import { renderTable } from '../table-html.js'
import { formatIgnoreOptions } from './ignore-words.js'
import { describeEdit } from './plan-words.js'
import { renderSignedName } from './sign-html.js'

/** Renders the edits of immutable fields, and the next step. */
export function renderEdits(plan: Plan): Html {
  if (plan.immutable.length === 0) return nothing
  const blocking = listBlockingEdits(plan)
  const columns = ['Field', 'Applied', 'Manifest', 'Effect', 'Where']
  return html`<section class="stop" aria-labelledby="edits">
<h2 id="edits">Edits of immutable fields</h2>
${renderTable('Edits of immutable fields', columns, plan.immutable.map(renderEdit))}
${
  blocking.length === 0
    ? nothing
    : html`<p>Revert the blocking edits in the manifest, or keep the site as it is with</p>
<pre translate="no">${formatIgnoreOptions(blocking)}</pre>`
}
</section>`
}

function renderEdit(edit: ImmutableEdit): readonly Html[] {
  const { sign, name, before, after, place } = buildFieldRow(edit)
  return [
    renderSignedName(sign, name),
    renderPhrase(before ?? words('–')),
    renderPhrase(after ?? words('–')),
    html`${edit.ignored ? ignored : stops} ${describeEdit(edit)}`,
    renderPlace(place),
  ]
}

const ignored = html`<span class="chip">ignored</span>`
const stops = html`<span class="chip stops">blocks the apply</span>`
