import type { LicenseAnswer } from '../../src/client/site-client.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'

const { policy: _, ...manifest } = exampleManifest()
const { url } = manifest.site
const observed = (kind: 'not-configured' | 'ready') =>
  ({ ok: true, value: { kind, warnings: [], stages: [] } }) as const

async function applyWith(answer: LicenseAnswer) {
  const deadlines: number[] = []
  const client = scriptedSite(
    [observed('not-configured'), observed('not-configured'), observed('ready'), observed('ready')],
    {
      async validateLicense(_secrets, { deadlineMs }) {
        deadlines.push(deadlineMs)
        return answer
      },
    },
  )
  const ports = portsFor(url, { client })
  const { receipt } = await applied(await planFor(url, manifest, ports), ports, { checkLicense: true })
  return { outcome: receipt.outcome.kind, deadlines, calls: client.calls }
}

test('a site that says nothing of the license within ten seconds is configured', async () => {
  const { outcome, deadlines, calls } = await applyWith({ kind: 'silent' })
  expect([outcome, deadlines]).toEqual(['done', [10_000]])
  expect(calls.filter(call => call === 'configure')).toHaveLength(1)
})
