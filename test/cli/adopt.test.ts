import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import type { ServedRequest } from '../../src/emulator/server.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { anEmulator } from '../support/emulator.js'
import { fakeHost } from '../support/fake-host.js'
import { http } from '../support/http-double.js'
import { root } from '../support/manifests.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { readyRoot, siteOfSettings } from '../support/site-of-settings.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Returns true if the folder has at least one file, and no file contains any of these values. */
function secretFreeState(folder: string, secrets: Readonly<Record<string, string>>): boolean {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
  const texts = files.map(path => readFileSync(path, 'utf8'))
  return texts.length > 0 && !Object.values(secrets).some(value => texts.some(text => text.includes(value)))
}

const token = 'canary-token-0123456789'
const environment = { ...someSecrets, LANDFORM_TOKEN: token }

/** Settings of a site in the format of the vendor's script, without secrets. */
const properties = [
  'ADMIN_USERNAME=siteadmin',
  'ADMIN_EMAIL=admin@example.org',
  'ADMIN_FIRST_NAME=Ada',
  'ADMIN_LAST_NAME=Admin',
  'LICENSE_TYPE_ID=creatorUT',
  'SECURITY_QUESTION_INDEX=13',
  'SYSTEM_ARCH_PROFILE=standard-availability',
  ...['RELATIONAL', 'OBJECT', 'MEMORY', 'QUEUE', 'INDEXER', 'SHARING'].flatMap(group => [
    `${group}_STORAGE_TYPE=DYNAMIC`,
    `${group}_STORAGE_SIZE=32Gi`,
    `${group}_STORAGE_CLASS=gp3`,
    `${group}_STORAGE_LABEL_1=arcgis/tier:storage`,
    `${group}_STORAGE_LABEL_2=arcgis/app:${group.toLowerCase()}`,
  ]),
].join('\n')

/** A folder with a property file, and functions to run commands there for one site with one clock. */
async function aPerson(url: string, shared = fakeHost().clock) {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'configure.properties'), properties)
  const site = join(folder, 'site.yaml')
  const settle = (text: string) =>
    text
      .replaceAll(`${folder}/`, '')
      .replaceAll(url, 'http://127.0.0.1:PORT/BASE/admin')
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:DIGEST')
      .replaceAll(/127\.0\.0\.1_\d+-[0-9a-f]+/g, '127.0.0.1_PORT-KEY')
  return {
    folder,
    site,
    text: () => readFileSync(site, 'utf8'),
    edit: (from: string | RegExp, to: string) =>
      writeFileSync(site, readFileSync(site, 'utf8').replace(from, to)),
    async landform(...words: readonly string[]) {
      const host = { ...fakeHost({ environment, columns: 80, settle }), clock: shared }
      const named = words.map(word => (/\.(?:yaml|properties)$/.test(word) ? join(folder, word) : word))
      const exitCode = await run([...named], host)
      return { exitCode, out: host.out(), err: host.err(), screen: host.screen() }
    },
  }
}

async function aSite(options: EmulatorOptions) {
  const { clock } = fakeHost()
  const served: ServedRequest[] = []
  const emulator = await anEmulator({
    now: clock.now,
    version: '11.2',
    ...options,
    inspect: request => void served.push(request),
  })
  const methods = () => served.map(({ received }) => received.request.method)
  return { url: emulator.url, close: emulator.close, clock, methods }
}

/** Adopts, edits, plans, compares and applies, and returns all terminal output. */
async function walk(fidelity: 'document' | 'field'): Promise<string> {
  const site = await aSite({ configured: true, fidelity, token })
  const person = await aPerson(site.url, site.clock)
  const { edit } = person
  const screens: string[] = []
  const say = async (...words: readonly string[]) => {
    const { screen, exitCode } = await person.landform(...words)
    const shown = words.map(word => (word === site.url ? 'http://127.0.0.1:PORT/BASE/admin' : word))
    screens.push(`$ landform ${shown.join(' ')}\n${screen}[exit ${exitCode}]`)
  }
  const change = (words: string, from: string | RegExp, to: string) => {
    edit(from, to)
    screens.push(`# edit site.yaml: ${words}`)
  }
  const given = ['--token', 'env:LANDFORM_TOKEN', '--from-properties', 'configure.properties']
  await say('adopt', 'site.yaml', '--url', site.url, ...given)
  await say('validate', 'site.yaml')
  change('the license', 'file: CHANGE-ME } # unknown', 'file: license.json }')
  change(
    'the volume that nobody asserted',
    / {6}size: CHANGE-ME # unknown\n {6}storageClass: CHANGE-ME # unknown\n/,
    volume,
  )
  writeFileSync(join(person.folder, 'license.json'), '{}')
  await say('plan', 'site.yaml')
  await say('drift', 'site.yaml')
  change('another size of BLOB', 'BLOB:\n      size: 32Gi', 'BLOB:\n      size: 64Gi')
  await say('plan', 'site.yaml')
  await say('drift', 'site.yaml')
  change('the size as it was', 'BLOB:\n      size: 64Gi', 'BLOB:\n      size: 32Gi')
  change(
    'a placement of upgrade pods',
    /#upgrade:[\s\S]*$/,
    'upgrade: { podPlacementPolicy: { tolerations: [] } }',
  )
  await say('apply', 'site.yaml', '--yes')
  await say('drift', 'site.yaml')
  await say('state', 'show', 'site.yaml')
  expect(site.methods().filter(method => method !== 'GET')).toHaveLength(fidelity === 'field' ? 0 : 1)
  expect(secretFreeState(person.folder, environment)).toBe(true)
  return screens
    .join('\n\n')
    .replaceAll(/nonce-?\w+|[0-9a-f]{24}/g, 'NONCE')
    .replaceAll(/process \d+ on \S+/g, 'process N on HOST')
}

const volume = `      size: 32Gi
      storageClass: gp3
      labels: { arcgis/tier: storage, arcgis/app: prometheus }
`

test('a site that others configured is adopted, planned, compared and applied', async () => {
  const file = join(root, 'test', 'transcripts', 'walks', 'adoption.md')
  const said = `# A site that others configured is adopted

With document fidelity, where a site reports nothing beside its state.

\`\`\`text
${await walk('document')}
\`\`\`

With field fidelity, where it reports its settings to whoever has a token.

\`\`\`text
${await walk('field')}
\`\`\`
`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, said)
  else expect(said).toBe(readFileSync(file, 'utf8'))
})

test.each([
  ['not_configured', exitCodes.stale, /nothing to adopt: the site is not configured/],
  ['in_progress', exitCodes.inProgress, /nothing to adopt yet/],
  ['failed', exitCodes.serviceFailed, /the configuration failed/],
  ['mending', exitCodes.unknown, /reports the state "mending"/],
] as const)('a site that reports %s is not adopted', async (state, exitCode, says) => {
  const status = { state, message: 'Words.', warnings: [], stages: [] }
  const { url } = await siteOfSettings({ root: http(200, JSON.stringify({ ...readyRoot, status })) })
  const person = await aPerson(url)
  const adopted = await person.landform('adopt', 'site.yaml', '--url', url)
  expect(adopted).toMatchObject({ exitCode })
  expect(adopted.err.replaceAll(/\s+/g, ' ')).toMatch(says)
  expect(readdirSync(person.folder)).toEqual(['configure.properties'])
})

test.each([
  ['11.2.0.5500', false],
  ['11.4.0.6215', true],
  ['latest', false],
])('the site reports its version, and a file with %s is reported as different: %s', async (tag, told) => {
  const { url } = await aSite({ configured: true })
  const person = await aPerson(url)
  writeFileSync(join(person.folder, 'deploy.properties'), `VERSION_TAG=${tag}\n`)
  const file = 'deploy.properties'
  const { exitCode, err } = await person.landform(
    'adopt',
    'site.yaml',
    '--url',
    url,
    '--from-properties',
    file,
  )
  expect(exitCode).toBe(exitCodes.done)
  expect(person.text()).toContain('version: "11.2"')
  const said = err.replaceAll(/\s+/g, ' ')
  expect(said.includes('`VERSION_TAG` was not migrated: the site reports another version')).toBe(told)
  expect(said.includes('VERSION_TAG')).toBe(told)
})

test('template text in a file is not used: its value is unknown', async () => {
  const { url } = await aSite({ configured: true })
  const person = await aPerson(url)
  const file = join(person.folder, 'a.tfvars.json')
  writeFileSync(file, JSON.stringify({ admin_username: '{{ user }}', admin_email: 'a@example.org' }))
  const { exitCode } = await person.landform('adopt', 'site.yaml', '--url', url, '--from-properties', file)
  expect(exitCode).toBe(exitCodes.done)
  expect(person.text()).toContain('username: CHANGE-ME # unknown')
  expect(person.text()).toContain('email: a@example.org')
})

test('a file that cannot be read is reported before a missing address', async () => {
  const person = await aPerson('https://gis.example.org/arcgis/admin')
  writeFileSync(join(person.folder, 'a.properties'), 'deployment_fqdn = "gis.example.org"\n')
  const { exitCode, err } = await person.landform('adopt', 'site.yaml', '--from-properties', 'a.properties')
  expect([exitCode, err]).toEqual([exitCodes.invalid, expect.stringContaining('properties/hcl')])
})

test('an existing file is not replaced, a recorded site is not adopted again, and `-` records nothing', async () => {
  const { url } = await aSite({ configured: true })
  const person = await aPerson(url)
  const printed = await person.landform('adopt', '-', '--url', url)
  expect(printed.exitCode).toBe(exitCodes.done)
  expect(printed.out).toContain('# unknown')
  expect((await person.landform('adopt', 'site.yaml', '--url', url)).exitCode).toBe(exitCodes.done)
  const again = await person.landform('adopt', 'again.yaml', '--url', url)
  expect(again).toMatchObject({ exitCode: exitCodes.stale })
  expect(again.err).toContain('recorded already, as asserted by a person')
  expect(existsSync(join(person.folder, 'again.yaml'))).toBe(false)
  const other = await aPerson(url)
  writeFileSync(other.site, 'mine')
  const described = await other.landform('adopt', 'site.yaml', '--url', url, '--name', 'production')
  expect(described).toMatchObject({ exitCode: exitCodes.refused })
  // Without these options, `site.yaml` is the manifest from which the site is adopted.
  const named = await other.landform('adopt', 'site.yaml', '--url', url)
  expect(named).toMatchObject({ exitCode: exitCodes.invalid })
  expect(other.text()).toBe('mine')
})

/** A site with a manifest that describes it. */
async function aDescribedSite(options: EmulatorOptions) {
  const site = await aSite(options)
  const person = await aPerson(site.url, site.clock)
  const described = ['--name', 'production', '--url', site.url, '--email', 'admin@example.org']
  await person.landform('init', 'site.yaml', ...described, '--storage-class', 'gp3', '--yes')
  mkdirSync(join(person.folder, 'licenses'), { recursive: true })
  writeFileSync(join(person.folder, 'licenses/site.json'), '{}')
  return { ...site, ...person }
}

describe('a site that has a manifest', () => {
  test('is recorded as the manifest describes it, without the value of a secret', async () => {
    const { landform, folder, methods } = await aDescribedSite({ configured: true })
    const adopted = await landform(
      'adopt',
      'site.yaml',
      '--format',
      'json',
      '--by',
      'ada',
      '--reason',
      'ours',
    )
    expect(adopted.exitCode).toBe(exitCodes.done)
    const report = JSON.parse(adopted.out)
    expect(listSchemaErrors('adopt', report)).toEqual([])
    expect(report).toMatchObject({ by: 'ada', reason: 'ours', unknown: [] })
    expect(report.asserted).toHaveLength(33)
    // The POST is the sign-in; all other requests are GET.
    expect(methods().filter(method => method !== 'GET')).toEqual(['POST'])
    expect(secretFreeState(folder, environment)).toBe(true)
    const planned = await landform('plan', 'site.yaml', '--format', 'json', '--detailed-exitcode')
    expect(planned.exitCode).toBe(exitCodes.done)
    expect(JSON.parse(planned.out).coverage).toMatchObject({ asserted: 33, unrecorded: 0 })
    const shown = await landform('state', 'show', 'site.yaml', '--format', 'json')
    expect(listSchemaErrors('history', JSON.parse(shown.out))).toEqual([])
    expect(await landform('adopt', 'site.yaml')).toMatchObject({ exitCode: exitCodes.done })
  })

  test('is not adopted as a whole if an apply is recorded, or a request may be in progress', async () => {
    const { landform, url } = await aDescribedSite({ stageMs: 0 })
    expect(await landform('adopt', 'site.yaml')).toMatchObject({
      exitCode: exitCodes.stale,
      err: expect.stringContaining(`landform init --url ${new URL(url).protocol}`),
    })
    expect(await landform('apply', 'site.yaml', '--yes')).toMatchObject({ exitCode: exitCodes.done })
    const again = await landform('adopt', 'site.yaml')
    expect(again).toMatchObject({ exitCode: exitCodes.stale })
    expect(again.err.replaceAll(/\s+/g, ' ')).toContain('recorded already, as applied by Landform')
  })

  test('may have an optional field that the manifest omits, which blocks nothing', async () => {
    const site = await siteOfSettings({ logLevel: http(200, '{"logLevel":"FINE"}') })
    const person = await aPerson(site.url)
    await person.landform(
      'adopt',
      'site.yaml',
      '--url',
      site.url,
      '--from-properties',
      'configure.properties',
    )
    person.edit('file: CHANGE-ME } # unknown', 'file: license.json }')
    person.edit(/ {6}size: CHANGE-ME # unknown\n {6}storageClass: CHANGE-ME # unknown\n/, volume)
    person.edit(/^ {2}logLevel: FINE\n/m, '')
    writeFileSync(join(person.folder, 'license.json'), '{}')
    expect(person.text()).not.toMatch(/^ {2}logLevel/m)
    for (const command of [['plan', '--detailed-exitcode'], ['drift']])
      expect([command, (await person.landform(...command, 'site.yaml')).exitCode]).toEqual([command, 0])
  })

  test.each([
    ['spec.administrator.email', 'admin@example.org', 'gis@example.org'],
    ['spec.administrator', 'fullName: Site Administrator', 'fullName: Ada Admin'],
    ['spec.folders', /^ {2}#folders:.*$/m, '  folders: [/data/a]'],
    ['spec.logLevel', /^ {2}#logLevel:.*$/m, '  logLevel: DEBUG'],
  ])('is no longer blocked by %s after one assertion, until it is edited again', async (field, from, to) => {
    const { landform, edit } = await aDescribedSite({ stageMs: 0 })
    await landform('apply', 'site.yaml', '--yes')
    edit(from, to)
    expect((await landform('plan', 'site.yaml')).exitCode).toBe(exitCodes.stale)
    const said = ['--field', field, '--reason', 'changed by the portal team']
    expect((await landform('adopt', 'site.yaml', ...said)).exitCode).toBe(exitCodes.done)
    for (const command of [['plan', '--detailed-exitcode'], ['drift'], ['apply', '--yes']])
      expect([command, (await landform(...command, 'site.yaml')).exitCode]).toEqual([command, 0])
    edit(to, typeof from === 'string' ? from : '')
    expect((await landform('plan', 'site.yaml')).exitCode).toBe(exitCodes.stale)
  })

  test.each([
    ['--field spec.license', 'needs --reason'],
    ['--field spec.licence --reason why', 'did you mean'],
  ])('requires more options with %s', async (options, says) => {
    const { landform } = await aDescribedSite({ configured: true })
    const { exitCode, err } = await landform('adopt', 'site.yaml', ...options.split(' '))
    expect([exitCode, err]).toEqual([exitCodes.usage, expect.stringContaining(says)])
  })
})

test('no later run sends configure to an adopted site that lost its configuration', async () => {
  const configured = await aSite({ configured: true })
  const person = await aPerson(configured.url)
  await person.landform(
    'adopt',
    'site.yaml',
    '--url',
    configured.url,
    '--from-properties',
    'configure.properties',
  )
  person.edit('file: CHANGE-ME } # unknown', 'file: license.json }')
  person.edit(/ {6}size: CHANGE-ME # unknown\n {6}storageClass: CHANGE-ME # unknown\n/, volume)
  writeFileSync(join(person.folder, 'license.json'), '{}')
  const { port, pathname } = new URL(configured.url)
  await configured.close()
  const served: string[] = []
  await anEmulator({
    port: Number(port),
    basePath: pathname,
    inspect: ({ received }) => void served.push(received.request.method),
  })
  const applied = await person.landform('apply', 'site.yaml', '--yes')
  expect(applied).toMatchObject({ exitCode: exitCodes.stale })
  expect(applied.err).toMatch(/a person\s+asserted/)
  expect(served.filter(method => method !== 'GET')).toEqual([])
  expect(served).not.toEqual([])
})

test('a site reports its settings, and no property that may be a secret is written', async () => {
  const site = await siteOfSettings({
    profile: http(200, '{"activeProfile":{"profileName":"enhanced-availability"}}'),
    logLevel: http(200, '{"logLevel":"FINE","maxLogAgeDays":60}'),
    systemProperties: http(200, '{"containerStartUpTimeoutSeconds":1800,"proxyPassword":"canary-one"}'),
    upgradeConfig: http(
      200,
      '{"podPlacementPolicy":{"nodeAffinity":{},"tolerations":[{"key":"a","operator":"Exists","effect":"NoSchedule"}]}}',
    ),
  })
  const person = await aPerson(site.url)
  const adopted = await person.landform('adopt', 'site.yaml', '--url', site.url, '--format', 'json')
  expect(JSON.parse(adopted.out)).toMatchObject({
    read: [
      '/spec/profile',
      '/spec/logLevel',
      '/spec/systemProperties/containerStartUpTimeoutSeconds',
      '/spec/upgrade',
    ],
    leftOut: ['proxyPassword'],
  })
  expect(person.text()).toMatch(/^ {2}profile: enhanced-availability$/m)
  expect(person.text()).toMatch(/^ {2}logLevel: FINE$/m)
  expect(person.text()).toMatch(/^ {2}systemProperties:\n {4}containerStartUpTimeoutSeconds: 1800$/m)
  expect(person.text()).toMatch(
    /^ {2}upgrade:\n {4}podPlacementPolicy:[\s\S]* {8}- key: a\n[\s\S]* {10}effect: NoSchedule$/m,
  )
  expect(`${person.text()}${adopted.screen}`).not.toContain('canary-one')
  expect(secretFreeState(person.folder, { one: 'canary-one' })).toBe(true)
})

test('the manifest declares the given state location, relative to its own folder', async () => {
  const { url } = await aSite({ configured: true })
  const person = await aPerson(url)
  const state = `file:${join(person.folder, 'kept')}`
  const adopted = await person.landform('adopt', 'site.yaml', '--url', url, '--state', state)
  expect(adopted.exitCode).toBe(exitCodes.done)
  expect(person.text()).toMatch(/^ {2}state: file:kept$/m)
  expect(existsSync(join(person.folder, 'kept'))).toBe(true)
  expect(existsSync(join(person.folder, '.landform'))).toBe(false)
})
