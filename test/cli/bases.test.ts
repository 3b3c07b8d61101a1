import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { aManifest } from '../support/changed-manifest.js'
import { fakeHost } from '../support/fake-host.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** A repository with a base in a folder, what builds on it one deeper, and links to both. */
async function aRepository(): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of ['.git', 'a/b']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'a/base.yaml'), JSON.stringify(aManifest({ '/spec/profile': 'Development' })))
  writeFileSync(join(folder, 'a/b/site.yaml'), 'extends: ../base.yaml\n')
  symlinkSync('a/b', join(folder, 'folder'))
  symlinkSync('a/b/site.yaml', join(folder, 'file.yaml'))
  writeFileSync(join(folder, 'over.yaml'), 'extends: file.yaml\n')
  return folder
}

test.each(['a/b/site.yaml', 'folder/site.yaml', 'over.yaml'])(
  'a base is found and named as what it is, by whatever link it was reached: %s',
  async name => {
    const folder = await aRepository()
    const host = fakeHost()
    expect(await run(['validate', join(folder, name), '--format', 'sarif'], host)).toBe(65)
    expect(host.out()).toContain(encodeURIComponent(folder.split('/').at(-1) ?? ''))
    expect(host.out()).toContain('/a/base.yaml"')
    expect(host.out()).toContain('Development')
  },
)

test('other service versions tell the same of a circle', async () => {
  const folder = await temporaryFolder()
  const [one, two] = [join(folder, 'one.yaml'), join(folder, 'two.yaml')]
  writeFileSync(one, 'extends: two.yaml\n')
  writeFileSync(two, 'extends: one.yaml\n')
  const host = fakeHost()
  await run(['validate', one, '--service-version', '11.1', '--format', 'json'], host)
  const { diagnostics, versions } = JSON.parse(host.out())
  expect(versions).toEqual([{ file: one, version: '11.1', diagnostics }])
})

describe('many overlays of one base', () => {
  const overlay = (name: string, more = '') =>
    `extends: ../base.yaml\nmetadata: { name: ${name} }\nspec: { site: { url: "https://${name}.example.org/arcgis/admin" }${more} }\n`

  /** A repository with one folder for each overlay. */
  async function aFleet(base: JsonValue, overlays: Readonly<Record<string, string>>): Promise<string> {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, '.git'))
    writeFileSync(join(folder, 'base.yaml'), JSON.stringify(base))
    for (const [name, text] of Object.entries(overlays)) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'site.yaml'), text)
    }
    return folder
  }

  async function check(folder: string) {
    const host = fakeHost()
    const exitCode = await run(['validate', folder, '--format', 'json'], host)
    const { summary, diagnostics } = JSON.parse(host.out())
    return { exitCode, summary, diagnostics }
  }

  test('are checked with it, wherever they lie, and it counts as skipped', async () => {
    const names = ['a', 'b', 'c']
    const folder = await aFleet(aManifest(), Object.fromEntries(names.map(name => [name, overlay(name)])))
    const { exitCode, summary, diagnostics } = await check(folder)
    expect({ exitCode, diagnostics }).toEqual({ exitCode: 0, diagnostics: [] })
    expect(summary).toMatchObject({ files: 3, skipped: 1 })
  })

  test('each have their own mistakes reported', async () => {
    const wrong = ', volumes: { BLOB: { size: 1GI } }'
    const folder = await aFleet(aManifest(), {
      a: overlay('a'),
      b: overlay('b', wrong),
      c: overlay('c'),
      d: overlay('d', wrong),
    })
    const { exitCode, diagnostics } = await check(folder)
    expect(exitCode).toBe(65)
    expect(diagnostics.map(({ file }: { file: string }) => file)).toEqual(
      ['b', 'd'].map(name => join(folder, name, 'site.yaml')),
    )
  })

  test('report a mistake in it once', async () => {
    const folder = await aFleet(aManifest({ '/spec/profile': 'Development' }), {
      a: overlay('a'),
      b: overlay('b'),
      c: overlay('c', ', profile: development'),
    })
    const { exitCode, diagnostics } = await check(folder)
    expect(exitCode).toBe(65)
    expect(diagnostics.map(({ file }: { file: string }) => file)).toEqual([join(folder, 'base.yaml')])
  })

  test('are rejected where the base lies outside of their repository, though another may use it', async () => {
    const folder = await aFleet(aManifest(), { a: overlay('a'), b: overlay('b') })
    mkdirSync(join(folder, 'b', '.git'))
    const { diagnostics } = await check(folder)
    expect(diagnostics.map(({ code, file }: { code: string; file: string }) => [code, file])).toEqual([
      ['extends/unusable', join(folder, 'b', 'site.yaml')],
    ])
  })
})
