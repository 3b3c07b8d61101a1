import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { exitCodes } from '../../../src/report/exit-code.js'
import { anEmulator } from '../../support/emulator.js'
import { quickstartFolder } from '../../support/example-copy.js'
import { landform } from '../../support/landform.js'
import { describeDatabase } from '../../support/postgres.js'
import { postgresState } from '../../support/postgres-state.js'
import { someSecrets } from '../../support/some-secrets.js'

const shared = ['--state', 'postgres:env:LANDFORM_DATABASE_URL']

describeDatabase('--state postgres:', postgresState, kept => {
  let emulator: Emulator
  beforeEach(async () => {
    emulator = await anEmulator({ stageMs: 0 })
  })
  afterEach(() => kept.empty())

  /** Creates a folder with a manifest, as on another machine. */
  async function runner(connection = kept.connection) {
    const folder = await quickstartFolder()
    const environment = { ...someSecrets, LANDFORM_DATABASE_URL: connection }
    return {
      folder,
      run: (command: string, ...args: readonly string[]) =>
        landform([...command.split(' '), join(folder, 'site.yaml'), '--url', emulator.url, ...args], {
          environment,
        }),
    }
  }

  test('two machines share state, and no secret is in the database', async () => {
    const one = await runner()
    expect((await one.run('apply', '--yes', ...shared)).exitCode).toBe(exitCodes.done)
    const other = await runner()
    expect((await other.run('plan', '--detailed-exitcode', ...shared)).exitCode).toBe(exitCodes.done)
    expect((await other.run('apply', '--yes', ...shared)).exitCode).toBe(exitCodes.done)
    expect(emulator.world().counters.configure.received).toBe(1)
    const rows = await kept.database.rows('select body from landform.state')
    const told = rows.map(({ body }) => (body as Buffer).toString('utf8')).join('')
    expect(rows.length).toBeGreaterThan(3)
    for (const secret of [...Object.values(someSecrets), kept.server.password])
      expect(told).not.toContain(secret)
  })

  test('with a site that a fleet worker holds, apply ends with 7 and sends nothing', async () => {
    const session = await kept.run().session()
    await session.acquire(emulator.url, 'fleet')
    const { run } = await runner()
    const { exitCode, err } = await run('apply', '--yes', ...shared)
    expect(exitCode).toBe(exitCodes.locked)
    expect(err).toContain('run 1')
    expect(emulator.world().counters.configure.received).toBe(0)
    const shown = await run('state unlock', ...shared)
    expect([shown.exitCode, shown.err]).toEqual([
      exitCodes.locked,
      expect.stringContaining('wait for that run, or stop it'),
    ])
    const { out } = await run('state show', ...shared)
    expect(out).toMatch(
      /^no state is kept for this site yet\nlock {7}fleet of process 1 on run 1, .*; it is running$/m,
    )
    await session.close()
    expect((await run('state show', ...shared)).out).not.toContain('lock')
    expect((await run('apply', '--yes', ...shared)).exitCode).toBe(exitCodes.done)
  })

  test('the lock of a dead process is taken over at once', async () => {
    const { run } = await runner()
    const dead = kept.run()
    const taken = await dead.store(emulator.url).take('apply')
    expect(taken.kind).toBe('held')
    await (await dead.session()).close()
    expect((await run('state show', ...shared)).out).toContain(
      'it has ended; the next run takes over the lock',
    )
    const { exitCode, err } = await run('apply', '--yes', ...shared)
    expect([exitCode, err]).toEqual([exitCodes.done, expect.stringContaining('run 1')])
  })

  test('the connection string can be in a file', async () => {
    const { folder, run } = await runner()
    await writeFile(join(folder, 'database'), `${kept.connection}\n`)
    const { exitCode } = await run('plan', '--state', 'postgres:file:database')
    expect(exitCode).toBe(exitCodes.missing)
  })

  test.each<[string, () => string, number, string]>([
    [
      'a wrong password',
      () => kept.connection.replace(kept.server.password, 'canary'),
      exitCodes.state,
      'rejected',
    ],
    ['no such database', () => `${kept.connection}_not`, exitCodes.state, 'the database does not exist'],
    [
      'no connection string',
      () => 'canary',
      exitCodes.invalid,
      'env:LANDFORM_DATABASE_URL is not a connection string',
    ],
  ])(
    'with %s, apply names the reason, and nothing of the connection string',
    async (_, connection, code, words) => {
      const { run } = await runner(connection())
      const { exitCode, err } = await run('apply', '--yes', ...shared)
      expect(exitCode).toBe(code)
      expect(err).toContain(words)
      expect(err).not.toContain('canary')
      expect(err).not.toContain(kept.server.password)
      expect(emulator.world().counters.configure.received).toBe(0)
    },
  )

  test('with tables of a newer Landform, apply ends with 78', async () => {
    await kept.database.rows('insert into landform.format values (99)')
    const { exitCode, err } = await (await runner(`${kept.connection}?application_name=anew`)).run(
      'apply',
      '--yes',
      ...shared,
    )
    await kept.database.rows('delete from landform.format where version = 99')
    expect([exitCode, err]).toEqual([exitCodes.refused, expect.stringContaining('newer version of Landform')])
  })
})

test.each([
  [
    ['--state', 'postgres://me:canary@db/x'],
    exitCodes.usage,
    'must refer to the connection string with env:LANDFORM_… or file:PATH, not contain it',
  ],
  [
    ['--state', 'postgres:canary'],
    exitCodes.usage,
    'must refer to the connection string with env:LANDFORM_… or file:PATH, not contain it',
  ],
  [['--state', 'postgres:env:PATH'], exitCodes.usage, 'begin with LANDFORM_'],
  [['--state', 'postgres:env:LANDFORM_NOT_THERE'], exitCodes.missing, 'LANDFORM_NOT_THERE'],
  [['--offline', ...shared], exitCodes.usage, 'exclude each other'],
])('plan %j ends with %i', async (args, code, words) => {
  const { exitCode, err } = await landform(['plan', 'examples/quickstart.yaml', ...args])
  expect(exitCode).toBe(code)
  expect(err).toContain(words)
  expect(err).not.toContain('canary')
})
