import { coverageOf, type Verdict } from '../../plan/fields/verdict.js'
import type { Plan } from '../../plan/plan.js'
import { coverageText } from '../fields/coverage-text.js'
import { type VerdictRow, verdictRows, verdictWords } from '../fields/verdict-text.js'
import { codeHtml, type Html, html, nothing, phraseHtml, placeHtml } from '../html.js'
import { tableHtml } from '../table-html.js'

const order = ['different', 'equal', 'recorded', 'unknowable'] as const satisfies readonly Verdict[]

/** Renders the coverage as a bar and as text, and then the status of each field. */
export function verdictsHtml(plan: Plan): Html {
  const coverage = coverageText(plan.fields)
  if (coverage === undefined) return nothing
  const counts = coverageOf(plan.fields)
  const rows = verdictRows(plan.fields)
  return html`<section aria-labelledby="known">
<h2 id="known">Field status</h2>
${bar(counts, counts.total)}
<ul class="legend">${order.map(verdict => html`<li>${dots[verdict]} <b>${counts[verdict]}</b> ${verdictWords[verdict]}</li>`)}</ul>
<p>${coverage}</p>
${order.map(verdict =>
  group(
    verdict,
    rows.filter(row => row.verdict === verdict),
  ),
)}
</section>`
}

/** Renders one part per status, as wide as its share of fields; the legend below says the same in words. */
function bar(counts: Readonly<Record<Verdict, number>>, total: number): Html {
  let left = 0
  const parts = order.map(verdict => {
    const width = (counts[verdict] / total) * 100
    const part = html`${bars[verdict]} x="${left}" width="${width}"/>`
    left += width
    return part
  })
  return html`<svg class="coverage" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`
}

const bars: Readonly<Record<Verdict, Html>> = {
  different: html`<rect class="different" y="0" height="4"`,
  equal: html`<rect class="equal" y="0" height="4"`,
  recorded: html`<rect class="recorded" y="0" height="4"`,
  unknowable: html`<rect class="unknowable" y="0" height="4"`,
}

const dots: Readonly<Record<Verdict, Html>> = {
  different: html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><rect class="different" width="8" height="8" rx="2"/></svg>`,
  equal: html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><rect class="equal" width="8" height="8" rx="2"/></svg>`,
  recorded: html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><rect class="recorded" width="8" height="8" rx="2"/></svg>`,
  unknowable: html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><rect class="unknowable" width="8" height="8" rx="2"/></svg>`,
}

function group(verdict: Verdict, rows: readonly VerdictRow[]): Html {
  if (rows.length === 0) return nothing
  const open = verdict === 'different' ? html`<details open>` : html`<details>`
  const columns = ['Field', 'Manifest', 'Why', 'Where']
  return html`${open}<summary>${dots[verdict]} ${verdictWords[verdict]} <span class="faint">${rows.length}</span></summary>
${tableHtml(
  verdictWords[verdict],
  columns,
  rows.map(({ name, value, reason, place }) => [
    codeHtml(name),
    phraseHtml(value),
    phraseHtml(reason),
    placeHtml(place),
  ]),
)}</details>`
}
