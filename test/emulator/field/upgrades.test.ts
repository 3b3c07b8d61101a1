import type { EmulatorJsonObject } from '../../../src/emulator/service/json.js'
import type { World, WorldOptions } from '../../../src/emulator/service/world.js'
import { after, anUpdate, anUpgradeConfig, ask, outcome } from '../service/builders.js'
import { aBegunSite, aGet, readyAt } from './builders.js'

const ready = (options: WorldOptions = {}) => aBegunSite({ token: 'a-token', ...options })
const read = (world: World, path: string) => ask(world, { ...aGet(path), bearer: 'a-token' }, readyAt)
const config = (world: World) => read(world, '/system/upgrades/config').body
const updated = (world: World, value: EmulatorJsonObject) =>
  after(world, readyAt, anUpdate({ upgradeConfig: JSON.stringify(value) }))

const policy = anUpgradeConfig({}, [{ key: 'upgrades', operator: 'Exists' }])

test('the upgrade configuration is shown without a wrapper, as an empty policy at first and then as it was set', () => {
  expect(config(ready())).toEqual({ podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } })
  expect(config(updated(ready(), policy))).toEqual(policy)
})

test('from 12.0 on, or if chosen, it has a setting that clients do not know', () => {
  expect(Object.keys(config(ready({ version: '11.4' })))).toEqual(['podPlacementPolicy'])
  expect(Object.keys(config(ready({ version: '12.0' })))).toEqual([
    'podPlacementPolicy',
    'emulatedContainerResources',
  ])
  expect(config(ready({ field: { moreUpgradeSettings: { other: 1 } } }))).toMatchObject({ other: 1 })
})

test.each([
  ['replace', policy],
  ['merge', { other: 1, ...policy }],
] as const)('with %s an update without that setting leaves %j', (updateMode, expected) => {
  const world = ready({ field: { moreUpgradeSettings: { other: 1 }, updateMode } })
  expect(config(updated(world, policy))).toEqual(expected)
})

test.each(['replace', 'merge'] as const)('with %s an update that sends it back loses nothing', updateMode => {
  const world = ready({ field: { moreUpgradeSettings: { other: 1 }, updateMode } })
  const sent = { ...config(world), ...policy }
  expect(config(updated(world, sent))).toEqual({ other: 1, ...policy })
})

test('update takes properties of Kubernetes that the document does not show', () => {
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] }
  const value = anUpgradeConfig(preferred, [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }])
  expect(config(updated(ready(), value))).toEqual(value)
})

test.each([
  ['no policy', {}, /podPlacementPolicy\.nodeAffinity must be a JSON object/],
  ['no tolerations', { podPlacementPolicy: { nodeAffinity: {} } }, /tolerations must be a JSON array/],
  ['a list instead of a policy', [], /nodeAffinity must be/],
  ['texts instead of tolerations', anUpgradeConfig({}, ['x']), /tolerations\[0\] must be a JSON object/],
])('update rejects %s', (_what, value, expected) => {
  expect(outcome(ask(ready(), anUpdate({ upgradeConfig: JSON.stringify(value) }), readyAt))).toMatch(expected)
})

test('no upgrade is reported until one is in progress', () => {
  expect(read(ready(), '/system/upgrades').body).toEqual({
    status: { code: 0, messages: [], state: 'no_upgrade' },
  })
  expect(read(ready({ field: { upgrading: true } }), '/system/upgrades').body).toEqual({
    status: { code: 1, messages: [], state: 'in_progress' },
  })
})

test('during an upgrade nothing below it is available, and nothing is changed', () => {
  const world = ready({ field: { upgrading: true } })
  const refused = '400 An upgrade is in progress.'
  expect(outcome(read(world, '/system/upgrades/config'))).toBe(refused)
  expect(outcome(ask(world, anUpdate(), readyAt))).toBe(refused)
  const after = updated(world, policy)
  expect(after.upgradeConfig).toBeUndefined()
  expect(after.counters.update).toEqual({ received: 1, accepted: 0 })
})

test('the upgrade configuration does not exist before 11.2', () => {
  expect(read(ready({ version: '11.1' }), '/system/upgrades/config').httpStatus).toBe(404)
})
