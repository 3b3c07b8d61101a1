import { operations } from '../../contract/operations.js'
import type { OperationName } from '../../contract/parameter.js'
import { findStage, stageNames } from '../../contract/responses.js'
import { durationPattern, parseDurationMs } from '../../schema/fields.js'
import type { Calls, FaultCondition, FaultRule } from './fault.js'
import { requestWords } from './request-words.js'
import { siteWords } from './site-words.js'
import { type ParsedWord, parseFault } from './words.js'

const operationNames = Object.keys(operations) as readonly OperationName[]
/** The names that a rule can start with. */
export const whereNames = [...operationNames, 'any', 'site'] as const

/**
 * Reads one rule, `WHERE[@WHEN]=WHAT`, such as `root@2-4=status:503,retry-after:1`. The command line, scenario files and
 * built-in scenarios all use this notation.
 */
export function parseRule(text: string): ParsedWord<FaultRule> {
  const [left = '', ...rest] = text.split('=')
  if (left === '' || rest.join('') === '')
    return { ok: false, error: { problem: 'it does not have the form WHERE[@WHEN]=WHAT' } }
  const [where = '', ...conditions] = left.split('@')
  const on = whereNames.find(name => name === where)
  if (on === undefined)
    return {
      ok: false,
      error: { problem: `\`${where}\` is not an operation`, near: { written: where, choices: whereNames } },
    }
  const when = parseWhen(conditions)
  if (!when.ok) return when
  const what = rest.join('=')
  const rule = on === 'site' ? parseSiteRule(when.value, what) : parseRequestRule(on, when.value, what)
  return rule.ok ? { ok: true, value: { ...rule.value, word: text } } : rule
}

/** Parses built-in rules; one that cannot be parsed is a bug. */
export function parseBuiltInRules(words: readonly string[]): readonly FaultRule[] {
  return words.map(word => {
    const parsed = parseRule(word)
    if (!parsed.ok) throw new Error(`${word}: ${parsed.error.problem}`)
    return parsed.value
  })
}

function parseRequestRule(
  on: OperationName | 'any',
  when: FaultCondition,
  what: string,
): ParsedWord<FaultRule> {
  const parsed = parseFault(what, requestWords)
  return parsed.ok ? { ok: true, value: { on, when, fault: parsed.value } } : parsed
}

function parseSiteRule(when: FaultCondition, what: string): ParsedWord<FaultRule> {
  const parsed = parseFault(what, siteWords)
  if (!parsed.ok) return parsed
  const fault = parsed.value
  const isOfStage = fault.kind === 'stall' || fault.kind === 'fail'
  if (isOfStage && (typeof when.from !== 'string' || when.from === 'ready'))
    return { ok: false, error: { problem: `it must name a stage, such as site@Queue store=${what}` } }
  // These determine all stages from the beginning, so they cannot depend on calls.
  if ((isOfStage || fault.kind === 'back') && (when.calls.kind !== 'every' || when.forMs !== undefined))
    return {
      ok: false,
      error: { problem: `${fault.kind} takes a place only, such as site@Queue store=${what}` },
    }
  return { ok: true, value: { on: 'site', when, fault } }
}

function parseWhen(conditions: readonly string[]): ParsedWord<FaultCondition> {
  let when: FaultCondition = { calls: { kind: 'every' } }
  const given = new Set<string>()
  for (const text of conditions) {
    const part = parseCalls(text) ?? parsePlace(text)
    if (part === undefined)
      return {
        ok: false,
        error: {
          problem: `\`${text}\` is neither calls such as 3, 2-4, 5- or 30%, nor a place such as Queue store, ready or 90s`,
          near: { written: text.split('+', 1)[0] ?? '', choices: [...stageNames, 'ready', 'every'] },
        },
      }
    const kind = 'calls' in part ? 'calls' : 'place'
    if (given.has(kind))
      return {
        ok: false,
        error: { problem: `\`@${text}\` is a second ${kind === 'calls' ? 'condition on calls' : 'place'}` },
      }
    given.add(kind)
    when = { ...when, ...part }
  }
  return { ok: true, value: when }
}

function parseCalls(text: string): Pick<FaultCondition, 'calls'> | undefined {
  const share = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text)?.[1]
  if (share !== undefined && Number(share) <= 100)
    return { calls: { kind: 'chance', share: Number(share) / 100 } }
  if (text === 'every') return { calls: { kind: 'every' } }
  const range = /^([1-9]\d{0,8})(?:(-)(\d{1,9})?)?$/.exec(text)
  if (range === null) return undefined
  const [, from, open, to] = range
  const first = Number(from)
  const last = open === undefined ? first : to === undefined ? undefined : Number(to)
  if (last !== undefined && last < first) return undefined
  return { calls: { kind: 'range', first, ...(last !== undefined && { last }) } satisfies Calls }
}

function parsePlace(text: string): Pick<FaultCondition, 'from' | 'forMs'> | undefined {
  const match = new RegExp(`^([^+]+)(?:\\+(${durationPattern}))?$`).exec(text)
  const [, place = '', length] = match ?? []
  const from = new RegExp(`^${durationPattern}$`).test(place)
    ? parseDurationMs(place)
    : place === 'ready'
      ? place
      : findStage(place)
  if (from === undefined) return undefined
  return { from, ...(length !== undefined && { forMs: parseDurationMs(length) }) }
}
