import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { rememberBases } from '../../src/library/known-bases.js'
import { loadWithBases } from '../../src/library/load-with-bases.js'
import { mergeWithBase } from '../../src/manifest/quick-check.js'
import { filesIn } from '../support/files-in.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const base = readFileSync('examples/quickstart.yaml', 'utf8')
const overlay = (path: string, profile = 'production') => `extends: ${path}\nspec: { profile: ${profile} }\n`

afterEach(removeTemporaryFolders)

async function aRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  filesIn(folder, { '.git/': '', ...files })
  return folder
}

/** Layers that each extend the next, and a base at the end: so many files beside the manifest. */
const aChain = (count: number) => ({
  ...Object.fromEntries(
    Array.from({ length: count - 1 }, (_, at) => [`layer-${at + 1}.yaml`, overlay(`layer-${at + 2}.yaml`)]),
  ),
  [`layer-${count}.yaml`]: base,
})

const merged = (folder: string, extended: string) => {
  const bases = rememberBases()
  const own = { extends: extended, spec: { profile: 'development' } }
  const value = mergeWithBase(own, path => bases.find(join(folder, 'site.yaml'), path))
  return { value, used: [...bases.used].map(path => path.slice(folder.length + 1)) }
}

test.each([1, 2, 7])('merges a manifest with %d files below it', async count => {
  const { value, used } = merged(await aRepository(aChain(count)), 'layer-1.yaml')
  expect(value).toHaveProperty('spec.profile', 'development')
  expect(value).toHaveProperty('spec.volumes')
  expect(used).toEqual(Array.from({ length: count }, (_, at) => `layer-${at + 1}.yaml`))
})

test('knows a base of one manifest for the next, whether or not that is at another depth', async () => {
  const folder = await aRepository({ ...aChain(7), 'other.yaml': overlay('layer-1.yaml') })
  const bases = rememberBases()
  const one = bases.find(join(folder, 'a.yaml'), 'layer-1.yaml')
  const two = bases.find(join(folder, 'b.yaml'), 'layer-1.yaml')
  expect(two).toBeDefined()
  expect(two).toBe(one)
  // With the manifest and this one, the chain would have nine files.
  expect(bases.find(join(folder, 'c.yaml'), 'other.yaml')).toBeUndefined()
})

test.each([
  ['a chain of nine files', aChain(8), 'layer-1.yaml'],
  ['a circle', { 'a.yaml': overlay('b.yaml'), 'b.yaml': overlay('a.yaml') }, 'a.yaml'],
  ['a file that is not there', {}, 'a.yaml'],
  ['a folder', { 'a.yaml/': '' }, 'a.yaml'],
  ['a file outside of the repository', {}, '../a.yaml'],
  ['an absolute path', {}, '/etc/hostname'],
  ['a file with a mistake in its YAML', { 'a.yaml': 'a: [' }, 'a.yaml'],
])('leaves %s to the closer check', async (_, files: Readonly<Record<string, string>>, extended) => {
  const folder = await aRepository(files)
  expect(merged(folder, extended)).toEqual({ value: undefined, used: [] })
  // Which says what is wrong, or that nothing is.
  const source = { name: 'site.yaml', bytes: Buffer.from(overlay(extended)) }
  const { loaded } = await loadWithBases(source, join(folder, 'site.yaml'))
  expect(loaded.diagnostics.map(({ code }) => code)).not.toEqual([])
})

test('leaves a link, and a pipe that nobody writes to, to the closer check', async () => {
  const folder = await aRepository({ 'real.yaml': base })
  symlinkSync('real.yaml', join(folder, 'link.yaml'))
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')])
  expect(merged(folder, 'link.yaml').value).toBeUndefined()
  expect(merged(folder, 'pipe.yaml').value).toBeUndefined()
  expect(merged(folder, 'real.yaml').value).toBeDefined()
})
