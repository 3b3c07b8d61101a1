import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { globSync } from 'tinyglobby'
import { loadWithBases } from '../../src/library/read-bases.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { mergeSources, renderManifest } from '../../src/manifest/render-manifest.js'
import { findValueOrigin } from '../../src/plan/fields/value-origin.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { displayJson } from '../../src/report/display.js'
import { describeOrigin } from '../../src/report/value-origin.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { anyText } from '../support/any-text.js'
import { cases } from '../support/cases.js'
import { aSource, sourceOf } from '../support/changed-manifest.js'
import { filesIn } from '../support/files-in.js'
import { landform } from '../support/landform.js'
import { aFullManifest, changed } from '../support/manifest-value.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const examples = globSync(['examples/*.yaml', 'examples/environments/*/site.yaml']).sort()

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})
const render = (file: string, ...options: string[]) => landform(['render', file, ...options], { folder })

async function loadedFrom(file: string) {
  const { loaded } = await loadWithBases({ name: file, bytes: readFileSync(file) }, file)
  if (!loaded.ok) throw new Error(`${file} is not valid`)
  return loaded.value
}

/** The parts of a manifest that determine the requests. */
async function meaningOf(file: string) {
  const { name, site, organization, policy } = await loadedFrom(file)
  return { name, site, organization, policy }
}

describe.each(examples)('%s', file => {
  const rendered = join('rendered', 'site.yaml')

  test.each([[[]], [['--origins', '--quiet']], [['--format', 'json']]])(
    'rendered with %j is an equivalent manifest',
    async options => {
      const { exitCode, out, err } = await render(file, ...options)
      expect([exitCode, err]).toEqual([0, ''])
      filesIn(folder, { [rendered]: out })
      expect(out).not.toMatch(/^"?extends/m)
      expect((await landform(['validate', join(folder, rendered), '--fail-on', 'warning'])).exitCode).toBe(0)
      expect(await meaningOf(join(folder, rendered))).toEqual(await meaningOf(file))
    },
  )

  test('with origins names the line of every value', async () => {
    const { out } = await render(file, '--origins')
    const said = [...out.matchAll(/: (\S.*) # (\S+):(\d+)$/gm)]
    expect(said.length).toBeGreaterThan(30)
    for (const [, value = '', name = '', line] of said) {
      const text = readFileSync(name, 'utf8').split('\n')[Number(line) - 1]
      expect(text).toContain(value.replaceAll('"', ''))
    }
  })
})

test('an empty optional text is sent unchanged, and an empty required text is rejected', async () => {
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

test('any value is rendered unchanged, and without control characters', () => {
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

test('special characters of a manifest are escaped', async () => {
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
    ['a key of the cloud', '/spec/cloudStorage/0/credential/secret/secretKey'],
  ] as const

  test.each(places)('is printed in %s of an invalid manifest', async (_, pointer) => {
    filesIn(folder, { 'site.yaml': JSON.stringify(changed(aFullManifest(), pointer, 'hunter2'), null, 2) })
    const { exitCode, out, err } = await render(join(folder, 'site.yaml'))
    expect(exitCode).toBe(65)
    expect(out).toBe('')
    expect(err).toContain('secret/literal')
    expect(err).not.toContain('hunter2')
  })

  test('is printed in a text that is not YAML', async () => {
    filesIn(folder, { 'site.yaml': 'spec:\n  password: hunter2\n  a: [\n' })
    const { exitCode, out, err } = await render(join(folder, 'site.yaml'))
    expect([exitCode, out]).toEqual([65, ''])
    expect(err).not.toContain('hunter2')
  })
})
