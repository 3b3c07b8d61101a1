import { cancel } from '../../../packages/fleet/src/commands/cancel.js'
import { resume } from '../../../packages/fleet/src/commands/resume.js'
import { describeOffice, findRun, urlOf } from '../../support/fleet-office.js'

describeOffice('fleet cancel and fleet resume', { cancel, resume }, office => {
  const key = (name: string, generation = 1) => ({ site: urlOf(name), generation })
  const set = (name: string, state: string) =>
    office.sql(`update landform.run set state = '${state}' where name = '${name}'`)
  /** Lists all runs, as `NAME GENERATION STATE`. */
  const runs = async () =>
    (await office.sql('select name, generation, state from landform.run order by name, generation')).map(
      ({ name, generation, state }) => `${name} ${generation} ${state}`,
    )
  const rolloutState = async (id: string) => (await office.rollout(id))?.state

  test.each(["';drop/**/table/**/landform.run;--", "'or/**/1=1--", '$1', '%'])(
    'change nothing for the site or rollout %s',
    async name => {
      await office.submit('r1', [['a']])
      for (const line of [
        `cancel ${name}`,
        `cancel --rollout ${name}`,
        `resume ${name}`,
        `resume --rollout ${name}`,
      ])
        expect(await office.ask(`${line} --yes`)).toMatchObject({ exitCode: 66, out: '' })
      expect(await runs()).toEqual(['a 1 waiting'])
    },
  )

  describe('cancel', () => {
    beforeEach(async () => {
      await office.submit('r1', [['a', 'b', 'c'], ['d']])
      await office.store.queueWave('r1', 1)
      await office.store.start(key('a'), 'w')
      await set('c', 'done')
    })

    test('cancels queued runs at once, and asks the worker to cancel running ones', async () => {
      const { exitCode, out, err } = await office.ask('cancel a b --yes')
      expect([exitCode, err]).toEqual([0, 'next: landform fleet status\n'])
      // The table shows the state after the cancellation.
      expect(out).toMatch(/^ {2}a {5}cancelling /m)
      expect(out).toContain('2 sites: 1 running, 1 cancelled.\n')
      expect(out).toContain('Cancelled 1 site. 1 site is running and stops as soon as it is safe.\n')
      expect(await runs()).toEqual(['a 1 running', 'b 1 cancelled', 'c 1 done', 'd 1 waiting'])
      expect(await office.store.runsToCancel()).toEqual([key('a')])
      expect(await office.store.events(key('a'))).toMatchObject([{ type: 'cancelled' }])
    })

    test('cancels a rollout with its waiting runs, and no other rollout', async () => {
      await office.submit('r2', [['e']])
      expect((await office.ask('cancel --rollout r1 --yes')).exitCode).toBe(0)
      expect(await runs()).toEqual([
        'a 1 running',
        'b 1 cancelled',
        'c 1 done',
        'd 1 cancelled',
        'e 1 waiting',
      ])
      expect([await rolloutState('r1'), await rolloutState('r2')]).toEqual(['cancelled', 'running'])
    })

    test('cancels a site that another worker took over', async () => {
      await office.ask('cancel a --yes')
      await office.sql(`update landform.run set worker = 'dead'`)
      expect(await office.store.runsToCancel()).toEqual([key('a')])
    })

    test('cancels everything with --all', async () => {
      await office.submit('r2', [['e']])
      await office.ask('cancel --all --yes')
      expect((await runs()).filter(run => /queued|waiting/.test(run))).toEqual([])
      expect([await rolloutState('r1'), await rolloutState('r2')]).toEqual(['cancelled', 'cancelled'])
    })

    test('cancels a stopped rollout whose sites have all ended', async () => {
      await office.submit('r3', [['f']])
      await set('f', 'failed')
      await office.setRollout('r3', { wave: 1, state: 'stopped' })
      const line = 'cancel --rollout r3'
      expect((await office.ask(line)).err).toContain('to cancel 1 rollout')
      expect((await office.ask(`${line} --yes`)).out).toBe('Cancelled 1 rollout.\n')
      expect(await rolloutState('r3')).toBe('cancelled')
    })

    test('cancels every run of a site, including one queued behind another', async () => {
      await office.sql(`update landform.run set digest = 'sha256:other'`)
      await office.submit('r2', [['a']])
      await office.ask('cancel a --yes')
      expect((await runs()).slice(0, 2)).toEqual(['a 1 running', 'a 2 cancelled'])
      expect(await office.store.runsToCancel()).toEqual([key('a')])
    })

    test('cancels no run that has ended', async () => {
      const { exitCode, out } = await office.ask('cancel c')
      expect([exitCode, out]).toEqual([0, 'Nothing to cancel: the selected sites and rollouts have ended.\n'])
    })

    test('requires confirmation', async () => {
      const before = await runs()
      expect((await office.ask('cancel --all')).exitCode).toBe(78)
      expect((await office.ask('cancel --all', { answer: 'no' })).exitCode).toBe(78)
      expect(await runs()).toEqual(before)
    })
  })

  describe('resume', () => {
    test('starts a new run of a failed site, with the submitted settings', async () => {
      await office.submit('r1', [['a', 'b']])
      await office.sql(
        `update landform.run set state = 'failed', commit = 'c0ffee', priority = 7, timeout_ms = 5`,
      )
      const { exitCode, out, err } = await office.ask('resume a --yes')
      expect([exitCode, err]).toEqual([0, 'next: landform fleet status\n'])
      const run = await findRun(office.store, key('a', 2))
      expect(run).toMatchObject({
        state: 'waiting',
        commit: 'c0ffee',
        priority: 7,
        timeoutMs: 5,
        manifest: 'a.yaml',
        retries: 0,
      })
      expect(out).toContain(`Resumed 1 site as rollout ${run?.rollout}.`)
      expect(await runs()).toEqual(['a 1 failed', 'a 2 waiting', 'b 1 failed'])
    })

    test('starts failed sites again in the order of their waves, except ambiguous ones', async () => {
      await office.submit('r1', [['a'], ['b', 'c'], ['d', 'e'], ['f']])
      for (const [name, state] of Object.entries({
        a: 'done',
        b: 'refused',
        c: 'ambiguous',
        d: 'unfinished',
        e: 'cancelled',
        f: 'running',
      }))
        await set(name, state)
      expect((await office.ask('resume --failed --yes')).exitCode).toBe(0)
      const anew = await office.sql('select name, wave from landform.run where generation = 2 order by name')
      expect(anew).toEqual([
        { name: 'b', wave: 1 },
        { name: 'd', wave: 2 },
        { name: 'e', wave: 2 },
      ])
    })

    test('continues a stopped rollout with the wave of the sites that start again', async () => {
      await office.submit('r1', [['a', 'b'], ['c']])
      await set('a', 'failed')
      await set('b', 'done')
      await office.setRollout('r1', { wave: 1, state: 'stopped' })
      const { out } = await office.ask('resume --rollout r1 --yes')
      expect(out.split('\n')).toEqual([
        '  site  state   address                      action',
        '  a     failed  https://a.example.org/admin  starts again',
        '',
        'Rollout r1 continues with 1 waiting site once every site of wave 1 has succeeded.',
        'Rollout r1 continues with wave 1 of 2.',
        '',
      ])
      expect(await runs()).toEqual(['a 1 failed', 'a 2 waiting', 'b 1 done', 'c 1 waiting'])
      expect(await findRun(office.store, key('a', 2))).toMatchObject({ rollout: 'r1', wave: 1 })
      expect(await office.rollout('r1')).toMatchObject({ wave: 1, state: 'running' })
    })

    test('rejects a rollout that an ambiguous site stopped with 4, and names the remedies', async () => {
      await office.submit('r1', [['a'], ['b']])
      await set('a', 'ambiguous')
      await office.setRollout('r1', { wave: 1, state: 'stopped' })
      const { exitCode, err } = await office.ask('resume --rollout r1 --yes')
      expect(exitCode).toBe(4)
      expect(err).toContain('wave 1 has a site that cannot start again with its rollout')
      expect(err).toContain('landform fleet resume --rollout r1 --skip-failed\n')
      expect(await rolloutState('r1')).toBe('stopped')
    })

    test('continues a rollout with the next wave if the stopped one has succeeded meanwhile', async () => {
      await office.submit('r1', [['a'], ['b']])
      await set('a', 'failed')
      await office.setRollout('r1', { wave: 1, state: 'stopped' })
      await office.ask('resume a --yes')
      expect((await office.ask('resume --rollout r1 --yes')).exitCode).toBe(4)
      expect(await rolloutState('r1')).toBe('stopped')
      await office.sql(`update landform.run set state = 'done' where name = 'a' and generation = 2`)
      const { out } = await office.ask('resume --rollout r1', { answer: 'yes' })
      expect(out).toContain('continues with wave 2 of 2')
      expect(await office.rollout('r1')).toMatchObject({ wave: 2, state: 'running' })
    })

    describe('with --skip-failed', () => {
      const skip = 'resume --rollout r1 --skip-failed'
      beforeEach(async () => {
        await office.submit('r1', [['a', 'b', 'c'], ['d'], ['e']])
        await set('a', 'failed')
        await set('b', 'ambiguous')
        await set('c', 'done')
        await office.setRollout('r1', { wave: 1, state: 'stopped' })
      })

      test('shows what is left and what continues, and starts only the next wave', async () => {
        const { exitCode, out, err } = await office.ask(skip, { answer: 'yes' })
        expect([exitCode, err]).toEqual([0, expect.stringContaining('Resume 2 sites?')])
        expect(out.split('\n')).toEqual([
          '  site  state      address                      action',
          '  b     ambiguous  https://b.example.org/admin  stays as it is',
          '  a     failed     https://a.example.org/admin  stays as it is',
          '',
          'Rollout r1 continues with wave 2 of 3 and 2 waiting sites, regardless of the results of wave 1; it stops again after a wave in which a site does not succeed.',
          'Rollout r1 continues with wave 2 of 3.',
          '',
        ])
        expect(await runs()).toEqual([
          'a 1 failed',
          'b 1 ambiguous',
          'c 1 done',
          'd 1 waiting',
          'e 1 waiting',
        ])
        expect(await office.rollout('r1')).toMatchObject({ wave: 2, state: 'running', keepsGoing: false })
      })

      test('records it in the history of the skipped sites only', async () => {
        await office.ask(`${skip} --yes`)
        const noted = await office.sql(
          'select site, generation, type, message from landform.event order by site',
        )
        const left = { generation: 1, type: 'left', message: 'rollout r1 was resumed without the site' }
        expect(noted).toEqual(['a', 'b'].map(name => ({ site: urlOf(name), ...left })))
      })

      test('does not start skipped sites again when a later wave stops the rollout', async () => {
        await office.ask(`${skip} --yes`)
        await set('d', 'failed')
        await office.setRollout('r1', { wave: 2, state: 'stopped' })
        const { out } = await office.ask('resume --rollout r1 --yes')
        expect(out).not.toMatch(/^ {2}[ab] /m)
        expect(await runs()).toContain('d 2 waiting')
        expect(await runs()).not.toContain('a 2 waiting')
        expect(await office.rollout('r1')).toMatchObject({ wave: 2, state: 'running' })
      })

      test('works once for concurrent calls, and does nothing for a running or ended rollout', async () => {
        await Promise.all([office.ask(`${skip} --yes`), office.ask(`${skip} --yes`)])
        expect(await office.rollout('r1')).toMatchObject({ wave: 2, state: 'running' })
        await office.setRollout('r1', { wave: 3, state: 'done' })
        const before = await runs()
        const { exitCode, out } = await office.ask(`${skip} --yes`)
        expect([exitCode, await runs()]).toEqual([0, before])
        expect(out).toContain('Nothing was resumed.')
      })

      test('requires a rollout', async () => {
        const { exitCode, err } = await office.ask('resume a --skip-failed --yes')
        expect([exitCode, err]).toEqual([64, expect.stringContaining('requires --rollout ID')])
      })
    })

    test('starts the next wave of a rollout, even if only sites of a later one start again', async () => {
      await office.submit('r1', [['a'], ['b'], ['c']])
      await set('a', 'done')
      await set('c', 'cancelled')
      await office.setRollout('r1', { wave: 1, state: 'stopped' })
      await office.ask('resume --rollout r1 --yes')
      expect(await office.rollout('r1')).toMatchObject({ wave: 2, state: 'running' })
      expect(await runs()).toEqual(['a 1 done', 'b 1 waiting', 'c 1 cancelled', 'c 2 waiting'])
    })

    test('starts no run that is waiting or done', async () => {
      await office.submit('r1', [['a', 'b']])
      await set('a', 'done')
      const { exitCode, out } = await office.ask('resume a b')
      expect([exitCode, await runs()]).toEqual([0, ['a 1 done', 'b 1 waiting']])
      expect(out).toMatch(/^ {2}a .* is done$/m)
      expect(out).toContain('Nothing was resumed.')
    })

    test('requires confirmation', async () => {
      await office.submit('r1', [['a']])
      await set('a', 'failed')
      expect((await office.ask('resume a')).exitCode).toBe(78)
      expect(await runs()).toEqual(['a 1 failed'])
    })

    test('does not continue a rollout that was cancelled meanwhile', async () => {
      await office.submit('r1', [['a'], ['b']])
      await office.setRollout('r1', { wave: 1, state: 'cancelled' })
      expect(await office.store.continueRollout('r1', 2, [])).toBeUndefined()
      expect(await rolloutState('r1')).toBe('cancelled')
    })

    test('resumes a rollout once for concurrent calls', async () => {
      await office.submit('r1', [['a'], ['b']])
      await set('a', 'failed')
      await office.setRollout('r1', { wave: 1, state: 'stopped' })
      await Promise.all([office.ask('resume --rollout r1 --yes'), office.ask('resume --rollout r1 --yes')])
      expect(await runs()).toEqual(['a 1 failed', 'a 2 waiting', 'b 1 waiting'])
    })
  })

  test.each([
    ['cancel', 64, 'name sites, or use --all or --rollout ID'],
    ['cancel a --all', 64, 'cannot be combined with --all or --rollout'],
    ['cancel --rollout r9', 66, 'rollout r9 does not exist; did you mean r1?\nnext: landform fleet status\n'],
    ['resume', 64, 'name sites, or use --failed or --rollout ID'],
    ['resume z', 66, 'this fleet has no site z; did you mean a?\nnext: landform fleet status\n'],
  ])('%s ends with %i', async (line, code, words) => {
    await office.submit('r1', [['a']])
    const { exitCode, err } = await office.ask(line)
    expect([exitCode, err]).toEqual([code, expect.stringContaining(words)])
  })
})
