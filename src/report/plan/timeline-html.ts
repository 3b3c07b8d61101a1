import { stageNames } from '../../contract/stages.js'
import { splitPointer } from '../../diagnostics/pointer.js'
import { type Action, listFieldChanges, type Plan } from '../../plan/plan.js'
import { buildFieldRows, type FieldTableRow } from '../fields/field-rows.js'
import { splitVolumes, type VolumeRow } from '../fields/volume-rows.js'
import { type Html, html, nothing, renderCode, renderPhrase, renderPlace } from '../html.js'
import { words } from '../phrase.js'
import { capitalize, formatNumber } from '../sentence.js'
import { renderSignedName, renderTable } from '../table-html.js'
import { buildKeptPhrase, classifyPlan, reasonWords } from './plan-words.js'

/** Renders the steps of a plan in order, each with its effect and its fields. */
export function renderTimeline(plan: Plan): Html {
  return html`<section aria-labelledby="steps">
<h2 id="steps">${classifyPlan(plan) === 'blocked' ? 'What would happen without these edits' : 'What will happen'}</h2>
<ol class="steps">${plan.actions.map(renderStep)}</ol>
</section>`
}

const opens: Readonly<Record<Action['change'], Html>> = {
  create: html`<li class="create"><span class="mark" aria-hidden="true">+</span>`,
  update: html`<li class="update"><span class="mark" aria-hidden="true">~</span>`,
  resume: html`<li class="resume"><span class="mark" aria-hidden="true">&rsaquo;</span>`,
  'no-op': html`<li class="no-op"><span class="mark" aria-hidden="true">=</span>`,
}

const changeWords: Readonly<Record<Action['change'], string>> = {
  create: 'create',
  update: 'update',
  resume: 'resume',
  'no-op': 'no change',
}

function renderStep(action: Action): Html {
  const kept = buildKeptPhrase(action)
  const { volumes, others } = splitVolumes(listFieldChanges(action))
  return html`${opens[action.change]}
<h3>${renderCode(action.operation)} <span class="chip">${changeWords[action.change]}</span></h3>
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

/** Renders a row without the part of its name that the heading has. */
function renderRow(group: string, { sign, name, before, after, place }: FieldTableRow): readonly Html[] {
  return [
    renderSignedName(sign, name.startsWith(`${group}.`) ? name.slice(group.length + 1) : name),
    renderPhrase(before ?? words('–')),
    renderPhrase(after ?? words('–')),
    renderPlace(place),
  ]
}
