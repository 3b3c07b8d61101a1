import { stageNames } from '../../contract/stages.js'
import { segments } from '../../diagnostics/pointer.js'
import type { Action, Plan } from '../../plan/plan.js'
import { type FieldRow, rowsOf } from '../fields/field-rows.js'
import { codeHtml, type Html, html, nothing, phraseHtml, placeHtml } from '../html.js'
import { words } from '../phrase.js'
import { capitalized } from '../sentence.js'
import { tableHtml } from '../table-html.js'
import { decisionOf, keptPhrase, reasonWords, several } from './plan-words.js'
import { namedHtml } from './sign-html.js'

/** Renders the steps of a plan in order, each with its effect and its fields. */
export function timelineHtml(plan: Plan): Html {
  return html`<section aria-labelledby="steps">
<h2 id="steps">${decisionOf(plan) === 'blocked' ? 'What would happen without these edits' : 'What will happen'}</h2>
<ol class="steps">${plan.actions.map(stepHtml)}</ol>
</section>`
}

const opens: Readonly<Record<Action['change'], Html>> = {
  create: html`<li class="create"><span class="mark" aria-hidden="true">+</span>`,
  update: html`<li class="update"><span class="mark" aria-hidden="true">~</span>`,
  attach: html`<li class="attach"><span class="mark" aria-hidden="true">&rsaquo;</span>`,
  'no-op': html`<li class="no-op"><span class="mark" aria-hidden="true">=</span>`,
}

const changeWords: Readonly<Record<Action['change'], string>> = {
  create: 'create',
  update: 'update',
  attach: 'resume',
  'no-op': 'no change',
}

function stepHtml(action: Action): Html {
  const kept = keptPhrase(action)
  return html`${opens[action.change]}
<h3>${codeHtml(action.operation)} <span class="chip">${changeWords[action.change]}</span></h3>
<p>${capitalized(reasonWords[action.reason])}.</p>
${'fields' in action ? fieldsHtml(rowsOf(action.fields)) : nothing}
${kept === undefined ? nothing : html`<p class="faint">${phraseHtml(kept)}</p>`}
</li>${action.change === 'create' || action.change === 'attach' ? stages : nothing}`
}

/** The stages that the service completes on its own. Service §2.3. */
const stages = html`<li class="wait"><span class="mark" aria-hidden="true">&hellip;</span>
<h3>${stageNames.length} stages</h3>
<p>The service completes them on its own, and Landform polls the site until it is ready. This can take a long time.</p>
<ol class="stages">${stageNames.map(name => html`<li>${name}</li>`)}</ol>
</li>`

/** Renders the fields of a step, grouped by section of the manifest. */
function fieldsHtml(rows: readonly FieldRow[]): Html {
  const groups = new Map<string, FieldRow[]>()
  for (const row of rows) {
    const [, section = '', member = ''] = segments(row.pointer)
    const name = section === 'upgrade' ? member || section : section
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return html`${[...groups].map(([name, members]) => {
    // An empty column is omitted.
    const isNew = members.every(({ before }) => before === undefined)
    const columns = ['Field', ...(isNew ? ['Value'] : ['Before', 'After']), 'Where']
    const cells = members.map(row => (isNew ? rowHtml(name, row).toSpliced(1, 1) : rowHtml(name, row)))
    return html`<details open><summary>${codeHtml(name)} <span class="faint">${several(members.length, 'line')}</span></summary>
${tableHtml('Fields that are set', columns, cells)}</details>`
  })}`
}

/** Renders a row without the part of its name that the heading has. */
function rowHtml(group: string, { sign, name, before, after, place }: FieldRow): readonly Html[] {
  return [
    namedHtml(sign, name.startsWith(`${group}.`) ? name.slice(group.length + 1) : name),
    phraseHtml(before ?? words('–')),
    phraseHtml(after ?? words('–')),
    placeHtml(place),
  ]
}
