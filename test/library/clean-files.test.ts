import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkShare, shareFiles } from '../../src/library/clean-files.js'
import { filesIn } from '../support/files-in.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const siteText = (at: number) => valid.replace('gis.example.org', `site-${at}.example.org`)

afterEach(removeTemporaryFolders)

async function sharedFiles(texts: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  filesIn(folder, texts)
  return shareFiles(Object.keys(texts).map(name => ({ file: join(folder, name), how: 'found' as const })))
}

const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`${at}.yaml`, siteText(at)]))

test('each file is taken once, however many take some', async () => {
  const shared = await sharedFiles({ ...many, 'other.yaml': 'a: 1\n' })
  const shares = [checkShare(shared), checkShare(shared)]
  expect(shares.map(({ size }) => size)).toEqual([71, 0])
  expect([...(shares[0]?.values() ?? [])].filter(one => one === 'skipped')).toHaveLength(1)
})

test('only the file with a mistake is left to a closer check', async () => {
  const shared = await sharedFiles({ 'a.yaml': valid.replace('profile:', 'profil:'), ...many })
  const clean = checkShare(shared)
  expect(clean.size).toBe(70)
  expect([...clean.keys()].filter(name => name.endsWith('/a.yaml'))).toEqual([])
})
