import { createHash } from 'node:crypto'
import { formatDotted } from '../../diagnostics/pointer.js'
import { type ImmutableEdit, listBlockingEdits, type Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { buildFieldRow } from '../fields/field-rows.js'
import { type Html, html, nothing, renderCode, renderPhrase, renderPlace } from '../html.js'
import { words } from '../phrase.js'
import { capitalize } from '../sentence.js'
import { renderSection, renderSignedName, renderTable } from '../table-html.js'
import { renderFieldStatuses } from './field-status-html.js'
import { formatIgnoreOptions } from './ignore-words.js'
import { renderDecision } from './plan-decision-html.js'
import { style } from './plan-style.js'
import type { PlanView } from './plan-text.js'
import { buildValidityPhrase, describeEdit, listIrreversible } from './plan-words.js'
import { renderTimeline } from './timeline-html.js'

/** The content security policy: only this style is loaded, and no script runs. */
const buildPolicy = () => {
  const digest = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`
}

/** Renders a plan as a self-contained page: no script and nothing to load, for any browser and for print. */
export function renderPlanHtml(plan: Plan, { sections = [] }: PlanView = {}): string {
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${buildPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<style>${style}</style>
`
  const { markup } = html`<title>Plan for ${plan.name}</title>
</head>
<body>
<a class="skip" href="#plan">Skip to the plan</a>
${renderDecision(plan)}
<main id="plan" tabindex="-1">
${renderIrreversible(plan)}
${renderEdits(plan)}
${renderTimeline(plan)}
${sections.map(renderSection)}
${renderFieldStatuses(plan)}
${renderBindings(plan)}
</main>
<footer>Made by ${renderCode(plan.binds.tool)}. Secrets appear as references only; their values are read when the plan is applied, and never shown.</footer>
</body>
</html>
`
  return head + markup
}

function renderIrreversible(plan: Plan): Html {
  return html`${listIrreversible(plan).map(
    ({ title, things, hint = lasting }, at) => html`<section class="once" aria-labelledby="once-${at + 1}">
<h2 id="once-${at + 1}">${title}</h2>
<ul class="things">${things.map(
      ({ what, pointer }) => html`<li>${what} ${renderCode(formatDotted(pointer))}</li>`,
    )}</ul>
<p class="faint">${hint}</p>
</section>`,
  )}`
}

const lasting = 'No documented operation of the service changes these once the organization exists.'

function renderEdits(plan: Plan): Html {
  if (plan.immutable.length === 0) return nothing
  const blocking = listBlockingEdits(plan)
  const reasons = [...new Set(plan.immutable.map(describeEdit))]
  return html`<section class="stop" aria-labelledby="edits">
<h2 id="edits">Edits of immutable fields</h2>
${reasons.map(because =>
  renderEditGroup(
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

function renderEditGroup(because: string, edits: readonly ImmutableEdit[]): Html {
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

/** Renders the inputs of a plan: if one of them changes, the plan is stale. */
function renderBindings(plan: Plan): Html {
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
