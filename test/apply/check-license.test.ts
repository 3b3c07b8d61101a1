import type { ApplyOptions } from '../../src/apply/ports.js'
import type { LicenseAnswer } from '../../src/client/site-client.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'

const { policy: _, ...manifest } = exampleManifest()
const { url } = manifest.site
const observed = (kind: 'not-configured' | 'ready') =>
  ({ ok: true, value: { kind, warnings: [], stages: [] } }) as const

async function applyWith(
  answer: LicenseAnswer,
  options: Partial<ApplyOptions> = { checkLicense: true },
  asked: () => void = () => undefined,
) {
  const deadlines: number[] = []
  const client = scriptedSite(
    [observed('not-configured'), observed('not-configured'), observed('ready'), observed('ready')],
    {
      async validateLicense(_secrets, { deadlineMs }) {
        deadlines.push(deadlineMs)
        asked()
        return answer
      },
    },
  )
  const ports = portsFor(url, { client })
  const { receipt, events } = await applied(await planFor(url, manifest, ports), ports, options)
  return { outcome: receipt.outcome, events, deadlines, calls: client.calls }
}

test('a site that does not answer the license check within ten seconds is configured', async () => {
  const { outcome, deadlines, calls } = await applyWith({ kind: 'silent' })
  expect([outcome.kind, deadlines]).toStrictEqual(['done', [10_000]])
  expect(calls.filter(call => call === 'configure')).toHaveLength(1)
})

const { userType } = manifest.organization.administrator

const failure = { kind: 'refused', status: 200, code: 400, message: 'expired' } as const
test.each([
  ['by the service', { kind: 'refused', failure }, 'license'],
  ['by a server in front of it', { kind: 'blocked', failure }, 'blocked'],
] as const)('if the license is rejected %s, nothing is sent', async (_name, answer, because) => {
  const { outcome, calls } = await applyWith(answer)
  expect(outcome).toStrictEqual({ kind: 'not-taken', operation: 'configure', failure, because })
  expect(calls).not.toContain('configure')
})

test('an interrupt while the license is checked leaves no intent and sends nothing', async () => {
  const stop = new AbortController()
  const options = { checkLicense: true, signal: stop.signal }
  const { outcome, events, calls } = await applyWith({ kind: 'silent' }, options, () => stop.abort())
  expect(outcome).toStrictEqual({ kind: 'interrupted' })
  expect(events.map(({ type }) => type)).not.toContain('intent-written')
  expect(calls).not.toContain('configure')
})

test.each([
  [
    { checkLicense: true },
    ['another'],
    'done',
    [{ type: 'user-type-unlisted', userType, listed: ['another'] }],
  ],
  [{ checkLicense: true }, ['another', userType], 'done', []],
  [{ requireListedUserType: true }, ['another', userType], 'done', []],
  [{ requireListedUserType: true }, ['another'], 'not-permitted', []],
])('%j and the listed user types %j: %s', async (options, userTypes, kind, told) => {
  const { outcome, events, calls } = await applyWith({ kind: 'valid', userTypes }, options)
  if (kind === 'not-permitted') expect(outcome).toStrictEqual({ kind, userType, listed: userTypes })
  expect(outcome.kind).toBe(kind)
  expect(events.filter(({ type }) => type === 'user-type-unlisted')).toStrictEqual(told)
  expect(calls.includes('configure')).toBe(kind === 'done')
})

test('a license is checked only if an option requires it', async () => {
  const { outcome, deadlines } = await applyWith({ kind: 'valid', userTypes: [] }, {})
  expect([outcome.kind, deadlines]).toStrictEqual(['done', []])
})

test('a client without a license check configures the site', async () => {
  const client = scriptedSite([observed('not-configured'), observed('not-configured'), observed('ready')])
  const ports = portsFor(url, { client })
  const { receipt } = await applied(await planFor(url, manifest, ports), ports, { checkLicense: true })
  expect(receipt.outcome.kind).toBe('done')
})
