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

/** The steps of a plan in their order, each with what to expect of it and what it sets. */
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
  attach: 'attach',
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

/** What to expect in between: the service goes on by itself. Service §2.3. */
const stages = html`<li class="wait"><span class="mark" aria-hidden="true">&hellip;</span>
<h3>${stageNames.length} stages</h3>
<p>The service works through them by itself, and Landform looks until the site is ready. It can take a long time.</p>
<ol class="stages">${stageNames.map(name => html`<li>${name}</li>`)}</ol>
</li>`

/** The fields of a step by the sections of the manifest that they stand in. */
function fieldsHtml(rows: readonly FieldRow[]): Html {
  const groups = new Map<string, FieldRow[]>()
  for (const row of rows) {
    const [, section = '', member = ''] = segments(row.pointer)
    const name = section === 'upgrade' ? member || section : section
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return html`${[...groups].map(([name, members]) => {
    // A column that would be empty all the way down is left out.
    const isNew = members.every(({ before }) => before === undefined)
    const columns = ['Field', ...(isNew ? ['Value'] : ['Before', 'After']), 'Where']
    const cells = members.map(row => (isNew ? rowHtml(name, row).toSpliced(1, 1) : rowHtml(name, row)))
    return html`<details open><summary>${codeHtml(name)} <span class="faint">${several(members.length, 'line')}</span></summary>
${tableHtml('Fields that are set', columns, cells)}</details>`
  })}`
}

/** A row under a heading that has the beginning of its name already. */
function rowHtml(group: string, { sign, name, before, after, place }: FieldRow): readonly Html[] {
  return [
    namedHtml(sign, name.startsWith(`${group}.`) ? name.slice(group.length + 1) : name),
    phraseHtml(before ?? words('–')),
    phraseHtml(after ?? words('–')),
    placeHtml(place),
  ]
}
