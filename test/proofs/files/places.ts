import type { JsonPointer } from '../../../src/diagnostics/pointer.js'
import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import { anAuthority } from '../../support/certificate.js'
import { aSmallManifest, changed } from '../../support/manifest-value.js'

/** Stands in everything that a path must not lead to. */
export const canary = 'Canary7c1e'

/** A place in a file of the user that names another file. */
export interface Place {
  readonly name: string
  /** What the file holds that it names. */
  readonly content: string
  /** The words of the command that reads it. */
  readonly words: readonly string[]
  /** The files of the user, by their names. */
  files(path: string): Readonly<Record<string, JsonValue>>
  /** How the command ends where the file is missing, and where it may not be read. */
  readonly ends: { readonly missing: number; readonly refused: number }
}

const tokens = { env: 'LANDFORM_VALUE' }
const check = ['validate', '--check-secrets', 'site.yaml']
const ends = { missing: 66, refused: 65 }
const authority = anAuthority(canary)
const own = authority.issue(canary)

const base: JsonObject = [
  ['/spec/administrator/password', tokens],
  ['/spec/administrator/securityQuestion/answer', tokens],
  ['/spec/license/file', 'license'],
].reduce(
  (manifest, [pointer, value]) => changed(manifest, pointer as JsonPointer, value as JsonValue),
  aSmallManifest(),
)

/** A field of a manifest that holds a path, or a reference to a file. */
function field(
  pointer: JsonPointer,
  content: string,
  around: (manifest: JsonObject) => JsonObject = same,
): Place {
  const isReference = /(?:token|password|answer|Key)$/.test(pointer)
  return {
    name: pointer,
    content,
    words: check,
    ends,
    files: path => ({ 'site.yaml': changed(around(base), pointer, isReference ? { file: path } : path) }),
  }
}

function same<T>(value: T): T {
  return value
}

const secret = `${canary}secret`
const foreign = ['storage-account', canary].join('-')
const blob: JsonObject = {
  name: 'AZURE',
  credential: {
    type: 'STORAGE-ACCOUNT-KEY',
    secret: { storageAccountName: foreign.toLowerCase(), storageAccountKey: tokens },
  },
  cloudServices: [{ name: 'objects', connection: { containerName: 'gis', rootDir: 'prod' } }],
}
const test = (site: JsonObject, manifest: string) => ({
  apiVersion: 'landform.dev/v1',
  kind: 'SiteTest',
  manifest,
  tests: [{ name: 'nothing is said of it', ...site, expect: { diagnostics: [] } }],
})
/** Without a slash it would be the name of a scenario. */
const asFile = (path: string) => (/[/\\]/.test(path) ? path : `./${path}`)
const testEnds = { missing: 65, refused: 65 }

/** Every place in a file of the user that names a file to read. */
export const places: readonly Place[] = [
  field('/spec/license/file', secret),
  field('/spec/license/serverFile', secret, manifest => changed(manifest, '/spec/site/version', '10.9.1')),
  field('/spec/site/token', secret),
  field('/spec/administrator/password', secret),
  field('/spec/administrator/securityQuestion/answer', secret),
  field('/spec/site/signIn/password', secret, manifest =>
    changed(manifest, '/spec/site/signIn/username', 'operations'),
  ),
  field('/spec/cloudStorage/0/credential/secret/storageAccountKey', secret, manifest =>
    changed(manifest, '/spec/cloudStorage', [blob]),
  ),
  field('/spec/site/tls/caFile', authority.cert),
  field('/spec/site/tls/client/certificate', own.cert, manifest =>
    changed(manifest, '/spec/site/tls/client/privateKey', { env: 'LANDFORM_KEY' }),
  ),
  field('/spec/site/tls/client/privateKey', own.key, manifest =>
    changed(manifest, '/spec/site/tls/client/certificate', 'own.pem'),
  ),
  {
    name: 'extends',
    content: `apiVersion: landform.dev/v1\nkind: SiteDeployment\nspec: { folders: [/${canary}] }\n`,
    words: check,
    ends,
    files: path => ({ 'site.yaml': { ...base, extends: path } }),
  },
  {
    name: 'the manifest of a test',
    content: JSON.stringify(changed(base, '/spec/administrator/description', canary), null, 1),
    words: ['test', 'site.test.yaml'],
    ends: testEnds,
    files: path => ({ 'site.test.yaml': test({}, path) }),
  },
  {
    name: 'the scenario of a test',
    content: `summary: ${canary}\nseed: 42\n`,
    words: ['test', 'site.test.yaml'],
    ends: testEnds,
    files: path => ({
      'site.yaml': base,
      'site.test.yaml': test({ site: { scenario: asFile(path) } }, 'site.yaml'),
    }),
  },
]

/** What the commands find in the environment and beside their files, so that only the attacked file can be wrong. */
export const environment = {
  LANDFORM_VALUE: `Harmless1-value`,
  LANDFORM_KEY: own.key,
  SECRET: `${canary}environ`,
}
export const beside: Readonly<Record<string, string>> = { license: 'license', 'own.pem': own.cert }

/** Pieces of what lies outside; none of them may be in anything that a command says. */
export function piecesOf({ content }: Place): readonly string[] {
  // What is in PEM has letters of its own.
  const [, letters] = /^-----.*\n(.{40})/.exec(content) ?? []
  return [canary, 'root:x:0:', ...(letters === undefined ? [] : [letters])]
}
