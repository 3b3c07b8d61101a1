import { type ImmutableEdit, listBlockingEdits, type Plan } from '../../plan/plan.js'
import { buildFieldRow } from '../fields/field-rows.js'
import { type Html, html, nothing, renderPhrase, renderPlace } from '../html.js'
import { words } from '../phrase.js'
import { capitalize } from '../sentence.js'
import { renderTable } from '../table-html.js'
import { formatIgnoreOptions } from './ignore-words.js'
import { describeEdit } from './plan-words.js'
import { renderSignedName } from './sign-html.js'

/** Renders the edits of immutable fields, and the next step. */
export function renderEdits(plan: Plan): Html {
  if (plan.immutable.length === 0) return nothing
  const blocking = listBlockingEdits(plan)
  const reasons = [...new Set(plan.immutable.map(describeEdit))]
  return html`<section class="stop" aria-labelledby="edits">
<h2 id="edits">Edits of immutable fields</h2>
${reasons.map(because =>
  renderGroup(
    because,
    plan.immutable.filter(edit => describeEdit(edit) === because),
  ),
)}
${
  blocking.length === 0
    ? nothing
    : html`<p>Revert the blocking edits in the manifest, or keep the site as it is with</p>
<pre translate="no">${formatIgnoreOptions(blocking)}</pre>`
}
</section>`
}

/** Renders the edits that have one reason below it. */
function renderGroup(because: string, edits: readonly ImmutableEdit[]): Html {
  const reason = capitalize(because)
  const columns = ['Field', 'Applied', 'Manifest', 'Effect', 'Where']
  return html`<p>${reason}.</p>
${renderTable(reason, columns, edits.map(renderEdit))}`
}

function renderEdit(edit: ImmutableEdit): readonly Html[] {
  const { sign, name, before, after, place } = buildFieldRow(edit)
  return [
    renderSignedName(sign, name),
    renderPhrase(before ?? words('–')),
    renderPhrase(after ?? words('–')),
    edit.ignored ? ignored : stops,
    renderPlace(place),
  ]
}

const ignored = html`<span class="chip">ignored</span>`
const stops = html`<span class="chip stops">blocks the apply</span>`
