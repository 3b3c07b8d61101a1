import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ui } from '../../../../packages/fleet/src/commands/ui.js'
import { postgresBackend } from '../../../../packages/fleet/src/state/postgres-backend.js'
import { statePorts } from '../../../../src/library/system-ports.js'
import type { KeptReceipt } from '../../../../src/state/site-state.js'
import { stateStore } from '../../../../src/state/state-store.js'
import { stagesOf } from '../../../fleet/ui/a-fleet.js'
import { fakeHost } from '../../../support/fake-host.js'
import { type FleetOffice, fleetOffice, urlOf } from '../../../support/fleet-office.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../../support/postgres.js'
import { argumentsIn } from '../../../support/read-line.js'
import { listSchemaErrors } from '../../../support/schema-errors.js'
import { removeTemporaryFolders } from '../../../support/temporary-folder.js'
import { describeWhere } from '../../../support/test-where.js'

/** What of a document is looked into. */
interface Answered {
  readonly sites: readonly Readonly<Record<string, unknown>>[]
  readonly rollouts: readonly unknown[]
}

describeWhere(postgresIsHere, postgresPackages)('the page over a database', () => {
  let server: PostgresServer
  let connection: string
  let office: FleetOffice
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    server = await postgres()
    connection = await server.freshDatabase()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    office = await fleetOffice(connection, { ui })
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    await office.close()
    await removeTemporaryFolders()
  })

  /** Starts the command as a person would, and waits for its address. */
  const started = async (line = '--listen 127.0.0.1:0', environment = {}) => {
    const host = fakeHost({ environment: { LANDFORM_DATABASE_URL: connection, ...environment } })
    const argv = argumentsIn(['fleet', 'ui', ...line.split(' ')])
    const ended = ui(argv as never, host)
    ends.push(() => {
      host.signal('SIGINT')
      return ended
    })
    while (host.out() === '') await new Promise(resolve => setImmediate(resolve))
    const url = host.out().trim()
    const json = async (path: string, headers = {}): Promise<Answered> =>
      (await fetch(new URL(path, url), { headers })).json() as Promise<Answered>
    return { host, url, json, ended }
  }

  const failing = async () => {
    await office.submit('spring', [['a'], ['b']])
    const key = { site: urlOf('a'), generation: 1 }
    await office.store.start(key, 'worker-1')
    await office.store.progress(key, {
      phase: 'wait',
      stages: stagesOf(5),
      warnings: ['low on space'],
      retries: 1,
    })
    await office.store.addEvents(key, [
      { type: 'configure-accepted', message: 'accepted by the service' },
      { type: 'stage', message: 'Queue store' },
    ])
    return key
  }

  test.each(["' or 1=1 --", "x'; drop table landform.run; --", '$1', '\\'])(
    'takes %s for the name of a site that is not there',
    async name => {
      await failing()
      const { url, json } = await started()
      const { status } = await fetch(new URL(`api/sites/${encodeURIComponent(name)}`, url))
      expect([status, (await json('api/fleet')).sites.length]).toEqual([404, 2])
    },
  )

  test('shows every site, rollout and worker', async () => {
    await failing()
    await office.sql(`insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details) values
      ('worker-1', '', 'worker', '{}', 0, 10000, '{"limit": 20, "version": "0.1.0"}'), ('ci', '', 'run', '{}', 0, 10000, '{}')`)
    const { json } = await started()
    const fleet = await json('api/fleet')
    expect(listSchemaErrors('fleet-page', fleet)).toEqual([])
    expect(fleet).toMatchObject({
      where: `postgres://127.0.0.1:${server.port}/${new URL(connection).pathname.slice(1)}`,
      trouble: null,
      counts: { running: 1, waiting: 1 },
      rollouts: [
        {
          id: 'spring',
          waves: 2,
          counts: [
            { wave: 1, state: 'running', runs: 1 },
            { wave: 2, state: 'waiting', runs: 1 },
          ],
        },
      ],
      workers: [{ worker: 'worker-1', isSilent: false, limit: 20 }],
    })
    const a = fleet.sites.find(({ name }) => name === 'a')
    expect(a).toEqual({
      site: urlOf('a'),
      generation: 1,
      name: 'a',
      rollout: 'spring',
      wave: 1,
      state: 'running',
      phase: 'wait',
      retries: 1,
      worker: 'worker-1',
      isCancelRequested: false,
      through: 5,
      stages: 14,
      stage: 'In-memory store',
      warnings: 1,
      submittedAt: expect.any(Number),
      startedAt: expect.any(Number),
      changedAt: expect.any(Number),
    })
    expect(Math.abs(Date.now() - Number(a?.['changedAt']))).toBeLessThan(60_000)
  })

  test('shows one site with its events, its receipts and what to type', async () => {
    const key = await failing()
    await office.store.end(key, { state: 'failed', message: 'a stage failed', exitCode: 5 })
    await office.submit('summer', [['a']])
    const receipt: KeptReceipt = {
      startedAt: '2026-01-02T03:00:00.000Z',
      finishedAt: '2026-01-02T03:10:00.000Z',
      outcome: 'site-failed',
      manifest: `sha256:${'0'.repeat(64)}`,
      actions: [],
    }
    const taken = await stateStore(
      postgresBackend(connection),
      { url: key.site },
      statePorts(fakeHost().clock),
    ).take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    await taken.held.release({ type: 'receipt', receipt })
    const { json } = await started()
    const path = `api/sites/${encodeURIComponent(key.site)}`
    const newest = await json(path)
    const earlier = await json(`${path}?generation=1`)
    for (const document of [newest, earlier])
      expect(listSchemaErrors('fleet-page-site', document)).toEqual([])
    expect(newest).toMatchObject({
      run: { generation: 2, state: 'waiting', rollout: 'summer' },
      runs: [{ generation: 2 }, { generation: 1, state: 'failed' }],
      receipts: { kind: 'read', receipts: [{ serial: 2, ...receipt }] },
      next: [],
    })
    expect(earlier).toMatchObject({
      run: { state: 'failed', exitCode: 5, warnings: ['low on space'] },
      events: [{ type: 'stage' }, { type: 'configure-accepted', message: 'accepted by the service' }],
      next: [
        { command: expect.stringContaining('landform plan a.yaml') },
        { command: 'landform fleet resume a' },
      ],
    })
  })

  test('sees later runs, and what was written since, without reading everything', async () => {
    const key = await failing()
    const { json } = await started()
    await json('api/fleet')
    await office.store.end(key, { state: 'done', message: 'the site is ready', exitCode: 0 })
    await office.submit('summer', [['a', 'c']])
    let found = await json('api/fleet')
    while (found.rollouts.length < 2) found = await json('api/fleet')
    const seen = found.sites.map(({ name, generation, state }) => `${name} ${generation} ${state}`)
    expect(seen.sort()).toEqual(['a 2 waiting', 'b 1 waiting', 'c 1 waiting'])
  })

  test('ends at a signal, with every socket', async () => {
    const { host, url, ended } = await started()
    const stream = await fetch(new URL('events', url))
    host.signal('SIGTERM')
    expect(await ended).toBe(0)
    await expect(stream.text()).rejects.toThrow()
    await expect(fetch(url)).rejects.toThrow()
  })

  test('wants a token of readers on other machines', async () => {
    const refused = await office.ask('ui --listen 0.0.0.0:0')
    expect(refused).toMatchObject({
      exitCode: 78,
      out: '',
      err: `error: a token is required: 0.0.0.0:0 is reachable from other machines
next: landform fleet ui --listen 0.0.0.0:0 --token env:LANDFORM_UI_TOKEN
`,
    })
    const environment = { LANDFORM_UI_TOKEN: 'correct-horse-battery' }
    const { json, url } = await started('--listen 0.0.0.0:0 --token env:LANDFORM_UI_TOKEN', environment)
    const own = `${url}api/fleet`.replace('0.0.0.0', '127.0.0.1')
    expect((await fetch(own)).status).toBe(401)
    expect(await json(own, { authorization: 'Bearer correct-horse-battery' })).toMatchObject({ sites: [] })
  })

  test.each([
    ['--listen 127.0.0.1:0 --token env:LANDFORM_SHORT', 78, 'the token is too short'],
    ['--listen 127.0.0.1:0 --token env:LANDFORM_NONE', 66, 'no token: '],
    ['--listen 127.0.0.1:0 --token pa55word', 64, 'a secret itself is never an option'],
    ['--listen 127.0.0.1', 64, '--listen must be HOST:PORT'],
    ['--listen 127.0.0.1:99999', 64, '--listen must be HOST:PORT'],
    [
      '--listen 127.0.0.1:0 --database env:LANDFORM_NOWHERE',
      74,
      'cannot be used: the database cannot be reached',
    ],
  ])('says why it cannot begin with %s', async (line, exitCode, text) => {
    const environment = {
      LANDFORM_SHORT: 'pa55word',
      LANDFORM_NOWHERE: 'postgres://u:pa55word@127.0.0.1:1/x',
    }
    const told = await office.ask(`ui ${line}`, { environment })
    expect(told).toMatchObject({ exitCode, out: '', err: expect.stringContaining(text) })
    expect(told.err).not.toContain('pa55word')
  })

  test('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    expect(await office.ask(`ui --listen 127.0.0.1:${port}`)).toEqual({
      exitCode: 69,
      out: '',
      err: `error: the page cannot listen on 127.0.0.1:${port} (EADDRINUSE)\nnext: choose another --listen\n`,
    })
    await new Promise(resolve => other.close(resolve))
  })
})
