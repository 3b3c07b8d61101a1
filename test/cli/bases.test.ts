import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
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
