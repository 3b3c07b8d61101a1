import { createPublicKey, type KeyObject } from 'node:crypto'
import type { PolicyValueProblem } from '../diagnostics/catalog/policy-wording.js'
import { parseDurationMs } from '../schema/fields.js'
import type { Hours, Plans } from '../schema/generated/policy.js'
import type { JsonPointer } from '../schema/pointer.js'
import type { PlanRules, PlanViolation } from './policy.js'

/** The facts of a plan that the rules ask for. Times are in milliseconds since 1970. */
export interface PlanFacts {
  readonly creates: boolean
  readonly sends: boolean
  readonly createdAt: number
  readonly now: number
  isSignedBy(key: KeyObject): boolean
}

/** Finds the first requirement that a plan does not meet. A plan that sends nothing needs no permission. */
export function findPlanViolation(
  { signedBy, hours, maxAgeMs }: PlanRules,
  { creates, sends, createdAt, now, isSignedBy }: PlanFacts,
): PlanViolation | undefined {
  if (!sends) return undefined
  if (creates && signedBy !== undefined && !signedBy.some(isSignedBy)) return { kind: 'unsigned' }
  if (maxAgeMs !== undefined && !(now - createdAt <= maxAgeMs)) return { kind: 'old', maxAgeMs }
  if (hours !== undefined && !isOpen(hours, now)) return { kind: 'closed', hours }
  return undefined
}

/** Parses rules that the schema has checked. Omits keys that cannot be parsed: `findPlanRuleMistakes` reports them. */
export function parsePlanRules({ signedBy, hours, maxAge, ...rest }: Plans): PlanRules {
  const keys = signedBy?.flatMap(text => parseKey(text) ?? [])
  return {
    ...rest,
    ...(keys && { signedBy: keys }),
    ...(hours && { hours }),
    ...(maxAge !== undefined && { maxAgeMs: parseDurationMs(maxAge) }),
  }
}

/** Finds mistakes that the schema cannot: in keys, the time zone, and hours that never occur. */
export function* findPlanRuleMistakes({
  signedBy = [],
  hours,
}: Plans): Generator<readonly [JsonPointer, PolicyValueProblem]> {
  for (const [index, text] of signedBy.entries())
    if (parseKey(text) === undefined) yield [`/plans/signedBy/${index}`, { kind: 'not-a-key' }]
  if (hours === undefined) return
  const { timeZone, start, end } = hours
  if (!isTimeZone(timeZone)) yield ['/plans/hours/timeZone', { kind: 'time-zone', name: timeZone }]
  if (start >= end) yield ['/plans/hours/end', { kind: 'no-hours', start, end }]
}

/** Reads a public Ed25519 key in PEM. A private key does not belong in a policy and is rejected. */
function parseKey(pem: string): KeyObject | undefined {
  if (pem.includes('PRIVATE KEY')) return undefined
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    // The message of OpenSSL does not help a user.
    return undefined
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone })
    return true
  } catch {
    return false
  }
}

function isOpen({ days, start, end, timeZone }: Hours, now: number): boolean {
  const format = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const parts = new Intl.DateTimeFormat('en-US', format).formatToParts(now)
  const get = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const time = `${get('hour')}:${get('minute')}`
  return days.some(day => day === get('weekday')) && start <= time && time < end
}
