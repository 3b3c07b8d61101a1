import { createHash } from 'node:crypto'
import { formatDotted } from '../../diagnostics/pointer.js'
import type { Plan } from '../../plan/plan.js'
import { type Html, html, renderCode } from '../html.js'
import { renderSection } from '../section-html.js'
import { renderBindings } from './bindings-html.js'
import { renderEdits } from './edits-html.js'
import { renderFieldStatuses } from './field-status-html.js'
import { renderDecision } from './plan-decision-html.js'
import { style } from './plan-style.js'
import type { PlanView } from './plan-text.js'
import { listIrreversible } from './plan-words.js'
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
