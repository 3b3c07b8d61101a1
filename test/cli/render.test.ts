import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { globSync } from 'tinyglobby'
import { buildConfigureParts } from '../../src/client/wire/configure-parts.js'
import { buildUpdateFields } from '../../src/client/wire/form-requests.js'
import { credentialTypeNames } from '../../src/contract/cloud.js'
import { loadWithBases } from '../../src/library/read-bases.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { mergeSources, renderManifest } from '../../src/manifest/render-manifest.js'
import { findValueOrigin } from '../../src/plan/fields/value-origin.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { displayJson } from '../../src/report/display.js'
import { describeOrigin } from '../../src/report/value-origin.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { Secret } from '../../src/secrets/secret.js'
import { anUpdate } from '../support/an-update.js'
import { anyText } from '../support/any-text.js'
import { cases } from '../support/cases.js'
import { aSource, sourceOf } from '../support/changed-manifest.js'
import { filesIn } from '../support/files-in.js'
import { landform } from '../support/landform.js'
import { aFullManifest, changed, valueAt } from '../support/manifest-value.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const examples = globSync(['examples/*.yaml', 'examples/environments/*/site.yaml']).sort()

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(removeTemporaryFolders)

const render = (file: string, ...options: string[]) => landform(['render', file, ...options], { folder })

/** The manifest that a file and what it builds on make. */
async function loadedFrom(file: string) {
  const { loaded } = await loadWithBases({ name: file, bytes: readFileSync(file) }, file)
  if (!loaded.ok) throw new Error(`${file} is not valid`)
  return loaded.value
}

/** What of a manifest decides what is sent. */
async function meaningOf(file: string) {
  const { name, site, organization, policy } = await loadedFrom(file)
  return { name, site, organization, policy }
}

describe.each(examples)('%s', file => {
  const rendered = join('rendered', 'site.yaml')

  test.each([[[]], [['--origins', '--quiet']], [['--format', 'json']]])(
    'rendered with %j is a manifest by itself that means the same',
    async options => {
      const { exitCode, out, err } = await render(file, ...options)
      expect([exitCode, err]).toEqual([0, ''])
      filesIn(folder, { [rendered]: out })
      expect(out).not.toMatch(/^"?extends/m)
      expect((await landform(['validate', join(folder, rendered), '--fail-on', 'warning'])).exitCode).toBe(0)
      expect(await meaningOf(join(folder, rendered))).toEqual(await meaningOf(file))
    },
  )

  test('on the wire is what the client would send, but for what is secret', async () => {
    const manifest = await loadedFrom(file)
    const { organization, policy, site } = manifest
    const whole = { spec: { ...organization, site } } as unknown as JsonObject
    const secretAt = (pointer: JsonPointer) => new Secret(Buffer.from(wordsFor(valueAt(whole, pointer))))
    const sent = [
      ...buildConfigureParts(organization, secretAt),
      ...(policy === undefined
        ? []
        : buildUpdateFields(anUpdate(policy), site.token && secretAt('/spec/site/token'))),
    ]
    const { out } = await render(file, '--wire')
    const shown = out.split('\n').filter(line => /^\w+: /.test(line))
    expect(shown).toEqual(sent.map(({ name, value }) => `${name}: ${value}`))
    expect(out.match(/^POST .*$/gm)).toEqual([
      `POST ${site.url}/configure`,
      ...(policy === undefined ? [] : [`POST ${site.url}/system/upgrades/config/update`]),
    ])
  })

  test('with origins names of every value the line that has it', async () => {
    const { out } = await render(file, '--origins')
    const said = [...out.matchAll(/: (\S.*) # (\S+):(\d+)$/gm)]
    expect(said.length).toBeGreaterThan(30)
    for (const [, value = '', name = '', line] of said) {
      const text = readFileSync(name, 'utf8').split('\n')[Number(line) - 1]
      expect(text).toContain(value.replaceAll('"', ''))
    }
  })
})

/** The words in place of a secret or a file. */
function wordsFor(reference: JsonValue | undefined): string {
  if (!isObject(reference)) return `[the file ${reference}]`
  return 'env' in reference
    ? `[secret from ${reference['env']}]`
    : `[secret from the file ${reference['file']}]`
}

test('an empty text of an optional field is sent as it is, and one of a required field is rejected', async () => {
  const withEmpty = (...names: readonly string[]) =>
    JSON.stringify(
      names.reduce((value, name) => changed(value, `/spec/administrator/${name}`, ''), aFullManifest()),
    )
  filesIn(folder, {
    'optional.yaml': withEmpty('firstName', 'lastName', 'description'),
    'required.yaml': withEmpty('fullName', 'userType'),
  })
  const optional = await render(join(folder, 'optional.yaml'), '--wire')
  expect(optional.out).toMatch(/^firstName: \nlastName: \ndescription: $/m)
  const required = await render(join(folder, 'required.yaml'), '--wire')
  expect([required.exitCode, required.err.match(/`\w+` must not be empty|also: \w+/g)]).toEqual([
    65,
    ['`fullName` must not be empty', 'also: userType'],
  ])
})

test('any text and any value comes out as it went in, and no character of it moves a cursor', () => {
  const text = fc.oneof(
    anyText({ maxLength: 12 }),
    fc.constantFrom(
      'null',
      '1e3',
      '0x1f',
      '- x',
      'a: b',
      ' x ',
      '# x',
      '*a',
      '2020-01-01',
      '\u202e\u001b[31m',
    ),
    fc.constantFrom(
      'a\n# b\n  c\n',
      '\n',
      '\u2028',
      'a ##vso[x]',
      '\u{e0001}',
      '\ufeff',
      '\u3164',
      'yes',
      '<<',
    ),
  )
  const values = fc.dictionary(
    fc.oneof(text, fc.constantFrom('a', 'b')),
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant([]), fc.constant({})),
    { maxKeys: 4 },
  )
  const property = fc.property(values, fc.boolean(), (some, origins) => {
    const extra = Object.fromEntries(
      Object.entries(some).map(([key, value]) => [`x${key}`, value as JsonValue]),
    )
    const manifest = changed(aFullManifest(), '/spec/systemProperties', extra)
    const source = sourceOf(manifest)
    const before = loadManifest(source)
    fc.pre(before.ok)
    const whole = mergeSources([source])
    const place = (pointer: JsonPointer) => describeOrigin(findValueOrigin(pointer, whole, emptyRecord))
    const out = displayJson(renderManifest(whole, origins ? { describe: place } : undefined))
    expect(out).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    const after = loadManifest(aSource(out))
    expect(after.ok && before.ok && after.value.organization).toEqual(before.ok && before.value.organization)
  })
  fc.assert(property, { numRuns: cases(13) })
})

test('text of a manifest reaches the terminal as escapes only', async () => {
  const text = readFileSync('examples/quickstart.yaml', 'utf8')
  for (const [name, character, code] of [
    ['a.yaml', '\u00a0', 0],
    ['b.yaml', '\u202e', 65],
  ] as const) {
    filesIn(folder, { [name]: text.replace('Site Administrator', `Site ${character}Administrator ##vso[x]`) })
    for (const options of [[], ['--origins'], ['--wire'], ['--format', 'json']]) {
      const { exitCode, out, err } = await render(join(folder, name), ...options)
      expect(exitCode).toBe(code)
      expect(out + err).not.toMatch(/\u00a0|\u202e|##/)
    }
  }
})

describe('no literal secret', () => {
  const places = [
    ['the password', '/spec/administrator/password'],
    ['the answer', '/spec/administrator/securityQuestion/answer'],
    ['the token', '/spec/site/token'],
    ['a key of the cloud', '/spec/cloudStorage/0/credential/secret/secretKey'],
  ] as const

  test.each(places)('in %s of an invalid manifest is printed', async (_, pointer) => {
    filesIn(folder, { 'site.yaml': JSON.stringify(changed(aFullManifest(), pointer, 'hunter2'), null, 2) })
    for (const options of [[], ['--origins'], ['--wire'], ['--format', 'json']]) {
      const { exitCode, out, err } = await render(join(folder, 'site.yaml'), ...options)
      expect(exitCode).toBe(65)
      expect(out).toBe('')
      expect(err).toContain('secret/literal')
      expect(err).not.toContain('hunter2')
    }
  })

  test('in a text that is no YAML is printed', async () => {
    filesIn(folder, { 'site.yaml': 'spec:\n  password: hunter2\n  a: [\n' })
    const { exitCode, out, err } = await render(join(folder, 'site.yaml'))
    expect([exitCode, out]).toEqual([65, ''])
    expect(err).not.toContain('hunter2')
  })
})

test.each(credentialTypeNames)('the words for the secrets of %s say where they come from', async type => {
  filesIn(folder, { 'site.yaml': JSON.stringify(aFullManifest(type)) })
  const { out } = await render(join(folder, 'site.yaml'), '--wire')
  const [line = ''] = out.match(/^cloudConfig: .*$/m) ?? []
  const secret = valueAt(aFullManifest(type), '/spec/cloudStorage/0/credential/secret') ?? {}
  for (const { env } of Object.values(secret) as { env: string }[])
    expect(line).toContain(`"[secret from ${env}]"`)
  expect(JSON.parse(line.replace('cloudConfig: ', ''))).toHaveLength(1)
})
