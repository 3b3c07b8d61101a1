import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCleanFiles } from '../../src/library/clean-files.js'
import { filesIn } from '../support/files-in.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const siteText = (at: number) => valid.replace('gis.example.org', `site-${at}.example.org`)

afterEach(removeTemporaryFolders)

async function cleanFiles(texts: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  filesIn(folder, texts)
  return findCleanFiles(Object.keys(texts).map(name => ({ file: join(folder, name), how: 'found' as const })))
}

const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`${at}.yaml`, siteText(at)]))

test('what is no manifest is skipped', async () => {
  const clean = await cleanFiles({ ...many, 'other.yaml': 'a: 1\n' })
  expect(clean.size).toBe(71)
  expect([...clean.values()].filter(one => one === 'skipped')).toHaveLength(1)
})

test('only the file with a mistake is left to a closer check', async () => {
  const clean = await cleanFiles({ 'a.yaml': valid.replace('profile:', 'profil:'), ...many })
  expect(clean.size).toBe(70)
  expect([...clean.keys()].filter(name => name.endsWith('/a.yaml'))).toEqual([])
})

test('the bytes of a file are its own, also where its base and shorter files are read after it', async () => {
  const named = (name: string) => `extends: base.yaml\nmetadata: { name: ${name} }\n`
  const clean = await cleanFiles({
    'a.yaml': named('first'),
    'b.yaml': `${siteText(1).replace(/name: \S+/, 'name: second')}# ${'long '.repeat(2000)}\n`,
    'base.yaml': valid,
    'c.yaml': siteText(2).replace(/name: \S+/, 'name: third'),
  })
  expect([...clean.values()].flatMap(one => (one === 'skipped' ? [] : one.name))).toEqual([
    'first',
    'second',
    'third',
  ])
})
