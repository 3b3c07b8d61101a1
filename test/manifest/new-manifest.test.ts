import fc from 'fast-check'
import { parse, parseDocument } from 'yaml'
import { credentialTypeNames, listCredentialTypes, replacedCredential } from '../../src/contract/cloud.js'
import { serverLicenseBefore } from '../../src/contract/field-notes.js'
import { profileNames, reportedProfiles } from '../../src/contract/profiles.js'
import {
  compareVersions,
  findIntroduction,
  includes,
  isDocumented,
  manifestVersions,
  type ServiceVersion,
} from '../../src/contract/versions.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { formatNewManifest, type ManifestAnswers } from '../../src/manifest/new-manifest.js'
import { readYaml } from '../../src/manifest/yaml-reader.js'
import { formatYamlText } from '../../src/manifest/yaml-text.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { select } from '../../src/schema/select.js'
import { anyText } from '../support/any-text.js'
import { cases, isAtLength } from '../support/cases.js'

const plain: ManifestAnswers = {
  name: 'gis',
  url: 'https://gis.example.org/arcgis/admin',
  version: '11.2',
  profile: 'standard-availability',
  cloudValues: {
    bucketName: 'gis-objects',
    containerName: 'objects',
    region: 'eu-west-1',
    rootDir: 'prod',
    storageAccountName: 'gisobjects',
    managedIdentityClientId: '00000000-0000-0000-0000-000000000000',
  },
  storageClass: 'gp3',
  username: 'siteadmin',
  email: 'admin@example.org',
  fullName: 'Site Administrator',
  userType: 'creatorUT',
  question: '13',
  license: 'licenses/site.json',
}

const codesOf = (text: string) => loadManifest(source(text)).diagnostics.map(({ code }) => code)
const source = (text: string) => ({ name: 'site.yaml', bytes: Buffer.from(text) })

const profilesOfLater = { availability: 'development', performance: 'enhanced' }
/** Fills in the names of the parameters of the two profiles, which depend on the site. */
const filled = (text: string) =>
  text.replace('CHANGE-ME', 'oneProfile').replace('CHANGE-ME', 'anotherProfile')

/** The credential types of a version; for versions without cloud storage, those that must be rejected. */
const credentialsFor = (version: ServiceVersion) =>
  isDocumented(version)
    ? credentialTypeNames
    : listCredentialTypes(version).filter(name => name !== replacedCredential.type)
/** The additional diagnostics for a version that only reports mention. */
const noted = (version: ServiceVersion) => (isDocumented(version) ? [] : ['version/reported'])
// A profile is independent of the other lines, so the short form spreads the profiles over the combinations.
const combinations = manifestVersions.flatMap((version, turn) =>
  [undefined, ...credentialsFor(version)].flatMap((credential, at) =>
    profileNames
      .filter((_, one) => isAtLength || one === (turn + at) % profileNames.length)
      .map(profile => ({
        version,
        profile,
        credential,
        serverLicense: includes(version, serverLicenseBefore) ? undefined : 'licenses/server.ecp',
        deploymentProfiles: includes(version, reportedProfiles.since) ? profilesOfLater : undefined,
      })),
  ),
)
const hasCloud = (version: (typeof manifestVersions)[number]) =>
  compareVersions(version, findIntroduction('cloudConfig')) >= 0
const named = combinations.map(
  one => [`${one.version} ${one.profile} ${one.credential ?? 'no cloud'}`, one] as const,
)
const possible = named.filter(([, { version, credential }]) => credential === undefined || hasCloud(version))
const tooEarly = named.filter(([, { version, credential }]) => credential !== undefined && !hasCloud(version))

describe('a new manifest', () => {
  test.each(possible)('for %s has no diagnostics', (_, choices) => {
    const text = formatNewManifest({ ...plain, ...choices }, 'schemas/deployment.schema.json')
    expect(codesOf(filled(text))).toEqual(noted(choices.version))
    // Otherwise each check of it would need the slower parser.
    expect(readYaml(text)).toBeDefined()
    // The field in the introductory comment is in the manifest.
    const [, field = ''] = /landform explain spec\.(\w+)`/.exec(text) ?? []
    expect(Object.keys(parse(text).spec)).toContain(field)
  })

  test.each(possible)('for %s has one mistake for each value that was not given', (_, choices) => {
    const text = formatNewManifest({ ...plain, ...choices, cloudValues: {} })
    const codes = codesOf(text).filter(code => !noted(choices.version).includes(code))
    expect(codes).toEqual(codes.map(() => 'manifest/placeholder'))
    expect(codes).toHaveLength(text.split('CHANGE-ME').length - 1)
    const isOpen = choices.credential !== undefined || choices.deploymentProfiles !== undefined
    expect(codes.length > 0).toBe(isOpen)
  })

  test.each(possible)('for %s stays valid if every commented example is used', (_, choices) => {
    const text = formatNewManifest({ ...plain, ...choices }).replaceAll(/^( {2,})#(?=\S| {2})/gm, '$1')
    expect(codesOf(filled(text))).toEqual(noted(choices.version))
    expect(parse(text).spec).toHaveProperty('logLevel', 'INFO')
    expect('upgrade' in parse(text).spec).toBe(includes(choices.version, '11.2'))
  })

  test.each(possible)(
    'for %s has a comment on every section, and is unchanged after parsing and printing',
    (_, choices) => {
      const text = formatNewManifest({ ...plain, ...choices })
      const [, spec = ''] = text.split('\nspec:\n')
      const lines = spec.split('\n')
      for (const [index, line] of lines.entries())
        if (/^ {2}\w/.test(line))
          expect([line, lines[index - 1]]).toEqual([line, expect.stringMatching(/^ +#/)])
      const document = parseDocument(text)
      expect(parse(document.toString())).toEqual(parse(text))
      const { profile, deploymentProfiles } = parse(text).spec
      const isReplaced = choices.deploymentProfiles !== undefined
      expect(profile).toBe(isReplaced ? undefined : choices.profile)
      expect(deploymentProfiles?.availability.name).toBe(isReplaced ? 'development' : undefined)
    },
  )

  test.each(tooEarly)('for %s is rejected only because of its cloud storage', (_, choices) => {
    const { diagnostics } = loadManifest(source(formatNewManifest({ ...plain, ...choices })))
    expect(diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['version/field-too-new', '/spec/cloudStorage'],
    ])
  })

  test('names the schema on its first line, if there is one', () => {
    expect(formatNewManifest(plain, 'x.json')).toMatch(/^# yaml-language-server: \$schema=x\.json\n/)
    expect(formatNewManifest(plain)).not.toContain('yaml-language-server')
  })

  test('names a server license and the reason for it', () => {
    const text = formatNewManifest({ ...plain, version: '10.9', serverLicense: 'licenses/server.ecp' })
    expect(loadManifest(source(text)).diagnostics).toEqual([])
    expect(text).toContain('before version 11.0')
  })
})

const places: readonly (readonly [keyof ManifestAnswers, JsonPointer])[] = [
  ['name', '/metadata/name'],
  ['url', '/spec/site/url'],
  ['version', '/spec/site/version'],
  ['profile', '/spec/profile'],
  ['storageClass', '/spec/volumes/QUEUE/storageClass'],
  ['username', '/spec/administrator/username'],
  ['email', '/spec/administrator/email'],
  ['fullName', '/spec/administrator/fullName'],
  ['userType', '/spec/administrator/userType'],
  ['license', '/spec/license/file'],
  ['serverLicense', '/spec/license/serverFile'],
]

const odd = fc.oneof(
  anyText({ maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          'a',
          'B',
          '1',
          '0x',
          ' ',
          '  ',
          '"',
          "'",
          ':',
          ': ',
          '#',
          ' #',
          ',',
          '{',
          '}',
          '{{',
          '[',
          ']',
          '&',
          '*',
        ],
        ...[
          '!',
          '|',
          '>',
          '%',
          '@',
          '`',
          '-',
          '- ',
          '?',
          '\\',
          '\n',
          '\r',
          '\t',
          '\0',
          '\u0085',
          '\u2028',
          '\uFEFF',
        ],
        ...[
          '\u202e',
          'é',
          '日',
          '😀',
          '\ud800',
          'true',
          'null',
          '~',
          '.',
          '/',
          '=',
          '<<',
          '---',
          '...',
          '\u115f',
        ],
      ),
      { maxLength: 8 },
    )
    .map(parts => parts.join('')),
)

test.each(places)(
  'an odd answer to %s is unchanged after reading, or rejected at its position',
  (answer, pointer) => {
    fc.assert(
      fc.property(odd, text => {
        const written = formatNewManifest({ ...plain, [answer]: text })
        const { ok, diagnostics } = loadManifest(source(written))
        const pattern = pointer.replace('QUEUE', '*')
        const [found] = select(parse(written), pattern)
        expect(found?.value).toBe(text)
        if (!ok)
          for (const one of diagnostics)
            expect(one.pointer).toMatch(new RegExp(`^${pointer.replace('QUEUE', '\\w+')}$`))
      }),
      { numRuns: cases(5) },
    )
  },
)

test('an odd number of a question is rejected at its position', () => {
  fc.assert(
    fc.property(odd, question => {
      const { diagnostics } = loadManifest(source(formatNewManifest({ ...plain, question })))
      expect(new Set(diagnostics.map(({ pointer }) => pointer))).toEqual(
        /^0*(?:[1-9]|1[0-4])$/.test(question)
          ? new Set()
          : new Set(['/spec/administrator/securityQuestion/index']),
      )
    }),
  )
})

test.each([
  ['Site Administrator', 'Site Administrator'],
  ['https://gis.example.org:8443/admin', 'https://gis.example.org:8443/admin'],
  ['11.2', '"11.2"'],
  ['yes', '"yes"'],
  ['a: b', '"a: b"'],
  ['Müller', '"Müller"'],
  ['a\u202eb', '"a\\u202eb"'],
])('%j is written as %s', (text, written) => {
  expect(formatYamlText(text)).toBe(written)
})
