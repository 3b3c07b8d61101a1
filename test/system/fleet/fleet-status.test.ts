import { status } from '../../../packages/fleet/src/commands/status.js'
import { type RunState, runStates } from '../../../src/plan/run-state.js'
import { describeOffice, urlOf } from '../../support/fleet-office.js'
import { publishedSchema } from '../../support/published-schema.js'
import { listSchemaErrors } from '../../support/schema-errors.js'

const stages = ['completed', 'not_applicable', 'in_progress', 'not_started'].map(state => ({
  name: `S ${state}`,
  state,
}))

describeOffice('fleet status', { status }, office => {
  const key = (name: string, generation = 1) => ({ site: urlOf(name), generation })
  const ended = (
    name: string,
    state: 'done' | 'failed' | 'ambiguous' | 'refused' | 'cancelled' | 'unfinished',
    exitCode: number,
  ) => office.end(key(name), { state, message: `${name} ended`, exitCode })

  /** Creates a site in each state, with durations that do not depend on the test. */
  async function everyState(): Promise<void> {
    await office.submit('r1', [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'i'], ['h']])
    await office.store.queueWave('r1', 1)
    await ended('a', 'done', 0)
    await ended('b', 'ambiguous', 4)
    await ended('c', 'failed', 5)
    await ended('d', 'refused', 66)
    await ended('e', 'cancelled', 130)
    await ended('f', 'unfinished', 3)
    await office.store.start(key('g'), 'worker-1')
    await office.store.progress(key('g'), 'worker-1', { phase: 'wait', stages, retries: 2, warnings: ['w'] })
    await office.setRollout('r1', { wave: 1, state: 'stopped' })
    await office.sql(`insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details, beat_at)
      values ('worker-1', 'x', 'worker', '{}', 1, 10000, '{"limit":20,"version":"0.1.0"}', now()),
        ('worker-2', 'x', 'worker', '{}', 1, 10000, '{"limit":5}', now() - interval '90 seconds 500 milliseconds'),
        ('someone', 'x', 'run', '{}', 1, 10000, '{}', now())`)
    await office.sql(`update landform.run set submitted_at = now() - interval '2 hours 500 milliseconds',
      started_at = started_at - interval '63 minutes 500 milliseconds', ended_at = ended_at - interval '5 minutes 500 milliseconds'`)
  }

  test('shows every site, those that need attention first, and stopped rollouts', async () => {
    await everyState()
    const { exitCode, out, err } = await office.ask('status')
    expect([exitCode, err]).toEqual([4, `next: landform fleet history b\n`])
    // Some time may pass before the command reads the database.
    const steady = out.replaceAll(/m \d\ds/g, 'm 00s').replace(/\d+s ago/, '0s ago')
    expect(steady.split('\n')).toEqual([
      '  site  state       progress  age     worker    retries  message',
      '  b     ambiguous   -         5m 00s  -         -        b ended',
      '  c     failed      -         5m 00s  -         -        c ended',
      '  d     refused     -         5m 00s  -         -        d ended',
      '  f     unfinished  -         5m 00s  -         -        f ended',
      '  g     running     wait 2/4  1h 03m  worker-1  2',
      '  i     queued      -         2h 00m  -         -',
      '  h     waiting     wave 2    2h 00m  -         -',
      '  e     cancelled   -         5m 00s  -         -        e ended',
      '  a     done        -         5m 00s  -         -',
      '',
      '9 sites: 1 ambiguous, 1 failed, 1 refused, 1 unfinished, 1 running, 1 queued, 1 waiting, 1 cancelled, 1 done.',
      'Rollout r1 stopped after wave 1 of 2: a site did not succeed.',
      '  to start the unsuccessful sites again, then continue:',
      '    landform fleet resume --rollout r1',
      '  to continue without them:',
      '    landform fleet resume --rollout r1 --skip-failed',
      'Worker worker-1: 1 of 20 sites, last seen 0s ago.',
      'Worker worker-2: 0 of 5 sites, no heartbeat for 1m 00s.',
      '',
    ])
  })

  test('names running rollouts, which can be cancelled, and no ended ones', async () => {
    await office.submit('r1', [['a'], ['b']])
    await office.submit('r2', [['c']])
    await office.setRollout('r2', { wave: 1, state: 'done' })
    const { out } = await office.ask('status')
    expect(out).toContain('\nRollout r1: wave 1 of 2 is running.\n')
    expect(out).not.toContain('r2')
  })

  test('is available as JSON with all details', async () => {
    await everyState()
    const { out } = await office.ask('status --format json')
    const document = JSON.parse(out)
    expect(listSchemaErrors('fleet-runs', document)).toEqual([])
    expect(document.summary).toMatchObject({ sites: 9, ambiguous: 1, running: 1, done: 1 })
    expect(document.sites.find(({ site }: { site: string }) => site === 'g')).toMatchObject({
      url: urlOf('g'),
      state: 'running',
      phase: 'wait',
      stages,
      warnings: ['w'],
      worker: 'worker-1',
    })
    expect(document.workers.map(({ isSilent }: { isSilent: boolean }) => isSilent)).toEqual([false, true])
  })

  test('has every state in its schema', () => {
    const schema = JSON.stringify(publishedSchema('fleet-runs'))
    expect(runStates.filter(state => !schema.includes(`"${state}"`))).toEqual([])
  })

  test.each<[exitCode: number, ends: readonly RunState[]]>([
    [0, ['done', 'done']],
    [3, ['done', 'queued']],
    [3, ['done', 'waiting']],
    [3, ['done', 'running']],
    [3, ['done', 'unfinished']],
    [130, ['cancelled', 'done']],
    [4, ['running', 'ambiguous']],
    [5, ['failed', 'refused', 'running']],
    [78, ['refused', 'running', 'done']],
  ])('ends with %i for sites that are %j', async (code, states) => {
    await office.submit('r1', [states.map((_, at) => `s${at}`)])
    for (const [at, state] of states.entries())
      await office.sql(`update landform.run set state = '${state}' where name = 's${at}'`)
    expect((await office.ask('status')).exitCode).toBe(code)
  })

  test('ends with the exit code of the worst site', async () => {
    await office.submit('r1', [['a', 'b']])
    await ended('a', 'refused', 66)
    await ended('b', 'refused', 65)
    expect((await office.ask('status')).exitCode).toBe(65)
  })

  test('reports a fleet without sites', async () => {
    expect(await office.ask('status')).toEqual({
      exitCode: 0,
      out: 'No sites have been submitted.\n',
      err: '',
    })
  })

  test('reports that no worker is running', async () => {
    await office.submit('r1', [['a']])
    const { out, err } = await office.ask('status')
    expect(out).toContain('No worker is running.')
    expect(err).toBe('next: landform fleet worker\n')
  })

  test('shows the newest run of a site, and only the requested sites', async () => {
    await office.submit('r1', [['a', 'b', 'c']])
    await ended('a', 'failed', 5)
    await office.submit('r2', [['a']])
    const rows = async (line: string) =>
      JSON.parse((await office.ask(`${line} --format json`)).out).sites.map(
        (one: { site: string; generation: number }) => `${one.site} ${one.generation}`,
      )
    expect(await rows('status a')).toEqual(['a 2'])
    expect(await rows(`status ${urlOf('b')}/ c`)).toEqual(['b 1', 'c 1'])
    expect(await rows('status --only failed')).toEqual([])
  })

  test.each([
    ['status prodution', 66, 'this fleet has no site prodution; did you mean production?'],
    ['status --only runing', 64, 'did you mean running'],
    ['status --watch --format json', 64, '--watch has only text output'],
  ])('%s ends with %i', async (line, code, words) => {
    await office.submit('r1', [['production']])
    const { exitCode, err } = await office.ask(line)
    expect([exitCode, err]).toEqual([code, expect.stringContaining(words)])
  })

  test('rejects a name that several sites share', async () => {
    await office.submit('r1', [['a', 'b']])
    await office.sql(`update landform.run set name = 'same'`)
    const { exitCode, err } = await office.ask('status same')
    expect([exitCode, err]).toEqual([64, expect.stringContaining(`${urlOf('a')}, ${urlOf('b')}`)])
  })

  test('neutralizes foreign names and messages', async () => {
    await office.submit('r1', [['a']])
    await office.sql(
      `update landform.run set name = E'::error::\\x1b[2J', message = E'x\\n##[group]', state = 'failed'`,
    )
    const { out } = await office.ask('status')
    expect(out).not.toContain('\u001b')
    expect(out).not.toMatch(/^::|##\[/m)
  })

  describe('--watch', () => {
    test('prints each change on a line, and ends with the last site', async () => {
      await office.submit('r1', [['a', 'b']])
      await office.store.queueWave('r1', 1)
      await ended('a', 'done', 0)
      const asked = office.ask('status --watch', {
        onSleep: async slept => {
          if (slept === 1) await office.store.start(key('b'), 'w')
          if (slept === 2) await office.store.progress(key('b'), 'w', { phase: 'wait', stages })
          if (slept === 4) await ended('b', 'failed', 5)
          // The command continues until the rollout ends.
          if (slept === 6) await office.setRollout('r1', { wave: 1, state: 'done' })
        },
      })
      const { exitCode, out, err } = await asked
      expect(exitCode).toBe(5)
      expect(out).not.toContain('is running')
      expect(err.split('\n')).toEqual([
        '[b] running, observe',
        '[b] running, wait 2/4',
        '[b] failed, b ended',
        `next: landform fleet history b`,
        '',
      ])
      expect(out).toContain('2 sites: 1 failed, 1 done.')
    })

    test.each([
      ['status --watch', 5],
      ['status --watch --only failed', 5],
      ['status --watch b', 0],
    ])('%s continues until the last wave has ended, or its sites have', async (line, code) => {
      await office.submit('r1', [['a'], ['b']])
      await ended('a', 'done', 0)
      let sleeps = 0
      const asked = office.ask(line, {
        onSleep: async slept => {
          sleeps = slept
          if (slept === 1) await office.setRollout('r1', { wave: 2, state: 'running' })
          if (slept === 2 && code === 0) await ended('b', 'done', 0)
          if (slept === 3 && code !== 0) await ended('b', 'failed', 5)
          if (slept === 5) await office.setRollout('r1', { wave: 2, state: 'done' })
        },
      })
      expect((await asked).exitCode).toBe(code)
      expect(sleeps).toBe(code === 0 ? 2 : 5)
    })

    test('ends at an interrupt, with a note that the fleet continues', async () => {
      await office.submit('r1', [['a']])
      const { exitCode, err } = await office.ask('status --watch', {
        onSleep: async (_, host) => host.signal('SIGINT'),
      })
      expect([exitCode, err]).toEqual([130, expect.stringContaining('the fleet continues')])
    })

    test('does not wait for sites that need attention', async () => {
      await everyState()
      await office.sql(`update landform.run set state = 'done' where state in ('running', 'queued')`)
      expect((await office.ask('status --watch')).exitCode).toBe(4)
    })
  })
})
