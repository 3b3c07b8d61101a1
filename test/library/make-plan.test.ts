import { observeToPlan } from '../../src/library/make-plan.js'
import type { Observation } from '../../src/plan/observation.js'
import { scriptedSite } from '../support/applying.js'

const look = (kind: 'failed' | 'ready' | 'in-progress') =>
  ({ ok: true, value: { kind, warnings: [], stages: [] } as Observation }) as const
const unavailable = { ok: false, error: { kind: 'trouble', status: 503 } } as const

test.each([
  ['failed and then ready is ready', [look('failed'), look('ready')], look('ready'), 2],
  ['failed twice has failed', [look('failed'), look('failed')], look('failed'), 2],
  ['failed once and then cannot be polled has not failed', [look('failed'), unavailable], unavailable, 2],
  ['anything else is polled once', [look('in-progress'), look('ready')], look('in-progress'), 1],
] as const)('a site that is %s', async (_name, looks, planned, times) => {
  const site = scriptedSite(looks)
  expect(await observeToPlan(site, new AbortController().signal)).toEqual(planned)
  expect(site.calls).toHaveLength(times)
})
