import { chooseState } from '../../src/library/choose-state.js'
import { parseStateLocation } from '../../src/manifest/state-location.js'
import { onOneLine } from '../support/a-manifest.js'
import { exampleManifest } from '../support/manifests.js'

const url = 'https://gis.example.org/arcgis/admin'
const emulator = 'http://127.0.0.1:7443/arcgis/admin'

const declaring = (state: string, file = 'sites/production/site.yaml', address = url) => ({
  name: 'production',
  file: 'site.yaml',
  site: { url: address, version: exampleManifest().site.version },
  state,
  places: { known: { '': onOneLine(file, 1) } },
})
const located = (text: string) => {
  const parsed = parseStateLocation(text)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

describe('the state of a site', () => {
  test('is where its manifest declares it', () => {
    expect(chooseState({ url, folder: 'sites', manifest: declaring('git:origin') })).toEqual({
      kind: 'chosen',
      isSaid: true,
      location: { kind: 'git', remote: 'origin' },
      folder: 'sites/production',
      file: 'sites/production/site.yaml',
    })
  })

  test('is relative to the file that declares it, with the name of the site in it', () => {
    const manifest = declaring('file:../state/{name}', 'sites/base.yaml')
    expect(chooseState({ url, folder: 'sites/production', manifest })).toMatchObject({
      location: { kind: 'file', folder: '../state/production' },
      folder: 'sites',
    })
  })

  test('is undeclared if no location is given and the site is not on this machine', () => {
    expect(chooseState({ url, folder: '.' })).toEqual({ kind: 'undeclared' })
    expect(
      chooseState({
        url,
        folder: '.',
        manifest: {
          name: 'production',
          file: 'site.yaml',
          site: declaring('').site,
          places: declaring('').places,
        },
      }),
    ).toEqual({
      kind: 'undeclared',
    })
  })

  test('of an emulator on this machine is next to the manifest', () => {
    expect(chooseState({ url: emulator, folder: 'sites' })).toMatchObject({
      kind: 'chosen',
      location: { kind: 'file', folder: 'sites/.landform' },
    })
  })

  test('that is declared is not used by a rehearsal with an emulator', () => {
    const declared = { url: emulator, folder: 'sites', manifest: declaring('git:origin') }
    const beside = { kind: 'chosen', location: { kind: 'file', folder: 'sites/.landform' } }
    expect(chooseState(declared)).toMatchObject(beside)
    expect(chooseState(declared, located('file:other'))).toMatchObject({ location: { folder: 'other' } })
    // The address in the manifest is no rehearsal, and neither is one with TLS, which may lead to the site.
    const own = declaring('git:origin', 'site.yaml', emulator)
    expect(chooseState({ ...declared, manifest: own })).toMatchObject({ location: { kind: 'git' } })
    expect(chooseState({ ...declared, url: 'https://127.0.0.1/admin' })).toMatchObject({
      location: { kind: 'git' },
    })
  })

  test.each([
    ['git:origin', 'git:other'],
    ['git:origin', 'file:.landform'],
    ['file:state', 'file:state'],
    ['postgres:env:LANDFORM_A', 'postgres:env:LANDFORM_B'],
  ])('that is declared as %s must not be given as %s', (state, given) => {
    expect(chooseState({ url, folder: 'sites', manifest: declaring(state) }, located(given))).toMatchObject({
      kind: 'contradiction',
      declared: state,
    })
  })

  test.each([
    ['git:origin', 'git:origin'],
    ['file:state', 'file:sites/production/state'],
    ['file:state', 'file:./sites/../sites/production/state/'],
  ])('that is declared as %s may be given as %s', (state, given) => {
    expect(chooseState({ url, folder: 'sites', manifest: declaring(state) }, located(given))).toMatchObject({
      kind: 'chosen',
    })
  })
})
