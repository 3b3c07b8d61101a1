import { noSettings, type SiteSettings } from '../../src/plan/observation.js'
import type { JsonObject } from '../../src/schema/json-schema.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, ready } from '../support/a-plan.js'
import { applied, portsFor, scriptedSite } from '../support/applying.js'

const url = 'https://gis.example.org/arcgis/admin'

function telling(value: JsonObject): SiteSettings {
  return { ...noSettings('not-offered'), upgradeConfig: { kind: 'read', value } }
}

/** What a plan that was made with some settings comes to at a site that has others by now. */
async function performed(planned: SiteSettings, now: SiteSettings) {
  const plan = aPlan({ desired: aManifest({ policy: aPolicy() }), observed: ready, settings: planned })
  const sent: JsonObject[] = []
  const client = scriptedSite([], {
    settings: async () => now,
    async update({ upgradeConfig }) {
      sent.push(upgradeConfig)
      return { ok: true, value: undefined }
    },
  })
  const { receipt } = await applied(plan, portsFor(url, { client }))
  return { outcome: receipt.outcome, sent }
}

test('what is sent is what was reviewed, with what the site has beside it', async () => {
  const settings = telling({ limits: { memory: '1Gi' } })
  expect(await performed(settings, settings)).toEqual({
    outcome: { kind: 'done' },
    sent: [{ limits: { memory: '1Gi' }, podPlacementPolicy: aPolicy() }],
  })
})

test.each<[string, SiteSettings, SiteSettings]>([
  ['another value', telling({ limits: 1 }), telling({ limits: 2 })],
  ['a new key', telling({}), telling({ limits: 2 })],
  ['a new key in the policy', telling({}), telling({ podPlacementPolicy: { topology: 'zone' } })],
  ['nothing any more', telling({ limits: 1 }), noSettings('no-answer')],
])('nothing is sent where the site has by now %s, which would be lost', async (_what, planned, now) => {
  expect(await performed(planned, now)).toEqual({
    outcome: { kind: 'stale', moved: ['the upgrade configuration of the site'] },
    sent: [],
  })
})

test.each<[string, readonly SiteSettings[], number]>([
  ['as before', [telling({ limits: 1 })], 3],
  ['with its policy by now', [telling({ limits: 1, podPlacementPolicy: aPolicy() })], 3],
  ['with what somebody else set', [telling({ limits: 2 })], 1],
  ['no more', [noSettings('no-answer')], 1],
])(
  'a request without an answer is sent again to a site that tells its settings %s',
  async (_, after, times) => {
    const before = telling({ limits: 1 })
    const plan = aPlan({ desired: aManifest({ policy: aPolicy() }), observed: ready, settings: before })
    let sent = 0
    const client = scriptedSite([], {
      settings: async () => (sent === 0 ? before : (after[0] ?? before)),
      async update() {
        sent += 1
        return { ok: false, error: { kind: 'no-answer', reason: 'x' } }
      },
    })
    const { receipt } = await applied(plan, portsFor(url, { client }))
    expect([receipt.outcome.kind, sent]).toEqual(['unknown', times])
  },
)
