import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkShare, joinShares, shareFiles } from '../../src/library/clean-files.js'
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
  expect(shares.map(share => share?.files)).toEqual([70, 0])
  expect(joinShares(shares)).toMatchObject({ files: 70, skipped: 1 })
})

test('the others stop where one file needs a closer check', async () => {
  const shared = await sharedFiles({ 'a.yaml': valid.replace('profile:', 'profil:'), ...many })
  expect(checkShare(shared)).toBeUndefined()
  const other = checkShare(shared)
  expect(other?.files).toBe(0)
  expect(joinShares([undefined, other])).toBeUndefined()
})

test('two sites with one address need a closer check, also where different threads met them', () => {
  const one = { files: 1, skipped: 0, sites: ['https://gis.example.org/admin'] }
  expect(joinShares([one, one])).toBeUndefined()
  expect(joinShares([one])).toEqual(one)
  expect(joinShares([{ files: 0, skipped: 2, sites: [] }])).toBeUndefined()
})
