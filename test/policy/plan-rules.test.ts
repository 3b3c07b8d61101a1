import { generateKeyPairSync } from 'node:crypto'
import { loadPolicy } from '../../src/policy/load-policy.js'
import { findPlanViolation, type PlanFacts } from '../../src/policy/plan-rules.js'
import { aSource } from '../support/changed-manifest.js'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const hours = { days: ['Mon', 'Fri'], start: '08:00', end: '16:30', timeZone: 'Europe/Zurich' }

const load = (plans: object) =>
  loadPolicy(
    aSource(
      JSON.stringify({
        apiVersion: 'landform.dev/v1',
        kind: 'SitePolicy',
        rules: [{ name: 'named', require: { 'metadata.name': { exists: true } } }],
        plans,
      }),
    ),
  )

test.each<readonly [what: string, plans: object, message: string]>([
  [
    'a private key',
    { signedBy: [privateKey.export({ type: 'pkcs8', format: 'pem' })] },
    'not a public Ed25519 key',
  ],
  [
    'a private key in addition to the public one',
    { signedBy: [`${spki}${privateKey.export({ type: 'pkcs8', format: 'pem' })}`] },
    'not a public Ed25519 key',
  ],
  [
    'another kind of key',
    { signedBy: [generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' })] },
    'not a public Ed25519 key',
  ],
  ['text', { signedBy: ['key'] }, 'not a public Ed25519 key'],
  [
    'an unknown time zone',
    { hours: { ...hours, timeZone: 'Europe/Atlantis' } },
    '`Europe/Atlantis` is not a time zone',
  ],
  [
    'hours past midnight',
    { hours: { ...hours, start: '22:00', end: '06:00' } },
    'no time from `22:00` to `06:00`',
  ],
  ['no requirement', {}, ''],
  ['no key', { signedBy: [] }, ''],
  ['a misspelt requirement', { signedby: [spki] }, 'signedBy'],
  ['an invalid day', { hours: { ...hours, days: ['Monday'] } }, ''],
  ['an invalid hour', { hours: { ...hours, end: '24:00' } }, ''],
  ['an age without a unit', { maxAge: '8' }, ''],
])('%s is a mistake', (_what, plans, message) => {
  const loaded = load(plans)
  if (loaded.ok) throw new Error('accepted')
  expect(loaded.error.map(one => `${one.message} ${one.help ?? ''}`).join('\n')).toContain(message)
})

const facts = (now: string, more: Partial<PlanFacts> = {}): PlanFacts => ({
  creates: true,
  sends: true,
  createdAt: Date.parse(now),
  now: Date.parse(now),
  isSignedBy: () => false,
  ...more,
})
const rulesOf = (plans: object) => {
  const loaded = load(plans)
  if (!loaded.ok || loaded.value.plans === undefined) throw new Error('refused')
  return loaded.value.plans
}

test.each([
  // In summer two hours ahead of UTC, in winter one hour.
  ['2026-07-06T05:59:59Z', 'closed'],
  ['2026-07-06T06:00:00Z', undefined],
  ['2026-07-06T14:29:59Z', undefined],
  ['2026-07-06T14:30:00Z', 'closed'],
  ['2026-01-05T06:59:59Z', 'closed'],
  ['2026-01-05T07:00:00Z', undefined],
  ['2026-07-07T10:00:00Z', 'closed'],
  ['2026-07-10T10:00:00Z', undefined],
  ['2026-07-05T22:30:00Z', 'closed'],
])('at %s the hours are %j', (now, kind) => {
  expect(findPlanViolation(rulesOf({ hours }), facts(now))?.kind).toBe(kind)
})

const at = '2026-07-06T10:00:00Z'
test.each<readonly [what: string, plans: object, more: Partial<PlanFacts>, kind: string | undefined]>([
  ['unsigned', { signedBy: [spki] }, {}, 'unsigned'],
  ['signed', { signedBy: [spki] }, { isSignedBy: key => key.equals(publicKey) }, undefined],
  ['an update', { signedBy: [spki] }, { creates: false }, undefined],
  [
    'without a request',
    { signedBy: [spki], hours, maxAge: '0s' },
    { creates: false, sends: false, now: 9e12 },
    undefined,
  ],
  ['as old as allowed', { maxAge: '8h' }, { createdAt: Date.parse('2026-07-06T02:00:00Z') }, undefined],
  ['older', { maxAge: '8h' }, { createdAt: Date.parse('2026-07-06T01:59:59Z') }, 'old'],
  ['without a time', { maxAge: '8h' }, { createdAt: Number.NaN }, 'old'],
])('a plan that is %s', (_what, plans, more, kind) => {
  expect(findPlanViolation(rulesOf(plans), facts(at, more))?.kind).toBe(kind)
})
