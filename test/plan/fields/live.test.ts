import {
  findLivePolicy,
  listOtherPaths,
  mergeUpgradeConfig,
  noSettings,
  type SiteSettings,
  selectOtherSettings,
} from '../../../src/plan/observation.js'
import type { JsonObject } from '../../../src/schema/json-schema.js'
import { aPolicy } from '../../support/a-manifest.js'

const telling = (value: JsonObject) => ({
  ...noSettings('not-offered'),
  upgradeConfig: { kind: 'read', value } as const,
})
const policy = aPolicy()
const { tolerations } = policy

describe('the policy that a site reports', () => {
  test.each<[JsonObject, JsonObject]>([
    [
      { podPlacementPolicy: { nodeAffinity: { a: 1 }, tolerations: [] } },
      { nodeAffinity: { a: 1 }, tolerations: [] },
    ],
    [{ podPlacementPolicy: { more: 1 } }, { nodeAffinity: {}, tolerations: [] }],
    [{ podPlacementPolicy: null }, { nodeAffinity: {}, tolerations: [] }],
    [{ podPlacementPolicy: [] }, { nodeAffinity: {}, tolerations: [] }],
    [{ other: 1 }, { nodeAffinity: {}, tolerations: [] }],
    [{}, { nodeAffinity: {}, tolerations: [] }],
  ])('%j is %j', (config, expected) => {
    expect(findLivePolicy(telling(config))).toEqual(expected)
  })

  test('is absent if the site reports none', () => {
    expect(findLivePolicy(noSettings('no-token'))).toBeUndefined()
  })
})

/** The upgrade configuration for a site with these settings, and the paths of the site's own settings in it. */
const sentTo = (settings: SiteSettings) => {
  const others = selectOtherSettings(settings)
  return { upgradeConfig: mergeUpgradeConfig(policy, others), kept: listOtherPaths(others) }
}

describe('the configuration that is sent', () => {
  test('is only the policy if nothing can be read', () => {
    expect(sentTo(noSettings('not-offered'))).toEqual({
      upgradeConfig: { podPlacementPolicy: policy },
      kept: [],
    })
  })

  test('keeps settings that no manifest has, next to the policy and in it, and names them', () => {
    const old = { nodeAffinity: { a: 1 }, tolerations: [{ key: 'old' }], extra: true }
    const config = { limits: { cpu: 2 }, podPlacementPolicy: old, __more__: null }
    expect(sentTo(telling(config))).toEqual({
      upgradeConfig: {
        limits: { cpu: 2 },
        __more__: null,
        podPlacementPolicy: { nodeAffinity: {}, tolerations, extra: true },
      },
      kept: ['limits', '__more__', 'podPlacementPolicy.extra'],
    })
  })

  test('does not change its input, and no prototype', () => {
    const config = JSON.parse(
      '{"__proto__":{"polluted":1},"podPlacementPolicy":{"__proto__":{"polluted":1}}}',
    )
    const before = JSON.stringify(config)
    const { upgradeConfig, kept } = sentTo(telling(config))
    expect(JSON.stringify(config)).toBe(before)
    expect(kept).toEqual(['__proto__', 'podPlacementPolicy.__proto__'])
    expect((upgradeConfig as { polluted?: number }).polluted).toBeUndefined()
    expect(JSON.stringify(upgradeConfig)).toContain('"__proto__":{"polluted":1}')
  })
})
