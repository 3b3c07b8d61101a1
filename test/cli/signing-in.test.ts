import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { Emulator, EmulatorOptions, ServedRequest } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { anEmulator } from '../support/emulator.js'
import { writeExample } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let emulator: Emulator | undefined
const password = 'Canary-pa"ss\\w0rd+&='
const secrets = { LANDFORM_ADMIN_PASSWORD: password, LANDFORM_SECURITY_ANSWER: 'Canary answer' }
const { LANDFORM_TOKEN: named } = someSecrets

/** A site that requires and issues tokens, and folders with a manifest that signs in, all with the same clock. */
async function aSite(options: EmulatorOptions = {}, site = 'signIn: { as: administrator, lifetime: 1m }') {
  const { clock } = fakeHost()
  const served: ServedRequest[] = []
  emulator = await anEmulator({
    now: clock.now,
    stageMs: 20_000,
    fidelity: 'field',
    ...options,
    inspect: request => void served.push(request),
  })
  const { url } = emulator
  const folder = await temporaryFolder()
  writeExample(folder, { example: 'placement-policy', edit: text => text.replace(/token: .*/, site) })
  const landform = async (
    command: string,
    environment: Record<string, string> = secrets,
    more: readonly string[] = [],
  ) => {
    const host = { ...fakeHost({ environment }), clock }
    const state = ['probe', 'export-site', 'webhooks delete-all'].includes(command)
      ? []
      : ['--state', `file:${folder}/state`]
    const service = command.startsWith('webhooks') ? ['Roads.FeatureServer'] : []
    const words = [...command.split(' '), ...service, join(folder, 'site.yaml'), '--url', url, ...state]
    const values: Record<string, string> = {
      EVIDENCE: join(folder, 'evidence.json'),
      TARGET: `Roads.FeatureServer@${new URL(url).host}`,
    }
    const exitCode = await run([...words, ...more.map(word => values[word] ?? word)], host)
    return { exitCode, out: host.out(), err: host.err() }
  }
  const events = join(folder, 'events')
  const apply = (environment: Record<string, string> = secrets, more: readonly string[] = []) =>
    landform('apply', environment, ['--yes', '--poll-interval', '5s', '--events', events, ...more])
  const asked = () => served.map(({ received }) => received.request)
  const signIns = () => asked().filter(({ path }) => path?.includes('generateToken'))
  return { folder, landform, apply, asked, signIns, served }
}

/** The content of all files below a folder, as one text. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

describe('an apply without a token', () => {
  test('signs in, renews its token in time, and succeeds', async () => {
    const { apply, signIns, landform, asked } = await aSite({ stageMs: 60_000 })
    const { exitCode, err } = await apply()
    expect([exitCode, err]).toEqual([exitCodes.done, expect.stringContaining('update: done')])
    expect(emulator?.world().counters.configure).toEqual({ received: 1, accepted: 1 })
    expect(emulator?.world().counters.update).toEqual({ received: 1, accepted: 1 })
    // While the portal starts, for a minute, the pauses grow; then each token is used for 54 of its 60 seconds.
    const tokens = new Set(asked().flatMap(({ bearer }) => bearer ?? []))
    expect([signIns().length, tokens.size]).toEqual([11, 7])
    expect((await landform('apply', secrets, ['--yes'])).exitCode).toBe(exitCodes.done)
    expect(emulator?.world().counters.configure.received).toBe(1)
  })

  test('shows no secret', async () => {
    const { apply, folder, served, asked } = await aSite({ stageMs: 30_000 })
    const { out, err, exitCode } = await apply()
    expect(exitCode).toBe(exitCodes.done)
    const tokens = new Set(asked().flatMap(({ bearer }) => bearer ?? []))
    expect(tokens.size).toBeGreaterThan(3)
    const shown = [out, err, everythingIn(folder), JSON.stringify(emulator?.requests)].join('\n')
    expect(shown.length).toBeGreaterThan(5000)
    for (const secret of [password, ...tokens]) {
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
        expect(shown).not.toContain(form)
      expect(shown).not.toContain(Buffer.from(secret).toString('base64'))
    }
    expect(served.map(({ received }) => JSON.stringify(received.request.query)).join()).not.toMatch(/token/)
  })

  test('reports a wrong password after at most three sign-ins', async () => {
    const { apply, landform, signIns } = await aSite({ configured: true })
    // The first account that signs in to a site that was configured long ago is its administrator.
    await landform('status')
    const before = signIns().length
    const { exitCode, err } = await apply({ ...secrets, LANDFORM_ADMIN_PASSWORD: 'Canary-wrong-1' })
    expect(exitCode).toBe(exitCodes.permission)
    expect(err).toContain('the token service rejected this account')
    expect(err).toContain('next: check the account in `spec.site.signIn`')
    expect(signIns().length - before).toBeLessThanOrEqual(3)
    expect(emulator?.world().counters.update.received).toBe(0)
  })
})

describe('an account besides the administrator, which exists once the site is ready', () => {
  const own = 'signIn: { username: operations, password: { env: LANDFORM_OPERATIONS_PASSWORD } }'
  const field = { accounts: { operations: 'Canary-Operations-1' } }
  const all = { ...secrets, LANDFORM_OPERATIONS_PASSWORD: 'Canary-Operations-1' }
  const namesOf = (requests: readonly ServedRequest['received']['request'][]) =>
    requests.map(({ body }) =>
      body.parts.flatMap(part => (part.kind === 'text' && part.name === 'username' ? part.text : [])).join(),
    )

  test('is used once the site is ready; until then the administrator signs in', async () => {
    const { apply, landform, signIns } = await aSite({ field }, own)
    const { exitCode, err } = await apply(all)
    expect([exitCode, err]).toEqual([exitCodes.done, expect.stringContaining('update: done')])
    // First no token service runs; then neither account exists; then the administrator's token is used to the end.
    expect(namesOf(signIns()).join(' ')).toMatch(/^(siteadmin )+(siteadmin operations )+siteadmin$/)
    expect(
      err.match(/the token service rejected siteadmin and operations \(code 400\); retrying/g),
    ).toHaveLength(1)
    for (const command of ['plan', 'status', 'drift', 'apply']) {
      const before = signIns().length
      const more = command === 'apply' ? ['--yes'] : []
      expect([(await landform(command, all, more)).exitCode, command]).toEqual([exitCodes.done, command])
      expect(namesOf(signIns().slice(before))).toEqual(['operations'])
    }
  })

  test('is tried alone, and the run ends with 77, if it was not created after the site was ready', async () => {
    const { apply, landform, signIns } = await aSite({ field: { accounts: {} } }, own)
    expect((await apply(all)).exitCode).toBe(exitCodes.done)
    const before = signIns().length
    const { exitCode, err } = await landform('plan', all)
    expect([exitCode, err]).toEqual([exitCodes.permission, expect.stringContaining('rejected this account')])
    expect(namesOf(signIns().slice(before))).toEqual(['operations'])
  })

  test('is the alternative on a site that others configured', async () => {
    const { landform, signIns } = await aSite({ configured: true, field }, own)
    const wrong = { ...all, LANDFORM_ADMIN_PASSWORD: 'Canary-wrong-1' }
    expect((await landform('status', wrong)).exitCode).toBe(exitCodes.done)
    expect(namesOf(signIns())).toEqual(['siteadmin', 'operations'])
  })
})

describe('a token that expires just before the update', () => {
  test('is renewed, and the update is sent once more', async () => {
    const { apply } = await aSite({ stageMs: 5000, faults: parseBuiltInRules([`update@1=error:498`]) })
    const { exitCode } = await apply()
    expect(exitCode).toBe(exitCodes.done)
    expect(emulator?.world().counters.update.accepted).toBe(1)
  })
})

describe('an update', () => {
  test.each([
    ['with the new one as well', 'update=error:498', 2],
    ['because of the role', 'update=error:403', 1],
  ])('is sent at most twice if the token is rejected %s', async (_, fault, times) => {
    const { apply, asked } = await aSite({ stageMs: 5000, faults: parseBuiltInRules([fault]) })
    expect((await apply()).exitCode).toBe(exitCodes.permission)
    const updates = asked().filter(({ target }) => target.operation === 'update')
    expect(updates).toHaveLength(times)
  })
})

describe('a command that reads', () => {
  const commands = [
    ['plan'],
    ['status'],
    ['drift'],
    ['probe', '--out', 'EVIDENCE'],
    ['export-site', '--location', '/backups', '--yes'],
    ['webhooks delete-all', '--confirm', 'TARGET'],
  ] as const

  test.each(commands)('signs in once if the site requires it, and stores no token: %s', async (...words) => {
    const { apply, landform, signIns, folder, asked } = await aSite({ stageMs: 1000 })
    await apply()
    const before = [signIns().length, asked().length] as const
    const [command, ...more] = words
    const { exitCode, err, out } = await landform(command, secrets, more)
    expect([exitCode, err]).toEqual([exitCodes.done, expect.not.stringContaining('error:')])
    expect(signIns().length).toBe(before[0] + 1)
    const tokens = new Set(asked().flatMap(({ bearer }) => bearer ?? []))
    const shown = [out, err, everythingIn(folder)].join('\n')
    for (const secret of [password, ...tokens]) expect(shown).not.toContain(secret)
    const changes = ['export-site', 'webhooks delete-all'].includes(command) ? 1 : 0
    const posts = asked()
      .slice(before[1])
      .filter(({ method }) => method === 'POST')
    expect(posts).toHaveLength(1 + changes)
  })

  test('names the secret that is missing to sign in', async () => {
    const { apply, landform, signIns } = await aSite({ stageMs: 1000 })
    await apply()
    const before = signIns().length
    const { LANDFORM_ADMIN_PASSWORD: _, ...others } = secrets
    const { exitCode, err } = await landform('plan', others)
    expect([exitCode, signIns().length - before]).toEqual([exitCodes.permission, 0])
    expect(err).toContain('`LANDFORM_ADMIN_PASSWORD`, which is not set')
  })

  test('does not sign in to a site that requires no token', async () => {
    const { apply, landform, signIns } = await aSite({ stageMs: 1000, fidelity: 'document' })
    await apply()
    const before = signIns().length
    expect((await landform('plan')).exitCode).toBe(exitCodes.done)
    expect(signIns().length).toBe(before)
  })

  test('sends no request with --offline', async () => {
    const { apply, landform, asked } = await aSite({ stageMs: 1000 })
    await apply()
    const before = asked().length
    await landform('plan', secrets, ['--offline'])
    expect(asked().length).toBe(before)
  })

  test.each([
    ['probe', []],
    ['export-site', ['--location', '/backups', '--yes']],
  ])('signs in with --sign-in to a site given by its address: %s', async (command, more) => {
    const { apply, signIns } = await aSite({ stageMs: 1000 })
    await apply()
    const before = signIns().length
    const host = fakeHost({ environment: secrets })
    const url = emulator?.url ?? ''
    const signIn = ['--sign-in', 'siteadmin']
    expect([await run([command, '--url', url, ...signIn, ...more], host), host.err()]).toEqual([
      exitCodes.done,
      expect.any(String),
    ])
    expect(signIns().length).toBe(before + 1)
  })

  test('uses the token that the manifest names', async () => {
    const site = 'token: { env: LANDFORM_TOKEN }\n    signIn: { as: administrator }'
    const { apply, landform, signIns } = await aSite({ token: named, stageMs: 1000 }, site)
    const environment = { ...secrets, LANDFORM_TOKEN: named }
    expect((await apply(environment)).exitCode).toBe(exitCodes.done)
    expect(signIns()).toEqual([])
    expect((await landform('plan', environment)).exitCode).toBe(exitCodes.done)
  })
})

test.each(['plan', 'status', 'drift', 'apply'])(
  '%s after an edit of the user name that signs in reports it, and the name on the site',
  async command => {
    const { apply, landform, folder } = await aSite({ stageMs: 1000 })
    expect((await apply()).exitCode).toBe(exitCodes.done)
    const file = join(folder, 'site.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('username: siteadmin', 'username: otheradmin'))
    const { exitCode, err } = await landform(command, secrets, command === 'apply' ? ['--yes'] : [])
    const said = err.replaceAll(/\s+/g, ' ')
    expect([exitCode, said]).toEqual([
      exitCodes.stale,
      expect.stringContaining('could not sign in as otheradmin'),
    ])
    expect(said).toContain('write `username: siteadmin` below `spec.administrator` again')
    expect(said).not.toContain('token service rejected')
  },
)

test('a rehearsal needs no account', async () => {
  const host = fakeHost({})
  expect(await run(['apply', '--emulate', 'examples/sign-in.yaml'], host)).toBe(exitCodes.done)
})
