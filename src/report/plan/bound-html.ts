import type { Plan } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'
import { codeHtml, type Html, html, phraseHtml } from '../html.js'
import { usePhrase } from './plan-words.js'

/** The facts that a plan holds for: if one of them moves, another plan is needed. */
export function boundHtml(plan: Plan): Html {
  const { binds } = plan
  const facts: readonly (readonly [string, Html])[] = [
    ['Plan', codeHtml(planDocument(plan).id)],
    ['Made', codeHtml(plan.createdAt)],
    ['Use', phraseHtml(usePhrase(plan))],
    ['Manifest', html`${codeHtml(plan.manifest)} ${codeHtml(binds.manifest)}`],
    ...Object.entries(binds.files).map(
      ([file, digest]) => ['File', html`${codeHtml(file)} ${codeHtml(digest)}`] as const,
    ),
    ['Site', codeHtml(binds.origin)],
    ['Apply record', html`serial ${binds.record}, ${codeHtml(binds.recorded)}`],
    ['Schema', codeHtml(binds.schema)],
  ]
  return html`<section aria-labelledby="bound">
<h2 id="bound">What this plan was made from</h2>
<p class="faint">It holds only as long as all of this is still so.</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`
}
