import { prune } from '../../../packages/fleet/src/commands/prune.js'
import { readLoad } from '../../../packages/fleet/src/database/view.js'
import { describeOffice } from '../../support/fleet-office.js'

describeOffice('fleet prune', { prune }, office => {
  /** Submits sites whose runs ended this many days ago. */
  async function submitted(id: string, sites: readonly string[], daysAgo: number): Promise<void> {
    await office.submit(id, [sites])
    for (const run of await office.store.runs({ rollout: id })) {
      await office.store.addEvents(run, [{ type: 'ended', message: 'done' }])
      await office.end(run, { state: 'done', message: 'done', exitCode: 0 })
    }
    await office.setRollout(id, { wave: 1, state: 'done' })
    const at = `clock_timestamp() - interval '${daysAgo} days'`
    await office.sql(`update landform.run set ended_at = ${at} where rollout = '${id}'`)
    await office.sql(`update landform.rollout set submitted_at = ${at} where id = '${id}'`)
  }

  const kept = async () => ({
    runs: (await office.store.runs({ generations: 'all' })).map(
      ({ name, generation }) => `${name} ${generation}`,
    ),
    rollouts: (await office.store.rollouts()).map(({ id }) => id),
    events: (await office.sql('select site from landform.event')).length,
  })

  test('keeps the newest run of each site, with its events', async () => {
    await submitted('r1', ['a', 'b'], 300)
    await submitted('r2', ['a'], 200)
    await submitted('r3', ['a'], 1)
    const line = 'prune --days 90 --yes'
    expect(await office.ask(line)).toMatchObject({
      exitCode: 0,
      out: 'Deleted 2 runs that ended more than 90 days ago.\n',
    })
    expect(await kept()).toEqual({ runs: ['a 3', 'b 1'], rollouts: ['r3', 'r1'], events: 2 })
    expect((await office.ask(line)).out).toBe('Nothing to delete: no runs ended more than 90 days ago.\n')
    expect((await office.ask('prune --days 1 --yes')).out).toBe(
      'Nothing to delete: no runs ended more than 1 day ago.\n',
    )
  })

  test('requires confirmation', async () => {
    await submitted('r1', ['a'], 100)
    await submitted('r2', ['a'], 1)
    const before = await kept()
    const line = 'prune --days 90'
    expect(await office.ask(line)).toMatchObject({ exitCode: 78, err: expect.stringContaining('--yes') })
    expect(await office.ask(line, { answer: 'no' })).toMatchObject({ exitCode: 78 })
    expect(await kept()).toEqual(before)
    expect(await office.ask(line, { answer: 'yes' })).toMatchObject({ exitCode: 0 })
    expect((await kept()).runs).toEqual(['a 2'])
  })

  const readFigures = async () => ({
    ...(await readLoad(office.database)),
    sites: await office.store.counts(),
  })

  test('keeps the metrics: sites by state, the longest wait, and live workers', async () => {
    await office.submit('r1', [['a', 'b']])
    const waiting = await readFigures()
    expect(waiting).toMatchObject({ sites: { waiting: 2, queued: 0 }, oldestQueuedSeconds: 0, workers: 0 })
    await office.store.queueWave('r1', 1)
    await office.sql(`update landform.run set changed_at = clock_timestamp() - interval '1 minute'
      where name = 'a'`)
    await office.setRollout('r1', { wave: 1, state: 'stopped' })
    for (const [id, age] of [
      ['w1', '0 s'],
      ['w2', '1 h'],
    ])
      await office.sql(
        `insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details, beat_at)
         values ('${id}', '', 'worker', '{}', 0, 10000, '{"limit":20}', clock_timestamp() - interval '${age}')`,
      )
    const figures = await readFigures()
    expect(figures).toMatchObject({ workers: 1, workerLimit: 20, stoppedRollouts: 1, sites: { queued: 2 } })
    expect(figures.oldestQueuedSeconds).toBeGreaterThanOrEqual(60)
    expect(figures.oldestQueuedSeconds).toBeLessThan(120)
  })
})
