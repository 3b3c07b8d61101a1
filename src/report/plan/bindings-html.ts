import type { Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { type Html, html, renderCode, renderPhrase } from '../html.js'
import { buildValidityPhrase } from './plan-words.js'

/** Renders the inputs of a plan: if one of them changes, the plan is stale. */
export function renderBindings(plan: Plan): Html {
  const { binds } = plan
  const facts: readonly (readonly [string, Html])[] = [
    ['Plan', renderCode(buildPlanDocument(plan).id)],
    ['Made', renderCode(plan.createdAt)],
    ['Validity', renderPhrase(buildValidityPhrase(plan))],
    ['Manifest', html`${renderCode(plan.manifest)} ${renderCode(binds.manifest)}`],
    ...Object.entries(binds.files).map(
      ([file, digest]) => ['File', html`${renderCode(file)} ${renderCode(digest)}`] as const,
    ),
    ['Site', renderCode(binds.origin)],
    ['Apply record', html`serial ${binds.record}, ${renderCode(binds.recorded)}`],
    ['Schema', renderCode(binds.schema)],
  ]
  return html`<section aria-labelledby="bound">
<h2 id="bound">Inputs of this plan</h2>
<p class="faint">The plan is stale as soon as one of these changes.</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`
}
