import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const example = readFileSync(join(root, 'test', 'migrate', 'configure.properties'), 'utf8')

/** Migrates the example in a new folder, with some lines replaced or added. */
async function migrated(
  changes: Readonly<Record<string, string | undefined>> = {},
  args: readonly string[] = [],
) {
  const folder = await temporaryFolder()
  const lines = example.split('\n').flatMap(line => {
    const [name = ''] = line.split('=')
    if (!Object.hasOwn(changes, name)) return [line]
    return changes[name] === undefined ? [] : [`${name}=${changes[name]}`]
  })
  const added = Object.entries(changes).filter(([name]) => !example.includes(`\n${name}=`))
  const file = join(folder, 'configure.properties')
  writeFileSync(file, [...lines, ...added.map(([name, value]) => `${name}=${value}`)].join('\n'))
  const version = args.includes('--service-version') ? [] : ['--service-version', '11.2']
  const said = await landform(
    ['init', join(folder, 'site.yaml'), '--from-properties', file, ...version, ...args],
    {
      folder,
    },
  )
  const text = () => readFileSync(join(folder, 'site.yaml'), 'utf8')
  return {
    ...said,
    folder,
    text,
    manifest() {
      const loaded = loadManifest({ name: 'site.yaml', bytes: Buffer.from(text()) })
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics))
      return loaded.value
    },
    /** `LINE code` of each reported problem, in their order. */
    told: [...said.err.matchAll(/^configure\.properties:(\d+):1 .* (\w+\/[\w-]+)$/gm)].map(
      ([, line, code]) => `${line} ${code}`,
    ),
  }
}

test('every property of the example is in the manifest, or reported', async () => {
  const { exitCode, manifest, told } = await migrated()
  expect(exitCode).toBe(exitCodes.done)
  const { name, site, organization } = manifest()
  expect([name, site.url, site.version]).toEqual([
    'production',
    'https://gis.example.org/arcgis/admin',
    '11.2',
  ])
  expect(organization).toMatchObject({
    license: { file: 'licenses/site.json' },
    administrator: {
      username: 'siteadmin',
      password: { env: 'LANDFORM_ADMIN_PASSWORD' },
      email: 'admin@example.org',
      fullName: 'Site Administrator',
      userType: 'creatorUT',
      securityQuestion: { index: 13, answer: { env: 'LANDFORM_SECURITY_ANSWER' } },
    },
    profile: 'standard-availability',
    folders: ['/data/imagery', '/data/parcels'],
    logLevel: 'INFO',
  })
  const labels = { 'arcgis/tier': 'storage', 'arcgis/app': 'postgres' }
  const relational = { size: '24Gi', storageClass: 'gp3', labels }
  expect(organization.volumes).toMatchObject({
    RELATIONAL_PRIMARY: relational,
    RELATIONAL_SECONDARY: relational,
    BLOB: { size: '64Gi' },
    REST_METRICS_API: { size: '8Gi', labels: { 'arcgis/tier': 'api', 'arcgis/app': 'prometheus' } },
  })
  expect(told).toEqual([
    '8 properties/license-path',
    '11 properties/left-out',
    '14 properties/secret',
    '20 properties/secret',
    '24 properties/left-out',
    '63 volume/size-small',
  ])
})

test('no secret is shown or copied, however odd the file is', async () => {
  const secret = 'hunter2-Tr0ub4dor'
  for (const changes of [
    { ADMIN_PASSWORD: `"${secret}"`, SECURITY_QUESTION_ANSWER: `"${secret}"` },
    { ADMIN_PASSWORD: `"${secret}`, ADMIN_PASWORD: `"${secret}"` },
    { ADMIN_PASSWORD: `"$${secret}"`, CONTAINER_REGISTRY_PASSWORD: secret },
    { ADMIN_PASSWORD: `${secret} ${secret}` },
  ]) {
    const { out, err, exitCode, text } = await migrated(changes)
    expect(`${out}${err}`).not.toContain('hunter2')
    if (exitCode === exitCodes.done) expect(text()).not.toContain('hunter2')
  }
})

describe('a mistake in the manifest is reported at the property', () => {
  test.each([
    ['a user name that is too short', { ADMIN_USERNAME: '"adm"' }, '13 administrator/username'],
    ['an invalid size', { OBJECT_STORAGE_SIZE: '"64 GB"' }, '33 volume/size'],
    ['a volume without a class', { QUEUE_STORAGE_CLASS: '""' }, '44 manifest/missing-field'],
    ['an unknown question', { SECURITY_QUESTION_INDEX: '15' }, '19 manifest/malformed-value'],
    ['an invalid host', { ARCGIS_ENTERPRISE_FQDN: '"gis example"' }, '6 site/url'],
  ])('%s', async (_, changes, line) => {
    const { exitCode, told, err, text } = await migrated(changes)
    expect(told).toContain(line)
    expect(exitCode).toBe(exitCodes.invalid)
    expect(err).toContain('next: fix the problems above, then landform validate ')
    expect(text()).toContain('kind: SiteDeployment')
  })
})

test.each([
  ['an unknown name', { ADMIN_MAIL: 'a@example.org' }, 'did you mean `ADMIN_EMAIL`?'],
  [
    'a performance profile',
    { PERFORMANCE_PROFILE: '"enhanced"' },
    'the manifest has a `profile`, as before 12.1',
  ],
  [
    'placement policies',
    { PLACEMENT_POLICIES_CONFIG_FILENAME: 'p.json' },
    'no public source names the parameter of `configure`',
  ],
  ['an invalid label', { QUEUE_STORAGE_LABEL_2: '"rabbitmq"' }, 'its value is not a pair of key and value'],
  [
    'a second license',
    { LICENSE_FILE_SERVER: '/data/server.ecp' },
    'since 11.0 one license file contains everything',
  ],
])('%s is reported and omitted', async (_, changes, sentence) => {
  const { exitCode, err } = await migrated(changes)
  expect(err).toContain(sentence)
  expect(exitCode).toBe(exitCodes.done)
})

test('an empty property is ignored without a message', async () => {
  const before = await migrated()
  const { told, manifest } = await migrated({
    LOG_SETTING: '""',
    REGISTERED_FOLDER_PATHS: '""',
    LOG_RETENTION_MAX_DAYS: '',
  })
  expect(told).toEqual(before.told.filter(line => !line.startsWith('24 ')))
  expect(manifest().organization.logLevel).toBeUndefined()
})

test('both license files of the first versions are named', async () => {
  const changes = {
    LICENSE_FILE: undefined,
    LICENSE_FILE_PORTAL: '/data/portal.json',
    LICENSE_FILE_SERVER: '/data/server.ecp',
  }
  const { manifest } = await migrated(changes, ['--service-version', '10.9.1'])
  const license = { file: 'licenses/portal.json', serverFile: 'licenses/server.ecp' }
  expect(manifest().organization.license).toEqual(license)
})

describe('the two profiles of 12.1', () => {
  const later = {
    SYSTEM_ARCH_PROFILE: undefined,
    AVAILABILITY_PROFILE: '"development"',
    PERFORMANCE_PROFILE: '"enhanced"',
  }
  const at = (version: string) => ['--service-version', version]

  test('are in the manifest, whose only errors are the names of their parameters', async () => {
    const { exitCode, err, text } = await migrated(later, at('12.1'))
    expect(exitCode).toBe(exitCodes.invalid)
    expect(text()).toContain('    availability: { name: development, parameter: CHANGE-ME }\n')
    expect(text()).toContain('    performance: { name: enhanced, parameter: CHANGE-ME }\n')
    expect(text()).not.toMatch(/^ {2}profile:/m)
    expect(err).not.toContain('_PROFILE')
    const filled = text().replace('CHANGE-ME', 'a').replace('CHANGE-ME', 'b')
    const { ok, diagnostics } = loadManifest({ name: 'site.yaml', bytes: Buffer.from(filled) })
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([
      true,
      ['version/reported', 'volume/size-small'],
    ])
  })

  test('are required if a file has only one of them', async () => {
    const { exitCode, err } = await migrated(
      { SYSTEM_ARCH_PROFILE: undefined, AVAILABILITY_PROFILE: 'standard' },
      at('12.1'),
    )
    expect([exitCode, err]).toEqual([
      exitCodes.usage,
      expect.stringContaining('give --performance-profile\n'),
    ])
  })

  test('are omitted for an older version, which has a different one', async () => {
    const { exitCode, err } = await migrated(later, [...at('12.0'), '--profile', 'development'])
    expect(exitCode).toBe(exitCodes.done)
    expect(err).toContain('`AVAILABILITY_PROFILE` was not migrated')
    expect(err).toContain('`PERFORMANCE_PROFILE` was not migrated')
    const { exitCode: lacking, err: words } = await migrated(later, at('12.0'))
    expect([lacking, words]).toEqual([exitCodes.usage, expect.stringContaining('give --profile\n')])
  })

  test('are missing if a file has the profile of earlier versions, which is kept with a warning', async () => {
    const { exitCode, told, manifest } = await migrated({}, at('12.1'))
    expect(exitCode).toBe(exitCodes.done)
    expect(manifest().organization.profile).toBe('standard-availability')
    expect(told.filter(one => one.endsWith('profile/replaced'))).toHaveLength(1)
  })
})

test('values that the file lacks are never invented and have to be given', async () => {
  const changes = { ARCGIS_ENTERPRISE_FQDN: '""', K8S_NAMESPACE: undefined, ADMIN_EMAIL: undefined }
  const { exitCode, err } = await migrated(changes)
  expect([exitCode, err]).toEqual([exitCodes.usage, expect.stringContaining('give --name, --url, --email\n')])
  const given = ['--name', 'test', '--url', 'https://other.example.org/admin', '--email', 'b@example.org']
  expect((await migrated(changes, given)).manifest().site.url).toBe('https://other.example.org/admin')
})

test('an option takes precedence over the file', async () => {
  const { manifest } = await migrated({ QUEUE_STORAGE_CLASS: '""' }, [
    '--profile',
    'development',
    '--storage-class',
    'slow',
  ])
  const { profile, volumes } = manifest().organization
  expect([profile, volumes.QUEUE.storageClass, volumes.BLOB.storageClass]).toEqual([
    'development',
    'slow',
    'gp3',
  ])
})

test('a file that needs a shell to evaluate it writes no manifest', async () => {
  const { exitCode, err, text } = await migrated({ ADMIN_USERNAME: '"$USER"' })
  expect([exitCode, err]).toEqual([exitCodes.invalid, expect.stringContaining('nothing was written')])
  expect(text).toThrow()
})

test('the reasons why a file cannot be read are reported line by line', async () => {
  const { told } = await migrated({ ADMIN_USERNAME: '"$USER"', ADMIN_EMAIL: '"open' })
  const lines = told.map(line => Number.parseInt(line, 10))
  expect(told.filter(line => / properties\/(?:shell|syntax)$/.test(line))).toHaveLength(2)
  expect(lines).toEqual(lines.toSorted((a, b) => a - b))
})

test('a file that does not exist is reported as missing', async () => {
  const { exitCode, err } = await landform(['init', '-', '--from-properties', 'nowhere.properties'])
  expect([exitCode, err]).toEqual([
    exitCodes.missing,
    'error: the property file nowhere.properties does not exist\n',
  ])
})

describe('the files of the chart and of its Terraform module', () => {
  /** Migrates the files in a new folder, each with its name, after the given changes of its text. */
  async function migratedFrom(
    files: readonly string[],
    args: readonly string[] = [],
    change = (text: string) => text,
  ) {
    const folder = await temporaryFolder()
    for (const name of files)
      writeFileSync(join(folder, name), change(readFileSync(join(root, 'test', 'migrate', name), 'utf8')))
    const from = files.flatMap(name => ['--from-properties', join(folder, name)])
    const said = await landform(
      ['init', join(folder, 'site.yaml'), ...from, '--service-version', '11.2', ...args],
      { folder },
    )
    const told = [...said.err.matchAll(/^([\w.]+):(\d+):\d+ .* (\w+\/[\w-]+)$/gm)]
    return {
      ...said,
      told: told.map(([, , line, code]) => `${line} ${code}`),
      text: () => readFileSync(join(folder, 'site.yaml'), 'utf8'),
    }
  }

  const withoutFolders = { REGISTERED_FOLDER_PATHS: undefined }

  test("the chart's values lead to the same manifest as the property file", async () => {
    const { exitCode, told, text } = await migratedFrom(['values.yaml'], ['--name', 'production'])
    expect(exitCode).toBe(exitCodes.done)
    expect(text()).toBe((await migrated(withoutFolders)).text())
    expect(told).toEqual([
      '3 properties/left-out',
      '11 properties/left-out',
      '13 properties/license-path',
      '17 properties/secret',
      '22 properties/secret',
      '25 properties/left-out',
      '65 volume/size-small',
    ])
  })

  test("the module's variables lead to it as well, with its namespace as the name", async () => {
    const { exitCode, told, text } = await migratedFrom(['organization.tfvars.json'])
    expect(exitCode).toBe(exitCodes.done)
    expect(text()).toBe((await migrated(withoutFolders)).text())
    expect(told).toEqual([
      '5 properties/secret',
      '8 properties/license-path',
      '9 properties/left-out',
      '14 properties/left-out',
      '16 properties/secret',
      '18 properties/left-out',
      '65 volume/size-small',
    ])
  })

  test('standard input can be the output of `helm get values`, and names need no ending', async () => {
    const values = readFileSync(join(root, 'test', 'migrate', 'values.yaml'), 'utf8')
    const { exitCode, out, err } = await landform(
      ['init', '-', '--from-properties', '-', '--service-version', '11.2', '--name', 'production'],
      { input: `USER-SUPPLIED VALUES:\n${values.replaceAll(/^#.*\n/gm, '')}` },
    )
    expect([exitCode, err]).toEqual([exitCodes.done, expect.not.stringContaining('SUPPLIED')])
    expect(out).toContain('url: https://gis.example.org/arcgis/admin')
  })

  test('several files are merged, and the last one takes precedence', async () => {
    const { exitCode, text } = await migratedFrom(['values.yaml', 'organization.tfvars.json'], [], text =>
      text.startsWith('{') ? text.replace('siteadmin', 'laterAdmin') : text.replaceAll('gp3', 'slow'),
    )
    expect(exitCode).toBe(exitCodes.done)
    expect(text()).toMatch(/name: production\n[\s\S]*username: laterAdmin\n[\s\S]*gp3/)
    expect(text()).not.toContain('slow')
  })

  test('a chart that would configure the site itself is reported, with the way to prevent it', async () => {
    const { err } = await migratedFrom(['values.yaml'], ['--name', 'production'])
    expect(err).toContain(
      '`configure.enabled` was not migrated: with it the chart configures the site itself',
    )
    expect(err).toContain('set it to false before the chart is installed, so that only Landform configures')
  })

  test.each([
    [
      'a secret in another form',
      (text: string) => text.replace('password: Made', 'password: [hunter2, Made'),
    ],
    ['a secret with a tag', (text: string) => text.replace('password: Made up', 'password: !hunter2 x')],
    ['a secret that is an alias', (text: string) => text.replace('password: Made up', 'password: *hunter2')],
    ['a misspelt secret', (text: string) => text.replace('password: Made', 'pasword: hunter2')],
    ['a secret twice', (text: string) => text.replace('    email:', '    password: hunter2\n    email:')],
    ['a broken file', (text: string) => text.replace('password: Made', 'password: "hunter2')],
  ])('%s is never shown', async (_, change) => {
    const { exitCode, out, err, text } = await migratedFrom(['values.yaml'], ['--name', 'production'], change)
    expect(`${out}${err}`).not.toContain('hunter2')
    if (exitCode === exitCodes.done) expect(text()).not.toContain('hunter2')
    else expect(text).toThrow()
  })

  test('without volumes in the file, options create them; without either, they are required', async () => {
    const without = (text: string) => text.replace(/ {2}storage:[\s\S]*/, '')
    const given = ['--name', 'production', '--storage-class', 'gp3', '--volume-size', '64Gi']
    const { exitCode, text } = await migratedFrom(['values.yaml'], given, without)
    expect([exitCode, text()]).toEqual([exitCodes.done, expect.stringContaining('size: 64Gi')])
    const left = await migratedFrom(['values.yaml'], ['--name', 'production'], without)
    expect([left.exitCode, left.err]).toEqual([
      exitCodes.invalid,
      expect.stringContaining('`volumes` must be a map'),
    ])
  })

  test('values that several files lack are requested by the names of the options', async () => {
    const { exitCode, err } = await migratedFrom(['values.yaml'])
    expect([exitCode, err]).toEqual([
      exitCodes.usage,
      expect.stringMatching(/values\.yaml lacks required values; give --name\n/),
    ])
  })
})

/** Migrates these files in a new folder. */
async function migratedTexts(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: readonly string[] = [],
) {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const from = Object.keys(files).flatMap(name => ['--from-properties', join(folder, name)])
  const said = await landform(['init', join(folder, 'site.yaml'), ...from, ...args], { folder })
  return { ...said, text: () => readFileSync(join(folder, 'site.yaml'), 'utf8') }
}

const fieldCase = (name: string) => readFileSync(join(root, 'test', 'field-cases', name), 'utf8')
const values = readFileSync(join(root, 'test', 'migrate', 'values.yaml'), 'utf8')
const variables = readFileSync(join(root, 'test', 'migrate', 'organization.tfvars.json'), 'utf8')
const tagged = (tag: string) => values.replace('image:\n', `image:\n  tag: ${tag}\n`)
const versioned = (version: string) => variables.replace('{', `{ "arcgis_version": ${version},`)

describe('the version in a file', () => {
  const serverLicense = ['--server-license', 'licenses/server.ecp']
  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[], string]>([
    ['of the module', { 'a.tfvars.json': versioned('"12.0"') }, [], '12.0'],
    ['of the module, as a number', { 'a.tfvars.json': versioned('12.0') }, [], '12.0'],
    ['of an image', { 'values.yaml': tagged('11.2.0.5500') }, [], '11.2'],
    ['of an image, with a patch', { 'values.yaml': tagged('10.9.1.27460') }, serverLicense, '10.9.1'],
    ['of an image, as a number', { 'values.yaml': tagged('12.0') }, [], '12.0'],
    ['of a property file', { 'a.properties': `${example}VERSION_TAG="11.4.0.6215"\n` }, [], '11.4'],
    [
      'that the option repeats',
      { 'values.yaml': tagged('11.2.0.5500') },
      ['--service-version', '11.2'],
      '11.2',
    ],
    [
      'that the option has in full',
      { 'values.yaml': tagged('11.2') },
      ['--service-version', '11.2.1'],
      '11.2.1',
    ],
    [
      'that is invalid, with the option',
      { 'values.yaml': tagged('latest') },
      ['--service-version', '11.2'],
      '11.2',
    ],
    [
      'that two files repeat',
      { 'a.yaml': tagged('11.2.0.5500'), 'b.tfvars.json': versioned('"11.2"') },
      [],
      '11.2',
    ],
  ])('%s becomes that of the manifest', async (_, files, args, version) => {
    const name = args.includes('--name') ? [] : ['--name', 'production']
    const { exitCode, err, text } = await migratedTexts(files, [...args, ...name])
    expect([exitCode, text()]).toEqual([exitCodes.done, expect.stringContaining(`version: "${version}"\n`)])
    expect(err).not.toContain('its value does not begin')
  })

  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[], string]>([
    [
      'an option',
      { 'org.tfvars.json': fieldCase('01-org.tfvars.json') },
      ['--service-version', '11.2'],
      '12.0 from `arcgis_version` in org.tfvars.json:6, and 11.2 from --service-version',
    ],
    [
      'another file',
      { 'a.yaml': tagged('11.2.0.5500'), 'b.yaml': 'image:\n  tag: 11.4.0.6215\n' },
      [],
      '11.2 from `image.tag` in a.yaml:3, and 11.4 from `image.tag` in b.yaml:2',
    ],
    [
      'another file, although the option is right',
      { 'a.properties': 'VERSION_TAG=11.1', 'b.tfvars.json': '{ "arcgis_version": "11.2" }' },
      ['--service-version', '11.2'],
      '11.1 from `VERSION_TAG` in a.properties:1, and 11.2 from --service-version',
    ],
  ])('that contradicts %s is rejected', async (_, files, args, sentence) => {
    const { exitCode, err, text } = await migratedTexts(files, args)
    expect([exitCode, err]).toEqual([
      exitCodes.usage,
      expect.stringContaining(`error: contradicting versions: ${sentence}; correct the wrong one\n`),
    ])
    expect(text).toThrow()
  })

  test('that is invalid is reported, and the option requested', async () => {
    const { exitCode, err } = await migratedTexts({ 'values.yaml': tagged('hunter2') }, ['--name', 'trial'])
    expect([exitCode, err]).toEqual([
      exitCodes.usage,
      expect.stringMatching(
        /values\.yaml:3:3 {2}warning {2}`image\.tag` was not migrated[\s\S]*give --service-version\n/,
      ),
    ])
    expect(err).not.toContain('hunter2')
  })

  test('is the only value of an image without more', async () => {
    const alone = values.replace(/image:\n(?: {2}.*\n)+/, 'image:\n  tag: 11.2\n')
    const { err } = await migratedTexts({ 'values.yaml': alone }, ['--name', 'trial'])
    expect(err).not.toContain('`image')
  })
})

describe('a resource of another tool', () => {
  const inside = (head: string, depth: number) =>
    `${head}${values.replaceAll(/^(?=[^\n])/gm, ' '.repeat(depth))}`

  test.each([
    [
      'a HelmRelease',
      inside('apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  values:\n', 4),
    ],
    [
      'an Application',
      inside(
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    helm:\n      valuesObject:\n',
        8,
      ),
    ],
  ])('%s has the values of the chart', async (_, text) => {
    const args = ['--name', 'production', '--service-version', '11.2']
    const plain = await migratedTexts({ 'values.yaml': values }, args)
    const wrapped = await migratedTexts({ 'wrapped.yaml': text }, args)
    expect([wrapped.exitCode, wrapped.text()]).toEqual([exitCodes.done, plain.text()])
  })

  test.each([
    ['values as a text', 'kind: Application\nspec: { source: { helm: { values: "install: {}" } } }'],
    ['values from elsewhere', 'kind: HelmRelease\nspec: { valuesFrom: [{ kind: ConfigMap, name: values }] }'],
    ['no values', 'kind: Secret\ndata: { password: hunter2 }'],
  ])('with %s is reported with its own name', async (_, text) => {
    const { exitCode, err } = await migratedTexts({ 'a.yaml': `apiVersion: v1\n${text}\n` })
    expect([exitCode, err]).toEqual([
      exitCodes.invalid,
      expect.stringContaining(
        'the file is a Kubernetes resource without chart values  properties/resource\n',
      ),
    ])
    expect(err).not.toContain('hunter2')
  })
})

test('values that a file lacks are reported after all other problems of the file', async () => {
  const { exitCode, err } = await migratedTexts({ 'a.yaml': fieldCase('09-helmrelease.yaml') })
  const [last = '', ...others] = err.split('\n\n').toReversed()
  expect(exitCode).toBe(exitCodes.usage)
  expect(last).toMatch(/^error: a\.yaml lacks required values; give --service-version, --name\n/)
  expect(others.toReversed().map(one => one.split(' ', 1)[0])).toEqual(['a.yaml:8:7', 'a.yaml:13:7'])
})

test('the two files of the guides for 12.1 make one manifest of that version', async () => {
  const names = ['03-deploy-12.1.properties', '03-configure-12.1.properties']
  const { err, text } = await migratedTexts(Object.fromEntries(names.map(name => [name, fieldCase(name)])))
  expect(text()).toMatch(
    /version: "12\.1"[\s\S]*deploymentProfiles:\n.*name: development.*\n.*name: standard/,
  )
  expect(err).not.toMatch(/properties\/(?:unknown|shell)/)
  expect(err.match(/^03-deploy\S+ +warning/gm)).toHaveLength(1)
})

test('an object store is not required if options describe it', async () => {
  const text = fieldCase('01-module-null-cloud.tfvars.json')
  const said = (...args: readonly string[]) => migratedTexts({ 'a.tfvars.json': text }, args)
  expect((await said()).err).toContain('a.tfvars.json:11:3  warning')
  expect((await said('--cloud', 'none')).err).not.toContain('a.tfvars.json:11:3')
})

describe('a host', () => {
  const noDomain = '`ARCGIS_ENTERPRISE_FQDN` is a host name without a domain'
  const anAddress = '`ARCGIS_ENTERPRISE_FQDN` is more than a host name'
  test.each([
    ['arcgis', [noDomain], 'arcgis'],
    ['arcgis:8443', [noDomain], 'arcgis:8443'],
    ['gis.example.org', [], 'gis.example.org'],
    ['https://gis.example.org', [anAddress], 'gis.example.org'],
    ['https://gis.example.org/arcgis/', [anAddress], 'gis.example.org'],
    ['gis.example.org/arcgis', [anAddress], 'gis.example.org'],
    ['https://arcgis', [anAddress, noDomain], 'arcgis'],
  ])('%s is reported as %j', async (value, findings, host) => {
    const { exitCode, err, manifest } = await migrated({ ARCGIS_ENTERPRISE_FQDN: `"${value}"` })
    expect(exitCode).toBe(exitCodes.done)
    expect(manifest().site.url).toBe(`https://${host}/arcgis/admin`)
    const told = [noDomain, anAddress].filter(one =>
      err.includes(`configure.properties:6:1  warning  ${one}`),
    )
    expect(told.toSorted()).toEqual(findings.toSorted())
  })

  test('that an option replaces is not reported', async () => {
    const url = ['--url', 'https://gis.example.org/arcgis/admin']
    const { err } = await migrated({ ARCGIS_ENTERPRISE_FQDN: '"arcgis"' }, url)
    expect(err).not.toContain('properties/host')
  })
})

test.each([
  ['ADMIN_FIRST_NAME', '"<first_name>"', 'fullName'],
  ['ADMIN_EMAIL', '"{{ admin_email }}"', 'email'],
  ['ADMIN_USERNAME', '__ADMIN__', 'username'],
  ['ARCGIS_ENTERPRISE_FQDN', "'$(FQDN)'", 'url'],
  ['RELATIONAL_STORAGE_CLASS', '%CLASS%', 'storageClass'],
])('%s as the template %s is reported, and CHANGE-ME in the manifest', async (name, template, field) => {
  const { exitCode, text, told } = await migrated({ [name]: template })
  expect(exitCode).toBe(exitCodes.invalid)
  expect(told.some(one => one.endsWith('manifest/placeholder'))).toBe(true)
  expect(text()).toMatch(new RegExp(`\\b${field}: "?CHANGE-ME`))
  expect(text()).not.toContain(template.replaceAll(/["']/g, ''))
})

test('a property file may export its variables', async () => {
  const args = ['--service-version', '11.2']
  const plain = await migratedTexts({ 'a.properties': example }, args)
  const exported = await migratedTexts(
    { 'a.properties': example.replaceAll(/^(?=[A-Z])/gm, 'export ') },
    args,
  )
  expect([exported.exitCode, exported.err, exported.text()]).toEqual([
    exitCodes.done,
    plain.err,
    plain.text(),
  ])
})

test.each([
  ['a.properties', example],
  ['values.yaml', values],
  ['a.tfvars.json', variables],
])('%s in UTF-16 is reported once, with the remedy', async (name, text) => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const { exitCode, err } = await migratedTexts({ [name]: bytes })
  expect([exitCode, err.replaceAll(/\s+/g, ' ')]).toEqual([
    exitCodes.invalid,
    `${name}:1:1 error the file is UTF-16, not UTF-8 yaml/not-text help: save it as UTF-8 in the editor, or run \`iconv -f UTF-16 -t UTF-8\`; in PowerShell write it with \`-Encoding utf8\` error: nothing was written: ${name} is not valid `,
  ])
})

test('the page about migration has the tested example', () => {
  const page = readFileSync(join(root, 'docs', 'how-to', 'migrate.md'), 'utf8')
  expect(page).toContain(`<!-- file: configure.properties -->\n\n\`\`\`properties\n${example}\`\`\`\n`)
})
