import { type Plan, summarizePlan } from '../../plan/plan.js'
import { type Html, html, renderCode, renderPhrase } from '../html.js'
import { capitalize } from '../sentence.js'
import { buildSitePhrase, classifyPlan, type Decision, describeDecision } from './plan-words.js'

/** Icons and colours of a decision, always shown together with its text. */
const banners: Readonly<Record<Decision, { readonly open: Html; readonly icon: Html }>> = {
  blocked: {
    open: html`<p class="decision bad">`,
    icon: html`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 2c1.6 0 3.1.5 4.3 1.4L6.4 16.3A7 7 0 0 1 12 5Zm0 14c-1.6 0-3.1-.5-4.3-1.4l9.9-9.9A7 7 0 0 1 12 19Z"/>`,
  },
  create: {
    open: html`<p class="decision warn">`,
    icon: html`<path d="M12 2.5 1.5 21h21L12 2.5Zm1 14.9h-2v-2h2v2Zm0-3.6h-2V9h2v4.8Z"/>`,
  },
  resume: {
    open: html`<p class="decision busy">`,
    icon: html`<path d="M6 2v6l4 4-4 4v6h12v-6l-4-4 4-4V2H6Zm10 5.2-4 4-4-4V4h8v3.2Z"/>`,
  },
  update: {
    open: html`<p class="decision busy">`,
    icon: html`<path d="m3 17.5V21h3.5L17.8 9.7l-3.5-3.5L3 17.5Zm17.7-10.6a1 1 0 0 0 0-1.4l-2.2-2.2a1 1 0 0 0-1.4 0l-1.7 1.7 3.6 3.6 1.7-1.7Z"/>`,
  },
  differs: {
    open: html`<p class="decision warn">`,
    icon: html`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm1 14h-2v-2h2v2Zm0-4h-2V7h2v6Z"/>`,
  },
  nothing: {
    open: html`<p class="decision good">`,
    icon: html`<path d="M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4L9 16.2Z"/>`,
  },
}

/** Renders the header: the subject and the result of the plan. */
export function renderDecision(plan: Plan): Html {
  const { open, icon } = banners[classifyPlan(plan)]
  const { create, update, resume, noOp } = summarizePlan(plan)
  const counts = [
    [create, 'to create'],
    [update, 'to update'],
    [resume, 'to resume'],
    [noOp, 'unchanged'],
  ] as const
  return html`<header>
<p class="brand"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1 13 6 4l3 5 2-3 4 7z"/></svg> Landform plan</p>
<h1>${plan.name}</h1>
${open}<svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg> <span>${capitalize(describeDecision(plan))}</span></p>
<p class="site">${renderPhrase(buildSitePhrase(plan))} ${renderCode(plan.url)}</p>
<ul class="counts">${counts.map(([count, what]) =>
    count === 0
      ? html`<li class="none"><b>${count}</b> ${what}</li>`
      : html`<li><b>${count}</b> ${what}</li>`,
  )}</ul>
</header>`
}
