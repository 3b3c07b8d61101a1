import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import type { ServedRequest } from '../../src/emulator/server.js'
import type { Plan } from '../../src/plan/plan.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { anEmulator } from '../support/emulator.js'
import { writeExample } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { json } from '../support/http-double.js'
import { type SettingAnswers, settingPaths, siteOfSettings } from '../support/site-of-settings.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const token = 'canary-token-0123456789'
const signedIn = { ...someSecrets, LANDFORM_TOKEN: token }
const { LANDFORM_TOKEN: _, ...signedOut } = signedIn
const field = { fidelity: 'field', token } as const satisfies EmulatorOptions
const extra = { emulatedContainerResources: { limits: { memory: '1Gi' } } }

/** A folder with the quickstart and its files, and more lines in its `spec`. */
async function aFolder(more = '', profile = 'development'): Promise<string> {
  const folder = await temporaryFolder()
  const spec = `  profile: ${profile}\n${more}`
  writeExample(folder, { edit: text => text.replace('  profile: development\n', spec) })
  return folder
}

/** A site, and folders with manifests from which commands are run, with the same clock. */
async function aSite(options: EmulatorOptions) {
  const { clock } = fakeHost()
  const served: ServedRequest[] = []
  const inspect = (request: ServedRequest) => {
    served.push(request)
    options.inspect?.(request)
  }
  const emulator = await anEmulator({ now: clock.now, stageMs: 100, ...options, inspect })
  const personIn = (folder: string) => {
    const landform = async (command: string, { environment = signedIn, more = [] }: Person = {}) => {
      const host = { ...fakeHost({ environment }), clock }
      const before = served.length
      const site = [join(folder, 'site.yaml'), '--url', emulator.url]
      const exitCode = await run([command, ...site, ...more], host)
      const asked = served.slice(before).map(({ received }) => received.request)
      return { exitCode, out: host.out(), err: host.err(), asked }
    }
    const planned = async (person: Person = {}) => {
      const ran = await landform('plan', { ...person, more: ['--format', 'json'] })
      return { ...ran, plan: JSON.parse(ran.out) as Plan }
    }
    const applies = async () => {
      const { exitCode, err } = await landform('apply', { more: ['--yes'] })
      expect([exitCode, err]).toEqual([exitCodes.done, expect.stringContaining('update: done')])
    }
    return { landform, planned, applies }
  }
  return { emulator, clock, personIn }
}

interface Person {
  readonly environment?: Readonly<Record<string, string>>
  readonly more?: readonly string[]
}

/** The distinct statuses of the fields whose pointers match. */
const listStatuses = ({ fields }: Plan, place: RegExp) => [
  ...new Set(fields.filter(({ pointer }) => place.test(pointer)).map(({ verdict }) => verdict)),
]
const readable = /^\/spec\/(?:profile|logLevel|systemProperties|upgrade)/
const more = '  logLevel: FINE\n  systemProperties: { containerStartUpTimeoutSeconds: 1800 }\n'
const methodsOf = (asked: readonly { readonly method: string }[]) =>
  new Set(asked.map(({ method }) => method))

describe('after an apply the next plan has no changes, and readable fields are equal', () => {
  test.each<[string, EmulatorOptions, string[]]>([
    ['that reports nothing', {}, ['recorded']],
    ['of the field', field, ['equal']],
    ['of the field without a token', { fidelity: 'field', field: { securityFrom: 'never' } }, ['equal']],
    ['of the field, 12.0', { ...field, version: '12.0' }, ['equal']],
    // Version 12.1 replaced the resource of the profile.
    ['of the field, 12.1', { ...field, version: '12.1' }, ['recorded', 'equal']],
    [
      'of the field, 12.1, that merges',
      { ...field, version: '12.1', field: { updateMode: 'merge' } },
      ['recorded', 'equal'],
    ],
  ])('at a site %s', async (_, options, verdicts) => {
    const { applies, planned, landform } = (await aSite(options)).personIn(await aFolder(more))
    await applies()
    const { plan, exitCode, asked } = await planned()
    expect(exitCode).toBe(exitCodes.done)
    expect(plan.actions.map(({ change }) => change)).toEqual(['no-op', 'no-op'])
    expect(listStatuses(plan, readable)).toEqual(verdicts)
    expect(listStatuses(plan, /^\/spec\/volumes/)).toEqual(['recorded'])
    expect(methodsOf(asked)).toEqual(new Set(['GET']))
    const again = await landform('apply')
    expect([again.exitCode, methodsOf(again.asked)]).toEqual([exitCodes.done, new Set(['GET'])])
  })
})

test('only the root of a site without an organization is read', async () => {
  const { clock, personIn } = await aSite({ ...field, stageMs: 60_000 })
  const { landform, planned } = personIn(await aFolder(more))
  const fresh = await planned()
  expect(fresh.asked.map(({ path }) => path)).toEqual([''])
  await landform('apply', { more: ['--yes', '--detach'] })
  await clock.sleep(60_000, new AbortController().signal)
  const running = await planned()
  expect([running.plan.actions[0]?.change, running.asked.map(({ path }) => path)]).toEqual(['resume', ['']])
  expect(running.err).toBe('')
})

describe('settings next to the placement policy are kept', () => {
  const kept = { ...extra, podPlacementPolicy: { tolerations: [{ key: 'dedicated' }] } }
  const cases = (['12.0', '12.1'] as const).flatMap(version =>
    (['replace', 'merge'] as const).map(updateMode => [version, updateMode] as const),
  )

  test.each(cases)('an update of %s, if updates %s, as planned', async (version, updateMode) => {
    const { emulator, personIn } = await aSite({ ...field, version, configured: true, field: { updateMode } })
    const { planned, applies } = personIn(await aFolder('', 'standard-availability'))
    const { plan } = await planned()
    expect(plan.actions[1]).toMatchObject({
      change: 'update',
      reason: 'policy-changed',
      kept: Object.keys(extra),
    })
    await applies()
    expect(emulator.world().upgradeConfig).toMatchObject(kept)
  })
})

test('a change by others is shown as different, and does not block the plan', async () => {
  const [ours, theirs] = [
    await aFolder(more),
    await aFolder(more.replace('FINE', 'DEBUG').replace('1800', '900')),
  ]
  const before = await aSite(field)
  await before.personIn(ours).applies()
  const { port, pathname: basePath } = new URL(before.emulator.url)
  await before.emulator.close()
  const after = await aSite({ ...field, port: Number(port), basePath })
  await after.personIn(theirs).applies()
  const { plan } = await after.personIn(ours).planned()
  expect(plan.fields.filter(({ verdict }) => verdict === 'different')).toEqual([
    expect.objectContaining({ pointer: '/spec/logLevel', source: 'site', value: 'FINE', found: 'DEBUG' }),
    expect.objectContaining({
      pointer: expect.stringContaining('containerStartUpTimeoutSeconds'),
      found: 900,
    }),
  ])
  expect(plan.actions.map(({ change }) => change)).toEqual(['no-op', 'no-op'])
  expect(plan.immutable).toEqual([])
})

describe('a site that requires a token for reading', () => {
  const elsewhere = { ...signedIn, LANDFORM_TOKEN: 'another-token-9876543210' }
  const commands = [['plan'], ['status', '--wait'], ['apply', '--yes']] as const

  test.each(commands)('is read by %s %s with the token of the manifest', async (command, ...more) => {
    const { personIn } = await aSite({ ...field, configured: true })
    const { landform } = personIn(await aFolder('', 'standard-availability'))
    expect((await landform(command, { more })).exitCode).toBe(exitCodes.done)
  })

  test.each(commands)(
    'is not read by %s %s without one, and the message names the next step',
    async (command, ...more) => {
      const { personIn } = await aSite({ ...field, configured: true })
      const { exitCode, err, asked } = await personIn(await aFolder()).landform(command, {
        environment: signedOut,
        more,
      })
      expect([exitCode, methodsOf(asked)]).toEqual([exitCodes.permission, new Set(['GET'])])
      expect(err).toContain('Token Required (code 499)')
      expect(err).toContain('next: put a token of the site into the environment variable `LANDFORM_TOKEN`')
    },
  )

  test('is not read with an invalid token, and the message says so', async () => {
    const { personIn } = await aSite({ ...field, configured: true })
    const { exitCode, err, asked } = await personIn(await aFolder()).landform('plan', {
      environment: elsewhere,
    })
    expect([exitCode, methodsOf(asked)]).toEqual([exitCodes.permission, new Set(['GET'])])
    expect(err).toContain('(code 498)')
    expect(err).toContain(
      'next: replace the token in the environment variable `LANDFORM_TOKEN`: it has expired, belongs to another site',
    )
  })

  test('in progress: status waits to the end with a token that is added in the meantime', async () => {
    const folder = await aFolder()
    const manifest = join(folder, 'site.yaml')
    const reference = 'token: { file: token.txt }'
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace('token: { env: LANDFORM_TOKEN }', reference),
    )
    const lateToken = () => writeFileSync(join(folder, 'token.txt'), `${token}\n`)
    let looks = 0
    const { emulator, personIn } = await aSite({
      ...field,
      stageMs: 1000,
      inspect: ({ received }) => {
        looks += received.request.target.operation === 'root' ? 1 : 0
        if (looks === 45) lateToken()
      },
    })
    const { landform } = personIn(folder)
    lateToken()
    await landform('apply', { more: ['--yes', '--detach'] })
    rmSync(join(folder, 'token.txt'))
    const { exitCode, err } = await landform('status', { more: ['--wait'] })
    expect(looks).toBeGreaterThan(45)
    expect(err.match(/code 499/g)).toHaveLength(1)
    expect([exitCode, emulator.world().counters.configure.accepted]).toEqual([exitCodes.done, 1])
  })
})

describe('a site that requires a token only for its settings', () => {
  const no = (code: number) => json({ error: { code, message: `No ${token}.`, details: null } })
  const settings = (answer: string) =>
    Object.fromEntries(Object.keys(settingPaths).map(name => [name, answer])) as SettingAnswers
  const plannedAt = async (answers: SettingAnswers, environment: Readonly<Record<string, string>>) => {
    const { url } = await siteOfSettings(answers)
    const host = fakeHost({ environment })
    const args = ['plan', join(await aFolder(more), 'site.yaml'), '--url', url, '--format', 'json']
    return { exitCode: await run(args, host), err: host.err(), plan: JSON.parse(host.out()) as Plan }
  }

  test.each([
    ['without a token', signedOut, 'site/token-missing', 'put a token of the site into', 'no-token'],
    [
      'with a token that it rejects',
      signedIn,
      'site/token-refused',
      'has expired, belongs to another',
      'not-allowed',
    ],
  ])('%s: the plan has one warning with a next step', async (_, environment, code, remedy, because) => {
    const { exitCode, err, plan } = await plannedAt(settings(no(499)), environment)
    expect([exitCode, err.split(code).length - 1]).toEqual([exitCodes.done, 1])
    expect(err).toContain(remedy)
    const found = plan.fields.filter(({ pointer }) => readable.test(pointer))
    expect(new Set(found.map(one => one.verdict === 'unknowable' && one.because))).toEqual(new Set([because]))
    expect(err).not.toContain(token)
  })
})

test('an upgrade in progress causes a warning, and the fields of the upgrade are unknown', async () => {
  const upgrading = { ...field, configured: true, field: { upgrading: true } } as const
  const { planned, landform } = (await aSite(upgrading)).personIn(await aFolder('', 'standard-availability'))
  const { exitCode, err, plan } = await planned()
  expect(exitCode).toBe(exitCodes.done)
  expect(err).toMatch(/site\.yaml:\d+:3.*site\/upgrading|site\/upgrading[\s\S]*site\.yaml:\d+:3/)
  expect(listStatuses(plan, /^\/spec\/upgrade/)).toEqual(['unknowable'])
  expect(listStatuses(plan, /^\/spec\/profile/)).toEqual(['equal'])
  expect((await landform('apply', { more: ['--yes'] })).exitCode).toBe(exitCodes.serviceFailed)
})

test('the token is in no address and no output, whatever the site responds', async () => {
  const folder = await aFolder(more)
  const texts: string[] = []
  const streams: string[] = []
  for (const options of [field, { ...field, token: 'a-token-of-the-site' }, { ...field, configured: true }]) {
    const { personIn } = await aSite(options)
    const { landform } = personIn(folder)
    for (const [command, ...more] of [
      ['plan', '--format', 'json'],
      [
        'apply',
        '--yes',
        '--timeout',
        '2m',
        '--poll-interval',
        '5s',
        '--progress',
        'json',
        '--events',
        join(folder, 'events.jsonl'),
      ],
      ['status', '--format', 'json'],
      ['status', '--wait', '--timeout', '1m', '--poll-interval', '5s'],
      ['plan'],
    ] as const) {
      const { out, err, asked } = await landform(command, { more })
      texts.push(out, err)
      texts.push(...asked.map(({ path, query }) => `${path}${JSON.stringify(query)}`))
      expect(asked.filter(({ method, bearer }) => method !== 'GET' && bearer !== undefined)).toEqual([])
    }
    // A rejected command leaves no events.
    const events = join(folder, 'events.jsonl')
    if (existsSync(events)) streams.push(readFileSync(events, 'utf8'))
  }
  expect(streams.length).toBeGreaterThan(0)
  texts.push(...streams)
  const leaks = [token, Buffer.from(token).toString('base64'), encodeURIComponent(token), token.slice(3, 18)]
  expect(texts.filter(text => leaks.some(leak => text.includes(leak)))).toEqual([])
  expect(texts.join('')).toContain('498')
})
