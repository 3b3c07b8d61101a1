import type { ServiceVersion } from '../../src/contract/versions.js'
import { findVersionGate, type VersionGate } from '../../src/operations/version-gate.js'

test.each<[ServiceVersion | undefined, readonly VersionGate['what'][], ServiceVersion | undefined]>([
  ['10.3', ['exportSite'], '10.4'],
  ['10.4', ['exportSite'], undefined],
  ['10.4', ['exportSite', 'exportSite validate'], '11.1'],
  ['10.3', ['exportSite', 'exportSite validate'], '10.4'],
  ['11.0', ['exportSite', 'exportSite validate'], '11.1'],
  ['11.1', ['exportSite', 'exportSite validate'], undefined],
  ['10.9.1', ['deleteAll'], '11.1'],
  ['11.1', ['deleteAll'], undefined],
  ['12.0', ['deleteAll'], undefined],
  [undefined, ['deleteAll'], undefined],
])('at version %s, %j is missing before %s', (version, needs, since) => {
  expect(findVersionGate(version, needs)?.since).toBe(since)
})
