import { generateKeyPairSync } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { fidelities } from '../../src/emulator/field/field-world.js'
import { worldOptionsOf } from '../../src/emulator/scenarios/scenario.js'
import { scenarios } from '../../src/emulator/scenarios/scenarios.js'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/server.js'
import { type LoadedEntry, loadedCommands } from '../../src/reference/loaded-commands.js'
import { cases } from '../support/cases.js'
import { isReadOnly, looksAtSite, type NamedFiles, waysToGive, wordsOf } from '../support/command-lines.js'
import { fakeHost } from '../support/fake-host.js'
import { fileDigests } from '../support/file-digests.js'
import { someSecrets } from '../support/some-secrets.js'
import { type StrictSite, strictSite } from '../support/strict-site.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'
import { virtualClock } from '../support/virtual-clock.js'
import { watchedEnvironment } from '../support/watched-environment.js'

const table = await loadedCommands()
const readers = table.filter(isReadOnly)
const lookers = readers.filter(({ touches }) => touches === 'looks')

/** Every request of this process, to whichever address: also to an emulator that a command starts for itself. */
const sent: string[] = []
const onRequest = (message: unknown) => {
  const { request } = message as { readonly request: { readonly method: string; readonly body: unknown } }
  sent.push(request.body === null ? request.method : `${request.method} with a body`)
}
beforeAll(() => channel('undici:request:create').subscribe(onRequest))
afterAll(() => channel('undici:request:create').unsubscribe(onRequest))

const basePath = '/gis/admin'
let emulator: Emulator
let strict: StrictSite
let clock: ReturnType<typeof virtualClock>
/** The examples, made once: that nothing writes there is what is tested. */
let examples: Awaited<ReturnType<typeof examplesFor>>

beforeAll(async () => {
  strict = await strictSite(`http://127.0.0.1${basePath}`)
  examples = await examplesFor(strict.url)
})
afterAll(async () => {
  await strict.close()
  await removeTemporaryFolders()
})

/** A site, and the strict server before it. */
async function openSite(options: EmulatorOptions = {}) {
  clock = virtualClock()
  emulator = await startEmulator({ basePath, now: clock.now, wait: clock.sleep, ...options })
  strict.turnTo(emulator.url)
}

async function landform(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = someSecrets,
) {
  const host = { ...fakeHost({ environment }), clock }
  return { exitCode: await run(args, host), err: host.err(), out: host.out() }
}

/** The examples in a folder of their own, each with the site as its address. */
async function examplesFor(url: string) {
  const folder = await temporaryFolder()
  cpSync('examples', folder, { recursive: true })
  // A repository, so that a manifest may build on what lies above it.
  mkdirSync(join(folder, '.git'))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /^[\w.-]+\.yaml$|\/site\.yaml$/.test(name))
    .map(name => join(folder, name))
  for (const file of files)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/https:\/\/gis[^ ]*\/admin/, url))
  // The rules of the team allow their own sites only.
  const policy = join(folder, 'environments/landform.policy.yaml')
  const { origin } = new URL(url)
  writeFileSync(policy, readFileSync(policy, 'utf8').replace('https://gis.example.org', origin))
  return { folder, files, digests: fileDigests(folder) }
}

test('some commands only read, and some of them look at a site', () => {
  expect(readers.length).toBeGreaterThan(lookers.length)
  expect(lookers.length).toBeGreaterThanOrEqual(2)
})

test('the strict site lets nothing but a GET through, and the tap sees every request', async () => {
  await openSite()
  sent.length = 0
  for (const init of [{ method: 'POST', body: 'f=json' }, { method: 'DELETE' }, { method: 'GET' }])
    await fetch(strict.url, init)
  expect(strict.offences).toEqual([expect.stringMatching(/^POST /), expect.stringMatching(/^DELETE /)])
  expect(strict.looks).toHaveLength(1)
  expect(emulator.requests).toHaveLength(1)
  expect((await landform(['apply', 'examples/quickstart.yaml', '--emulate'])).exitCode).toBe(0)
  expect(sent).toContain('POST with a body')
  await emulator.close()
})

/** Runs a command, and makes sure that it only looked; and did look, if that is what it is for. */
async function lookedOnly(
  entry: LoadedEntry,
  args: readonly string[],
  host = fakeHost({ environment: someSecrets }),
) {
  sent.length = 0
  const exitCode = await run(args, { ...host, clock })
  const mayLook = looksAtSite(entry, args)
  expect({
    args,
    others: sent.filter(what => what !== 'GET'),
    offences: strict.offences,
    looked: sent.length > 0,
  }).toEqual({
    args,
    others: [],
    offences: [],
    looked: mayLook,
  })
  return { exitCode, err: host.err() }
}

describe.each(readers)('$name, with every option it has,', entry => {
  let files: NamedFiles
  beforeAll(async () => {
    await openSite({ configured: true })
    files = await namedFiles(examples.folder)
    const saved = await landform([
      'plan',
      files.manifest,
      '--out',
      files.plan,
      '--sign-key',
      `file:${files.signKey}`,
    ])
    expect(saved).toMatchObject({ exitCode: 0 })
  })
  afterAll(() => emulator.close())

  const options = ['', ...Object.keys(entry.command.options)]
  test.each(options)(
    '%s, sends nothing but GET, and writes nothing that it was not asked for',
    async option => {
      const ways = option === '' ? [[]] : waysToGive(entry, option, files)
      for (const way of ways) {
        const written = await temporaryFolder()
        const here = { ...files, written }
        const args = [...wordsOf(entry, here), ...way.map(word => word.replace(files.written, written))]
        const { exitCode, err } = await lookedOnly(entry, args)
        expect({ args, err: exitCode === 64 ? err : '' }).toEqual({ args, err: '' })
        expect(fileDigests(examples.folder)).toEqual(examples.digests)
        // It writes beside its manifest, too.
        if (entry.name === 'init') continue
        expect({ args, left: Object.keys(fileDigests(written)) }).toEqual({
          args,
          left: askedFor(args, written),
        })
      }
    },
  )
})

/** The files below a folder that a command line names to be written. */
function askedFor(args: readonly string[], written: string): readonly string[] {
  return args
    .map(word => word.slice(word.indexOf('=') + 1))
    .filter(word => word.startsWith(`${written}/`))
    .map(word => word.slice(written.length + 1))
    .flatMap(word => (args.includes('--sign-key') ? [word, `${word}.sig`] : [word]))
    .sort()
}

async function namedFiles(folder: string): Promise<NamedFiles> {
  const own = await temporaryFolder()
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(own, name), content)
    return join(own, name)
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const list = (kind: string, more: object) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ kind, metadata: { name: 'gp3' }, ...more }] })
  return {
    manifest: join(folder, 'environments/production/site.yaml'),
    url: strict.url,
    plan: join(own, 'plan.json'),
    written: join(own, 'written'),
    signKey: file('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: file('key.pub', publicKey.export({ type: 'spki', format: 'pem' })),
    policy: join(folder, 'environments/landform.policy.yaml'),
    nodes: file('nodes.json', list('Node', { spec: {} })),
    storageClasses: file('classes.json', list('StorageClass', { provisioner: 'ebs.csi.aws.com' })),
  }
}

const worlds = fidelities.flatMap(fidelity =>
  (['new', 'running', 'configured'] as const).map(state => [fidelity, state] as const),
)

describe.each(worlds)('on a site of fidelity %s that is %s,', (fidelity, state) => {
  let turn = 0
  afterEach(() => emulator.close())

  // In the short form each scenario is met in one of these worlds, and the worlds take turns.
  const world = worlds.findIndex(one => one[0] === fidelity && one[1] === state)
  const some = Object.keys(scenarios).filter((_, at) => cases(1) > 1 || at % worlds.length === world)
  test.each(['no scenario', ...some])('in %s, nothing but GET is sent', async name => {
    const scenario = Object.entries(scenarios).find(([key]) => key === name)?.[1]
    await openSite({
      ...worldOptionsOf(scenario === undefined ? [] : [scenario]),
      fidelity,
      ...(state === 'configured' && { configured: true }),
    })
    const { folder, files, digests } = examples
    const patience = ['--timeout', '1m', '--poll-interval', '5s']
    if (state === 'running') {
      const record = ['--state', `file:${await temporaryFolder()}`]
      const begin = ['apply', 'examples/quickstart.yaml', '--url', emulator.url, '--yes', '--detach']
      await landform([...begin, ...record, ...patience])
    }
    // What a site answers and what a manifest says do not meet: with a scenario the examples take turns.
    turn += 1
    const isDue = (at: number) => cases(1) > 1 || fidelities[at % fidelities.length] === fidelity
    const asked = files.filter((_, at) => (scenario === undefined ? isDue(at) : at === turn % files.length))
    for (const entry of lookers) {
      for (const file of asked) await lookedOnly(entry, [entry.name, file])
      if ('wait' in entry.command.options)
        await lookedOnly(entry, [entry.name, ...asked.slice(0, 1), '--wait', ...patience])
    }
    expect(strict.looks.length).toBeGreaterThanOrEqual(lookers.length * asked.length)
    expect(fileDigests(folder)).toEqual(digests)
  })
})

describe('the environment', () => {
  beforeEach(() => openSite({ configured: true, fidelity: 'field' }))
  afterEach(() => emulator.close())

  test.each(readers)('of $name is never asked for a secret but the token', async entry => {
    const { folder, files } = examples
    const named = await namedFiles(folder)
    // In the short form each command reads every other example.
    const isDue = (at: number) => cases(1) > 1 || (at + readers.indexOf(entry)) % 2 === 0
    for (const manifest of files.filter((_, at) => isDue(at))) {
      const text = [manifest, join(dirname(manifest), '../base.yaml')]
        .map(file => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
        .join('')
      const secrets = [...text.matchAll(/(token: )?\{ env: (\w+) \}/g)]
        .filter(([, token]) => token === undefined)
        .map(([, , variable]) => variable ?? '')
      expect(secrets.length).toBeGreaterThan(1)
      const { environment, asked } = watchedEnvironment(someSecrets)
      await lookedOnly(entry, wordsOf(entry, { ...named, manifest }), fakeHost({ environment }))
      expect(secrets.filter(variable => asked.has(variable))).toEqual([])
    }
  })

  test('is asked for the secrets where something is applied', async () => {
    const { environment, asked } = watchedEnvironment(someSecrets)
    await run(['apply', '--emulate', 'examples/quickstart.yaml'], fakeHost({ environment }))
    expect([...asked]).toEqual(
      expect.arrayContaining(['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER']),
    )
  })
})
