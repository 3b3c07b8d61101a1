import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { computeDigest } from '../../src/manifest/digest.js'
import { bindFiles } from '../../src/secrets/resolve.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { anOrganization } from '../support/an-organization.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const organization = anOrganization({ license: { file: 'a.json', serverFile: 'b.ecp' } })

test('both license files have digests of their bytes, by path', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'a.json'), 'abc')
  await writeFile(join(folder, 'b.ecp'), 'abc\n')
  expect(await bindFiles(organization, secretSource({}, folder))).toEqual({
    ok: true,
    value: {
      digests: {
        'a.json': 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        'b.ecp': 'sha256:edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb',
      },
      licenses: {
        '/spec/license/file': 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        '/spec/license/serverFile': 'sha256:edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb',
      },
    },
  })
})

test('two missing files are reported together', async () => {
  const bound = await bindFiles(organization, secretSource({}, await temporaryFolder()))
  expect(bound.ok ? [] : bound.error.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    'file/missing /spec/license/file',
    'file/missing /spec/license/serverFile',
  ])
})

test.each([1, 262_143, 262_144, 262_145, 524_288, 700_000])(
  'a file of %i bytes has the digest of the whole, with only a piece of it in memory',
  async bytes => {
    const folder = await temporaryFolder()
    const content = Buffer.from(Array.from({ length: bytes }, (_, at) => at % 251))
    await writeFile(join(folder, 'a.json'), content)
    const file = { pointer: '/spec/license/file', path: 'a.json' } as const
    expect(await secretSource({}, folder).digest(file, bytes)).toEqual({
      kind: 'digested',
      digest: computeDigest(content),
    })
    const { kind } = await secretSource({}, folder).digest(file, bytes - 1)
    expect(kind).toBe('unusable')
  },
)
