import { history } from '../../../packages/fleet/src/commands/history.js'
import { resume } from '../../../packages/fleet/src/commands/resume.js'
import { postgresBackend } from '../../../packages/fleet/src/state/postgres-backend.js'
import { statePorts } from '../../../src/library/system-ports.js'
import type { Submission } from '../../../src/plan/submission.js'
import { stateStore } from '../../../src/state/state-store.js'
import { aSubmission } from '../../support/a-submission.js'
import { describeOffice, findRun, urlOf } from '../../support/fleet-office.js'
import { keep } from '../../support/kept-state.js'
import { listSchemaErrors } from '../../support/schema-errors.js'

const now = Date.UTC(2026, 0, 2, 3, 0, 0)

describeOffice('the history of a site', { history, resume }, office => {
  const key = (generation: number) => ({ site: urlOf('a'), generation })
  const store = () =>
    stateStore(postgresBackend(office.connection), { url: urlOf('a') }, statePorts({ now: () => now }))

  /** Creates a failed run, and one after it that is still running. */
  async function twoRuns(): Promise<void> {
    await office.submit('r1', [['a', 'b']])
    await office.store.queueWave('r1', 1)
    await office.store.start(key(1), 'worker-1')
    await office.store.addEvents(key(1), [{ type: 'configure-accepted', message: 'accepted by the service' }])
    await office.store.end(key(1), 'worker-1', { state: 'failed', message: 'a stage failed', exitCode: 5 })
    await office.submit('r2', [['a']])
    await office.store.queueWave('r2', 1)
    await office.store.start(key(2), 'worker-2')
    await office.store.progress(key(2), 'worker-2', { phase: 'wait', retries: 3 })
    await office.sql(`update landform.run set submitted_at = '2026-01-02T03:04:05Z',
      started_at = '2026-01-02T03:04:10Z', changed_at = '2026-01-02T03:05:10Z', ended_at = case when generation = 1 then timestamptz '2026-01-02T04:04:12Z' end`)
    await office.sql(`update landform.event set at = '2026-01-02T03:04:11Z'`)
    await keep(store(), { submission: aSubmission({ state: 'begun' }) })
  }

  test('shows every run, newest first', async () => {
    await twoRuns()
    const { exitCode, out } = await office.ask('history a')
    expect(exitCode).toBe(0)
    expect(out.split('\n')).toEqual([
      'a  https://a.example.org/admin',
      '',
      '  run  submitted                 state    progress  took    worker    retries',
      '      message',
      '  2    2026-01-02T03:04:05.000Z  running  wait      1m 00s  worker-2  3',
      '  1    2026-01-02T03:04:05.000Z  failed   -         1h 00m  worker-1  -',
      '      a stage failed',
      '',
    ])
  })

  test('shows the events of each run and the state of the site with -v', async () => {
    await twoRuns()
    const { out } = await office.ask(`history ${urlOf('a')} -v`)
    expect(out).toContain('run 1\n  2026-01-02T03:04:11.000Z  configure-accepted  accepted by the service\n')
    expect(out).toMatch(/state of the site\n {4}1 .* acquired the lock\n {4}2 .*configure:/)
  })

  test('ends with the outcome that the executor has recorded', async () => {
    await twoRuns()
    const taken = await store().take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    const time = new Date(now).toISOString()
    const receipt = {
      startedAt: time,
      finishedAt: time,
      outcome: 'site-failed',
      manifest: `sha256:${'0'.repeat(64)}`,
    }
    await taken.held.release({ type: 'receipt', receipt: { ...receipt, actions: [] } })
    expect((await office.ask('history a')).out).toMatch(/apply ended: site-failed\n$/)
  })

  test('is available as JSON', async () => {
    await twoRuns()
    const document = JSON.parse((await office.ask('history a --format json')).out)
    expect(listSchemaErrors('fleet-history', document)).toEqual([])
    expect(document).toMatchObject({
      site: 'a',
      url: urlOf('a'),
      runs: [
        { generation: 2, worker: 'worker-2' },
        { generation: 1, events: [{ type: 'configure-accepted' }] },
      ],
    })
  })

  test('of an unknown site is an error', async () => {
    await office.submit('r1', [['a']])
    expect(await office.ask('history nobody')).toMatchObject({
      exitCode: 66,
      err: 'error: this fleet has no site nobody\nnext: landform fleet status\n',
    })
  })

  test('that cannot be read is an error, not an empty history', async () => {
    await twoRuns()
    await office.sql(`update landform.state set body = 'x'`)
    expect((await office.ask('history a')).exitCode).toBe(74)
  })

  test.each<[Submission['state'], number, string]>([
    ['unknown', 0, 'waits for the result of configure; sends no request'],
    ['intent', 0, 'waits for the result of configure; sends no request'],
    ['rejected', 4, 'a.yaml --state postgres:env:LANDFORM_DATABASE_URL --resubmit-after-rejection'],
    ['cleared', 0, 'starts again'],
    ['begun', 0, 'starts again'],
  ])('decides if an ambiguous site starts again: %s ends with %i', async (state, code, words) => {
    await office.submit('r1', [['a']])
    await office.sql(`update landform.run set state = 'ambiguous'`)
    await keep(store(), { submission: aSubmission({ state }) })
    const { exitCode, out, err } = await office.ask('resume a --yes')
    expect([exitCode, `${out}${err}`]).toEqual([code, expect.stringContaining(words)])
    expect(await office.store.rollouts()).toHaveLength(code === 0 ? 2 : 1)
  })

  describe('after a rejection', () => {
    beforeEach(async () => {
      await office.submit('r1', [['a', 'b'], ['c']])
      await office.sql(`update landform.run set state = 'failed' where wave = 1`)
      await keep(store(), { submission: aSubmission({ state: 'rejected' }) })
    })

    test('a named site is not resumed without consent', async () => {
      const { exitCode, err } = await office.ask('resume a --yes')
      expect([exitCode, err]).toEqual([4, expect.stringContaining('--resubmit-after-rejection')])
      expect(await office.store.rollouts()).toHaveLength(1)
    })

    test('others are resumed, and the site is listed with the reason', async () => {
      const { exitCode, out } = await office.ask('resume --failed --yes')
      expect([exitCode, out]).toEqual([0, expect.stringContaining('Resumed 1 site as rollout')])
      expect(out).toMatch(/^ {2}a .*\n? .*was rejected: another request needs consent$/m)
      expect(await findRun(office.store, { site: urlOf('a'), generation: 2 })).toBeUndefined()
    })

    test('a rollout that only such a site stopped cannot continue', async () => {
      await office.sql(`update landform.run set state = 'done' where name = 'b'`)
      await office.setRollout('r1', { wave: 1, state: 'stopped' })
      const { exitCode, err } = await office.ask('resume --rollout r1 --yes')
      expect([exitCode, err]).toEqual([4, expect.stringContaining('was rejected, or was resumed separately')])
    })
  })
})
