import { ui } from '../../../packages/fleet/src/commands/ui.js'
import { atEnd } from '../../support/at-end.js'
import { fakeHost } from '../../support/fake-host.js'
import { describeOffice, urlOf } from '../../support/fleet-office.js'
import { httpDouble } from '../../support/http-double.js'
import { argumentsIn } from '../../support/read-line.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { stagesOf } from '../../support/served-fleet.js'

/** The parts of the document that tests read. */
interface Answered {
  readonly sites: readonly Readonly<Record<string, unknown>>[]
  readonly rollouts: readonly unknown[]
}

describeOffice('the page over a database', { ui }, office => {
  /** Starts the command, and waits for its address. */
  const started = async (line = '--listen 127.0.0.1:0', environment = {}) => {
    const host = fakeHost({ environment: { LANDFORM_DATABASE_URL: office.connection, ...environment } })
    const argv = argumentsIn(['fleet', 'ui', ...line.split(' ')])
    const ended = ui(argv as never, host)
    atEnd(() => {
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
    await office.store.queueWave('spring', 1)
    await office.store.start(key, 'worker-1')
    await office.store.progress(key, 'worker-1', {
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

  test('shows every site, rollout and worker', async () => {
    await failing()
    await office.sql(`insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details) values
      ('worker-1', '', 'worker', '{}', 0, 10000, '{"limit": 20, "version": "0.1.0"}'), ('ci', '', 'run', '{}', 0, 10000, '{}')`)
    const { json } = await started()
    const fleet = await json('api/fleet')
    expect(listSchemaErrors('fleet-runs', fleet)).toEqual([])
    expect(fleet).toMatchObject({
      summary: { running: 1, waiting: 1 },
      rollouts: [{ id: 'spring', waves: 2 }],
      workers: [{ worker: 'worker-1', isSilent: false, limit: 20 }],
      sites: [{ site: 'a', phase: 'wait', retries: 1, warnings: ['low on space'] }, { site: 'b' }],
    })
  })

  test('shows later runs and updates, without reading everything again', async () => {
    const key = await failing()
    const { json } = await started()
    await json('api/fleet')
    await office.store.end(key, 'worker-1', { state: 'done', message: 'the site is ready', exitCode: 0 })
    await office.submit('summer', [['a', 'c']])
    let found = await json('api/fleet')
    while (found.rollouts.length < 2) found = await json('api/fleet')
    const seen = found.sites.map(({ site, generation, state }) => `${site} ${generation} ${state}`)
    expect(seen.sort()).toEqual(['a 2 waiting', 'b 1 waiting', 'c 1 waiting'])
  })

  test('ends on a signal, and closes its sockets', async () => {
    const { host, url, ended } = await started()
    await fetch(url)
    host.signal('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  })

  test('requires a token from readers on other machines', async () => {
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
    ['--listen 127.0.0.1:0 --token env:LANDFORM_SHORT', 78, 'the token cannot be used: expected at least 16'],
    [
      '--listen 127.0.0.1:0 --token env:LANDFORM_SPACES',
      78,
      'the token cannot be used: expected at least 16',
    ],
    ['--listen 127.0.0.1:0 --token env:LANDFORM_NONE', 66, 'no token: '],
    ['--listen 127.0.0.1:0 --token pa55word', 64, 'never the secret itself'],
    ['--listen 127.0.0.1', 64, '--listen must be HOST:PORT'],
    ['--listen 127.0.0.1:99999', 64, '--listen must be HOST:PORT'],
    [
      '--listen 127.0.0.1:0 --database env:LANDFORM_NOWHERE',
      74,
      'cannot be used: the database cannot be reached',
    ],
  ])('reports why it cannot start with %s', async (line, exitCode, text) => {
    const environment = {
      LANDFORM_SHORT: 'pa55word',
      LANDFORM_SPACES: 'correct horse battery',
      LANDFORM_NOWHERE: 'postgres://u:pa55word@127.0.0.1:1/x',
    }
    const told = await office.ask(`ui ${line}`, { environment })
    expect(told).toMatchObject({ exitCode, out: '', err: expect.stringContaining(text) })
    expect(told.err).not.toContain('pa55word')
  })

  test('reports that a port is in use', async () => {
    const { port } = await httpDouble([])
    expect(await office.ask(`ui --listen 127.0.0.1:${port}`)).toEqual({
      exitCode: 69,
      out: '',
      err: `error: the page cannot listen on 127.0.0.1:${port} (EADDRINUSE)\nnext: choose another address with --listen\n`,
    })
  })
})
