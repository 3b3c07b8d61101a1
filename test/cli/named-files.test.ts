import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { anAuthority } from '../support/certificate.js'
import { landform } from '../support/landform.js'
import { aSmallManifest, changed } from '../support/manifest-value.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** The content of every file that a path must not lead to. */
const canary = 'Canary7c1e'
const authority = anAuthority(canary)
const own = authority.issue(canary)
const reference = { env: 'LANDFORM_VALUE' }
const environment = { LANDFORM_VALUE: 'Harmless1-value', LANDFORM_KEY: own.key }

/** A field of a user's file that names another file, with valid content for that. */
interface Place {
  readonly content: string
  readonly words: readonly string[]
  files(path: string): Readonly<Record<string, JsonValue>>
}

type Change = readonly [JsonPointer, JsonValue]

const apply = (changes: readonly Change[], manifest: JsonObject) =>
  changes.reduce((now, [pointer, value]) => changed(now, pointer, value), manifest)
const base = apply(
  [
    ['/spec/administrator/password', reference],
    ['/spec/administrator/securityQuestion/answer', reference],
    ['/spec/license/file', 'license'],
  ],
  aSmallManifest(),
)

function field(
  pointer: JsonPointer,
  content: string,
  ...around: readonly Change[]
): readonly [string, Place] {
  const isReference = /(?:token|password|answer|Key)$/.test(pointer)
  const files = (path: string) => ({
    'site.yaml': apply([...around, [pointer, isReference ? { file: path } : path]], base),
  })
  return [pointer, { content, words: ['validate', '--check-secrets', 'site.yaml'], files }]
}

const storage = {
  name: 'AZURE',
  credential: {
    type: 'STORAGE-ACCOUNT-KEY',
    secret: { storageAccountName: 'someaccount', storageAccountKey: reference },
  },
  cloudServices: [{ name: 'objects', connection: { containerName: 'gis', rootDir: 'prod' } }],
}
const tests = (manifest: string, more: JsonObject = {}) => ({
  apiVersion: 'landform.dev/v1',
  kind: 'SiteTest',
  manifest,
  tests: [{ name: 'a test', ...more, expect: { diagnostics: [] } }],
})

const places: readonly (readonly [string, Place])[] = [
  field('/spec/license/file', canary),
  field('/spec/license/serverFile', canary, ['/spec/site/version', '10.9.1']),
  field('/spec/site/token', canary),
  field('/spec/administrator/password', `${canary}secret`),
  field('/spec/administrator/securityQuestion/answer', canary),
  field('/spec/site/signIn/password', `${canary}secret`, ['/spec/site/signIn/username', 'operations']),
  field('/spec/cloudStorage/0/credential/secret/storageAccountKey', canary, [
    '/spec/cloudStorage',
    [storage],
  ]),
  field('/spec/site/tls/caFile', authority.cert),
  field('/spec/site/tls/client/certificate', own.cert, [
    '/spec/site/tls/client/privateKey',
    { env: 'LANDFORM_KEY' },
  ]),
  field('/spec/site/tls/client/privateKey', own.key, ['/spec/site/tls/client/certificate', 'own.pem']),
  [
    'the base of a manifest',
    {
      content: `apiVersion: landform.dev/v1\nkind: SiteDeployment\nspec: { folders: [/${canary}] }\n`,
      words: ['validate', '--check-secrets', 'site.yaml'],
      files: path => ({ 'site.yaml': { ...base, extends: path } }),
    },
  ],
  [
    'the manifest of a test',
    {
      content: JSON.stringify(changed(base, '/spec/administrator/description', canary)),
      words: ['test', 'site.test.yaml'],
      files: path => ({ 'site.test.yaml': tests(path) }),
    },
  ],
  [
    'the scenario of a test',
    {
      content: `summary: ${canary}\nseed: 42\n`,
      words: ['test', 'site.test.yaml'],
      files: path => ({
        'site.yaml': base,
        'site.test.yaml': tests('site.yaml', { site: { scenario: path.includes('/') ? path : `./${path}` } }),
      }),
    },
  ],
]

/** Paths that lead out of the folder of a manifest; `link` and `folder` are symbolic links. */
const ways = [
  '../outside/target',
  'sub/../../outside/target',
  '../inside-other/target',
  'link',
  'folder/target',
]

async function read({ content, words, files }: Place, path: (folder: string) => string) {
  const folder = await temporaryFolder()
  const inside = join(folder, 'inside')
  for (const name of ['inside/.git', 'inside/sub', 'inside-other', 'outside'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['inside/good', 'inside-other/target', 'outside/target'])
    writeFileSync(join(folder, name), content)
  writeFileSync(join(inside, 'license'), 'license')
  writeFileSync(join(inside, 'own.pem'), own.cert)
  symlinkSync('../outside/target', join(inside, 'link'))
  symlinkSync('../outside', join(inside, 'folder'))
  for (const [name, value] of Object.entries(files(path(folder))))
    writeFileSync(join(inside, name), JSON.stringify(value, null, 1))
  const absolute = words.map(word => (word.endsWith('.yaml') ? join(inside, word) : word))
  const { exitCode, out, err } = await landform(absolute, { environment })
  return { exitCode, said: out + err }
}

test.each(places)('%s is read below the folder only', async (_, place) => {
  expect(await read(place, () => 'good')).toMatchObject({ exitCode: 0 })
  for (const way of [...ways, '/ABSOLUTE']) {
    const { exitCode, said } = await read(place, folder =>
      way === '/ABSOLUTE' ? join(folder, 'outside', 'target') : way,
    )
    expect([way, exitCode]).toEqual([way, 65])
    expect(said).not.toContain(canary)
  }
})
