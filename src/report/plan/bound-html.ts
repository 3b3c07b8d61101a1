import type { Plan } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'
import { codeHtml, type Html, html, phraseHtml } from '../html.js'
import { usePhrase } from './plan-words.js'

/** Renders the inputs of a plan: if one of them changes, the plan is stale. */
export function boundHtml(plan: Plan): Html {
  const { binds } = plan
  const facts: readonly (readonly [string, Html])[] = [
    ['Plan', codeHtml(planDocument(plan).id)],
    ['Made', codeHtml(plan.createdAt)],
    ['Validity', phraseHtml(usePhrase(plan))],
    ['Manifest', html`${codeHtml(plan.manifest)} ${codeHtml(binds.manifest)}`],
    ...Object.entries(binds.files).map(
      ([file, digest]) => ['File', html`${codeHtml(file)} ${codeHtml(digest)}`] as const,
    ),
    ['Site', codeHtml(binds.origin)],
    ['Apply record', html`serial ${binds.record}, ${codeHtml(binds.recorded)}`],
    ['Schema', codeHtml(binds.schema)],
  ]
  return html`<section aria-labelledby="bound">
<h2 id="bound">Inputs of this plan</h2>
<p class="faint">The plan is stale as soon as one of these changes.</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`
}
