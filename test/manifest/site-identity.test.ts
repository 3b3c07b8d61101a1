import { findNamesakes, type SiteIdentity } from '../../src/cli/check/shared-sites.js'

const aSite = (changes: Partial<SiteIdentity> = {}): SiteIdentity => ({
  name: 'production',
  url: 'https://gis.example.org/arcgis/admin',
  state: undefined,
  ...changes,
})
const other = 'https://other.example.org/arcgis/admin'
const state = 'git:origin'

test.each<[string, SiteIdentity, Record<string, unknown> | undefined]>([
  ['the same address', aSite({ name: 'b' }), { byUrl: 0, byName: undefined }],
  ['another spelling of it', aSite({ url: 'https://GIS.example.org:443/arcgis/admin/' }), { byUrl: 0 }],
  ['another address', aSite({ url: other }), undefined],
  ['the same name in state that is declared', aSite({ url: other, state }), { byName: 0 }],
  ['another name there', aSite({ name: 'b', url: other, state }), undefined],
])('%s', (_what, later, expected) => {
  const found = findNamesakes([aSite({ state: later.state }), undefined, later]).get(2)
  if (expected === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(expected)
})
