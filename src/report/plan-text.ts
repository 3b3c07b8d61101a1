import { type JsonPointer, nameOf, parentOf, segments } from '../diagnostics/pointer.js'
import type { Observation } from '../plan/observation.js'
import { type Action, type FieldChange, hasChanges, type Plan, summaryOf } from '../plan/plan.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { display } from './display.js'
import type { Paint } from './paint.js'

/**
 * A plan for people: what is irreversible first, then each step with its reason and fields, then the counts. Sections
 * about what stands beside the plan come before them.
 */
export function formatPlan(plan: Plan, paint: Paint, sections: readonly string[] = []): string {
  const { state, version } = plan.binds.site
  const at = version === null ? '' : `, version ${display(version)}`
  return [
    `${paint('bold', display(plan.name))}  ${display(plan.url)}`,
    `The site is ${stateWords[state]}${at}.`,
    '',
    ...plan.actions.flatMap(action => formatAction(action, paint)),
    ...(hasChanges(plan) ? [] : [noChanges(plan), '']),
    ...sections,
    formatCounts(plan),
    '',
  ].join('\n')
}

/** The last line of a plan, which people look for. */
export function formatCounts(plan: Plan): string {
  const { create, update, attach, noOp } = summaryOf(plan)
  return `Plan: ${create} to create, ${update} to update, ${attach} to attach, ${noOp} unchanged.`
}

const stateWords: Readonly<Record<Observation['kind'], string>> = {
  'not-configured': 'not configured',
  'in-progress': 'being configured',
  ready: 'ready',
  failed: 'failed',
  unrecognized: 'in a state that is not documented',
}

/** What the service shows no way to read is named, so that "no changes" claims no more than is known. */
function noChanges(plan: Plan): string {
  const recorded = plan.actions.some(action => action.operation === 'update')
  return [
    'No changes: the organization exists, and there is nothing to do.',
    'The service shows no way to read back what it was created with, so that was not compared.',
    ...(recorded ? ['The upgrade policy was compared with the record of the last apply.'] : []),
  ].join('\n')
}

function formatAction(action: Action, paint: Paint): readonly string[] {
  const sign = signs[action.change]
  const colour = colours[action.change]
  const head = `  ${paint(colour, sign)} ${paint('bold', action.operation.padEnd(10))} ${explanation(action)}`
  const fields = 'fields' in action ? formatFields(action.fields, paint) : []
  return [head, ...fields, '']
}

const signs = { create: '+', update: '~', attach: '>', 'no-op': '=' } as const
const colours = { create: 'green', update: 'yellow', attach: 'cyan', 'no-op': 'dim' } as const

function explanation(action: Action): string {
  const reasons: Readonly<Record<Action['reason'], string>> = {
    'not-configured': 'create the organization. This cannot be undone, and cannot be done again',
    'configuration-in-progress': 'wait for the configuration that is under way',
    'already-configured': 'no change: the site is configured already',
    'never-applied': 'set the placement policy of upgrades, which was never applied',
    'policy-changed': 'replace the placement policy of upgrades, which has changed',
    'cannot-be-read':
      'set the placement policy of upgrades; what the site has cannot be read, and no record of it is here',
    'policy-unchanged': 'no change: the placement policy is the one applied last',
  }
  return reasons[action.reason]
}

function formatFields(fields: readonly FieldChange[], paint: Paint): readonly string[] {
  const rows = rowsOf(fields)
  const width = Math.min(44, Math.max(0, ...rows.map(({ name }) => name.length)))
  return rows.map(({ name, sign, text, place }) => {
    const colour = sign === '+' ? 'green' : sign === '-' ? 'red' : 'yellow'
    return `      ${paint(colour, sign)} ${name.padEnd(width)}  ${text}  ${paint('dim', place)}`
  })
}

interface Row {
  readonly name: string
  readonly sign: '+' | '-' | '~'
  readonly text: string
  readonly place: string
}

/** One row a field; fields of one map that stand on one line of the manifest share theirs, as they do there. */
function rowsOf(fields: readonly FieldChange[]): readonly Row[] {
  const groups: FieldChange[][] = []
  for (const field of fields) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && belongTogether(group[0], field)) group.push(field)
    else groups.push([field])
  }
  return groups.flatMap(group => (group.length === 1 ? group.map(rowOf) : [sharedRow(group)]))
}

function belongTogether(a: FieldChange, b: FieldChange): boolean {
  return (
    parentOf(a.pointer) === parentOf(b.pointer) &&
    a.file === b.file &&
    a.line === b.line &&
    signOf(a) === signOf(b)
  )
}

function rowOf(field: FieldChange): Row {
  const { before, after, pointer } = field
  return { name: pathOf(pointer), sign: signOf(field), text: change(before, after), place: placeOf(field) }
}

function sharedRow(group: readonly FieldChange[]): Row {
  const [first] = group as [FieldChange]
  const texts = group.map(
    ({ pointer, before, after }) => `${display(nameOf(pointer))} ${change(before, after)}`,
  )
  return {
    name: pathOf(parentOf(first.pointer)),
    sign: signOf(first),
    text: texts.join(', '),
    place: placeOf(first),
  }
}

function signOf({ before, after }: FieldChange): Row['sign'] {
  return before === undefined ? '+' : after === undefined ? '-' : '~'
}

/** A path without what every field of the action shares. */
function pathOf(pointer: JsonPointer): string {
  const path = segments(pointer).slice(1)
  return display((path[0] === 'upgrade' && path.length > 2 ? path.slice(2) : path).join('.'))
}

function placeOf({ file, line }: FieldChange): string {
  return `${display(file)}:${line}`
}

function change(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before === undefined) return formatValue(after)
  return after === undefined ? formatValue(before) : `${formatValue(before)} -> ${formatValue(after)}`
}

function formatValue(value: JsonValue | undefined): string {
  if (isObject(value) && Object.keys(value).length === 1) {
    if (typeof value['env'] === 'string') return `(secret from ${display(value['env'])})`
    if (typeof value['file'] === 'string') return `(secret from file ${display(value['file'])})`
  }
  if (isObject(value) && Object.values(value).every(member => typeof member === 'string'))
    return (
      Object.entries(value)
        .map(([key, member]) => display(`${key}=${member}`))
        .sort()
        .join(' ') || '{}'
    )
  return display(typeof value === 'string' ? value : JSON.stringify(value ?? null), 200)
}
