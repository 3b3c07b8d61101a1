import { createHash } from 'node:crypto'
import { stageNames } from '../contract/responses.js'
import {
  type Action,
  countCoverage,
  type ImmutableEdit,
  listBlockingEdits,
  type Plan,
  summarizePlan,
} from '../plan/plan.js'
import { buildPlanDocument } from '../plan/saved/plan-document.js'
import { formatDotted, splitPointer } from '../schema/pointer.js'
import {
  buildFieldRow,
  buildFieldRows,
  buildLeftRow,
  type FieldTableRow,
  splitVolumes,
  type VolumeRow,
} from './field-rows.js'
import { renderFieldStatuses } from './field-status.js'
import {
  type Html,
  html,
  nothing,
  renderCode,
  renderPhrase,
  renderPlace,
  renderSection,
  renderSignedName,
  renderTable,
} from './html.js'
import { capitalize, formatNumber, words } from './phrase.js'
import { style } from './plan-style.js'
import type { PlanView } from './plan-text.js'
import {
  assertWords,
  buildKeptPhrase,
  buildSitePhrase,
  buildUncheckedPhrase,
  buildValidityPhrase,
  classifyPlan,
  type Decision,
  describeDecision,
  describeEdit,
  describeUnrecorded,
  formatAssertCommand,
  formatIgnoreOptions,
  listIrreversible,
  listLeft,
  reasonWords,
  suggestRecord,
} from './plan-words.js'

/** The content security policy: only this style is loaded, and no script runs. */
const buildPolicy = () => {
  const digest = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`
}

/** Renders a plan as a self-contained page: no script and nothing to load, for any browser and for print. */
export function renderPlanHtml(plan: Plan, { sections = [], unchecked = [], adopt }: PlanView = {}): string {
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
${renderUnrecorded(plan, adopt)}
${renderIrreversible(plan)}
${renderEdits(plan, adopt)}
<section aria-labelledby="steps">
<h2 id="steps">${classifyPlan(plan) === 'blocked' ? 'What would happen without these edits' : 'What will happen'}</h2>
<ol class="steps">${plan.actions.map(renderStep)}</ol>
</section>
${renderLeft(plan, adopt)}
${sections.map(renderSection)}
${unchecked.length === 0 ? '' : html`<p>${renderPhrase(buildUncheckedPhrase(unchecked))}</p>`}
${renderFieldStatuses(plan.fields)}
${renderBindings(plan)}
</main>
<footer>Made by ${renderCode(plan.binds.tool)}. Secrets appear as references only; their values are read when the plan is applied, and never shown.</footer>
</body>
</html>
`
  return head + markup
}

function renderUnrecorded({ fields }: Plan, adopt: string | undefined): Html {
  const coverage = countCoverage(fields)
  if (coverage.unrecorded === 0) return nothing
  return html`<section class="once" aria-labelledby="unrecorded">
<h2 id="unrecorded">No apply is recorded</h2>
<p>${capitalize(describeUnrecorded(coverage))}.</p>
${adopt === undefined ? nothing : renderSteps(suggestRecord(adopt))}
</section>`
}

function renderLeft(plan: Plan, adopt = ''): Html {
  return html`${listLeft(plan, adopt).map(
    ({ title, fields, steps }, at) => html`<section class="once" aria-labelledby="left-${at + 1}">
<h2 id="left-${at + 1}">${title}</h2>
${renderTable(
  'Fields that differ',
  ['Field', 'Before', 'After', 'Where'],
  fields.map(field => renderRow('', buildLeftRow(field))),
)}
${adopt === '' ? nothing : renderSteps(steps)}
</section>`,
  )}`
}

/** Renders steps, with the commands in them as code. */
function renderSteps(steps: readonly string[]): Html {
  return html`<ul class="things">${steps.map(
    step =>
      html`<li>${step.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : renderCode(part)))}</li>`,
  )}</ul>`
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

const lasting =
  'These fields are immutable once the organization exists. If the service has a public operation for a field, `landform explain` names it.'

function renderEdits(plan: Plan, adopt: string | undefined): Html {
  if (plan.immutable.length === 0) return nothing
  const blocking = listBlockingEdits(plan)
  const command = formatAssertCommand(adopt, plan)
  const reasons = [...new Set(plan.immutable.map(describeEdit))]
  const columns = ['Field', 'Applied', 'Manifest', 'Effect', 'Where']
  return html`<section class="stop" aria-labelledby="edits">
<h2 id="edits">Edits that cannot be applied</h2>
${reasons.map(reason => {
  const edits = plan.immutable.filter(edit => describeEdit(edit) === reason)
  return html`<p>${capitalize(reason)}.</p>
${renderTable(capitalize(reason), columns, edits.map(renderEdit))}`
})}
${
  blocking.length === 0
    ? nothing
    : html`<p>Revert the blocking edits in the manifest, or ignore them with</p>
<pre translate="no">${formatIgnoreOptions(blocking)}</pre>
${
  command === undefined
    ? nothing
    : html`<p>${assertWords}:</p>
<pre translate="no">${command}</pre>`
}`
}
</section>`
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

const warn = html`<p class="decision warn">`
const busy = html`<p class="decision busy">`
const alert = html`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm1 14h-2v-2h2v2Zm0-4h-2V7h2v6Z"/>`

/** The colour and the icon of a decision, always shown together with its text. */
const banners: Readonly<Record<Decision, readonly [open: Html, icon: Html]>> = {
  blocked: [
    html`<p class="decision bad">`,
    html`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 2c1.6 0 3.1.5 4.3 1.4L6.4 16.3A7 7 0 0 1 12 5Zm0 14c-1.6 0-3.1-.5-4.3-1.4l9.9-9.9A7 7 0 0 1 12 19Z"/>`,
  ],
  create: [warn, html`<path d="M12 2.5 1.5 21h21L12 2.5Zm1 14.9h-2v-2h2v2Zm0-3.6h-2V9h2v4.8Z"/>`],
  resume: [busy, html`<path d="M6 2v6l4 4-4 4v6h12v-6l-4-4 4-4V2H6Zm10 5.2-4 4-4-4V4h8v3.2Z"/>`],
  update: [
    busy,
    html`<path d="m3 17.5V21h3.5L17.8 9.7l-3.5-3.5L3 17.5Zm17.7-10.6a1 1 0 0 0 0-1.4l-2.2-2.2a1 1 0 0 0-1.4 0l-1.7 1.7 3.6 3.6 1.7-1.7Z"/>`,
  ],
  differs: [warn, alert],
  unrecorded: [warn, alert],
  nothing: [
    html`<p class="decision good">`,
    html`<path d="M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4L9 16.2Z"/>`,
  ],
}

/** Renders the header: the subject and the result of the plan. */
function renderDecision(plan: Plan): Html {
  const [open, icon] = banners[classifyPlan(plan)]
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

const opens: Readonly<Record<Action['change'], Html>> = {
  create: html`<li class="create"><span class="mark" aria-hidden="true">+</span>`,
  update: html`<li class="update"><span class="mark" aria-hidden="true">~</span>`,
  resume: html`<li class="resume"><span class="mark" aria-hidden="true">&rsaquo;</span>`,
  'no-op': html`<li class="no-op"><span class="mark" aria-hidden="true">=</span>`,
}

/** Renders a step with its effect and its fields. */
function renderStep(action: Action): Html {
  const kept = buildKeptPhrase(action)
  const { volumes, others } = splitVolumes(action.fields)
  return html`${opens[action.change]}
<h3>${renderCode(action.operation)} <span class="chip">${action.change === 'no-op' ? 'no change' : action.change}</span></h3>
<p>${capitalize(reasonWords[action.reason])}.</p>
${renderFields(buildFieldRows(others))}
${volumes.length === 0 ? nothing : renderVolumes(volumes)}
${kept === undefined ? nothing : html`<p class="faint">${renderPhrase(kept)}</p>`}
</li>${action.change === 'create' || action.change === 'resume' ? stages : nothing}`
}

/** The stages that the service completes on its own. Service §2.3. */
const stages = html`<li class="wait"><span class="mark" aria-hidden="true">&hellip;</span>
<h3>${stageNames.length} stages</h3>
<p>The service completes them on its own, and Landform polls the site until it is ready. This can take a long time.</p>
<ol class="stages">${stageNames.map(name => html`<li>${name}</li>`)}</ol>
</li>`

/** Renders the fields of a step, grouped by section of the manifest. */
function renderFields(rows: readonly FieldTableRow[]): Html {
  const groups = new Map<string, FieldTableRow[]>()
  for (const row of rows) {
    const [, section = '', member = ''] = splitPointer(row.pointer)
    const name = section === 'upgrade' ? member || section : section
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return html`${[...groups].map(([name, members]) => {
    // An empty column is omitted.
    const isNew = members.every(({ before }) => before === undefined)
    const columns = ['Field', ...(isNew ? ['Value'] : ['Before', 'After']), 'Where']
    const cells = members.map(row => (isNew ? renderRow(name, row).toSpliced(1, 1) : renderRow(name, row)))
    return html`<details open><summary>${renderCode(name)} <span class="faint">${formatNumber(members.length, 'line')}</span></summary>
${renderTable('Fields that are set', columns, cells)}</details>`
  })}`
}

function renderVolumes(volumes: readonly VolumeRow[]): Html {
  const rows = volumes.map(({ component, size, storageClass, labels, place }) => [
    renderSignedName('+', component),
    renderPhrase(size),
    renderPhrase(storageClass),
    renderPhrase(labels),
    renderPlace(place),
  ])
  return html`<details class="volumes" open><summary>${renderCode('volumes')} <span class="faint">${formatNumber(rows.length, 'line')}</span></summary>
${renderTable('Volumes that are created', ['Component', 'Size', 'Class', 'Labels', 'Where'], rows)}</details>`
}

/** Renders a row, with the part of its name that the heading does not show. */
function renderRow(group: string, { sign, name, before, after, place }: FieldTableRow): readonly Html[] {
  return [
    renderSignedName(sign, name.startsWith(`${group}.`) ? name.slice(group.length + 1) : name),
    renderPhrase(before ?? words('–')),
    renderPhrase(after ?? words('–')),
    renderPlace(place),
  ]
}
