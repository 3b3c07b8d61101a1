import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { computeManifestDigest } from '../../packages/fleet/src/model/manifest-digest.js'
import { loadSite } from '../../src/library/load-site.js'
import { readNamed } from '../../src/library/read-files.js'
import { policyText } from '../support/a-policy.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const rule = (name: string) => policyText({ name, require: { 'spec.profile': { exists: true } } })

/** Writes a base, an overlay of it, and a policy for both. */
async function ground(): Promise<string> {
  const folder = join(await temporaryFolder(), 'ground')
  await mkdir(join(folder, '.git'), { recursive: true })
  await mkdir(join(folder, 'sites'))
  await cp('examples/quickstart.yaml', join(folder, 'base.yaml'))
  await writeFile(join(folder, 'sites/one.yaml'), 'extends: ../base.yaml\nmetadata: { name: one }\n')
  await writeFile(join(folder, 'landform.policy.yaml'), rule('first'))
  return folder
}

async function digestIn(folder: string, policies: readonly string[] = []): Promise<string> {
  const named = readNamed(join(folder, 'sites/one.yaml'), 'manifest')
  if (!named.ok) throw new Error(named.error.defect.kind)
  const read = await loadSite(named.value, { file: named.value.name, policies })
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return computeManifestDigest(read.value)
}

test('a manifest in another folder has the same digest', async () => {
  const folder = await ground()
  const before = await digestIn(folder)
  await rename(folder, `${folder}-moved`)
  expect(await digestIn(`${folder}-moved`)).toBe(before)
})

test.each(['sites/one.yaml', 'base.yaml', 'landform.policy.yaml'])(
  'an edit of %s changes the digest',
  async file => {
    const folder = await ground()
    const before = await digestIn(folder)
    await writeFile(join(folder, file), `${await readFile(join(folder, file), 'utf8')}\n# edited\n`)
    expect(await digestIn(folder)).not.toBe(before)
  },
)

test('a named policy counts once, wherever it is', async () => {
  const folder = await ground()
  const before = await digestIn(folder)
  const [one, two] = [join(folder, 'one.yaml'), join(folder, 'two.yaml')]
  for (const file of [one, two]) await writeFile(file, rule('third'))
  const named = await digestIn(folder, [one])
  expect(named).not.toBe(before)
  expect(await digestIn(folder, [two])).toBe(named)
  expect(await digestIn(folder, [one, two])).toBe(named)
})
