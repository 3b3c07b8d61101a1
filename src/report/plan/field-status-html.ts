import { countCoverage, type FieldStatus } from '../../plan/fields/field-status.js'
import type { Plan } from '../../plan/plan.js'
import { formatCoverage } from '../fields/coverage-text.js'
import { buildStatusRows, type FieldStatusRow, statusWords } from '../fields/status-text.js'
import { type Html, html, nothing, renderCode, renderPhrase, renderPlace } from '../html.js'
import { renderTable } from '../table-html.js'

const order = [
  'different',
  'equal',
  'recorded',
  'asserted',
  'unknowable',
] as const satisfies readonly FieldStatus[]

/** Renders the coverage as a bar and as text, and then the status of each field. */
export function renderFieldStatuses(plan: Plan): Html {
  const coverage = formatCoverage(plan.fields)
  if (coverage === undefined) return nothing
  const counts = countCoverage(plan.fields)
  const rows = buildStatusRows(plan.fields)
  return html`<section aria-labelledby="known">
<h2 id="known">Field status</h2>
${renderBar(counts, counts.total)}
<ul class="legend">${order.map(verdict => html`<li>${renderDot(verdict)} <b>${counts[verdict]}</b> ${statusWords[verdict]}</li>`)}</ul>
<p>${coverage}</p>
${order.map(verdict =>
  renderGroup(
    verdict,
    rows.filter(row => row.status === verdict),
  ),
)}
</section>`
}

/** Renders one part per status, as wide as its share of fields; the legend below says the same in words. */
function renderBar(counts: Readonly<Record<FieldStatus, number>>, total: number): Html {
  let left = 0
  const parts = order.map(verdict => {
    const width = (counts[verdict] / total) * 100
    const part = html`${rects[verdict]} y="0" height="4" x="${left}" width="${width}"/>`
    left += width
    return part
  })
  return html`<svg class="coverage" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`
}

const rects: Readonly<Record<FieldStatus, Html>> = {
  different: html`<rect class="different"`,
  equal: html`<rect class="equal"`,
  recorded: html`<rect class="recorded"`,
  asserted: html`<rect class="asserted"`,
  unknowable: html`<rect class="unknowable"`,
}

function renderDot(verdict: FieldStatus): Html {
  return html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true">${rects[verdict]} width="8" height="8" rx="2"/></svg>`
}

function renderGroup(verdict: FieldStatus, rows: readonly FieldStatusRow[]): Html {
  if (rows.length === 0) return nothing
  const open = verdict === 'different' ? html`<details open>` : html`<details>`
  const columns = ['Field', 'Manifest', 'Why', 'Where']
  return html`${open}<summary>${renderDot(verdict)} ${statusWords[verdict]} <span class="faint">${rows.length}</span></summary>
${renderTable(
  statusWords[verdict],
  columns,
  rows.map(({ name, value, reason, place }) => [
    renderCode(name),
    renderPhrase(value),
    renderPhrase(reason),
    renderPlace(place),
  ]),
)}</details>`
}
