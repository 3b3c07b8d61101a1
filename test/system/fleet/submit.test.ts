import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { submit } from '../../../packages/fleet/src/commands/submit.js'
import { policyText } from '../../support/a-policy.js'
import { describeOffice, urlOf, writeManifests } from '../../support/fleet-office.js'
import { git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

describeOffice('fleet submit', { submit }, office => {
  beforeEach(async () => {
    await mkdir('sites')
    await writeManifests('sites', ['a', 'b', 'c'])
  })

  const runs = () =>
    office.sql('select name, generation, wave, manifest, state from landform.run order by name, generation')

  test('adds every site, with the path of its manifest for workers, as one rollout', async () => {
    const { exitCode, out, err } = await office.ask('submit sites --yes --waves 1,100%')
    expect([exitCode, err]).toEqual([0, 'next: landform fleet status\n'])
    expect(await runs()).toMatchObject([
      { name: 'a', generation: 1, wave: 1, manifest: 'sites/a.yaml', state: 'waiting' },
      { name: 'b', generation: 1, wave: 2 },
      { name: 'c', generation: 1, wave: 2 },
    ])
    const [rollout] = await office.store.rollouts()
    expect(out.replaceAll(rollout?.id ?? '', 'ID').split('\n')).toEqual([
      '  site  wave  address                      submission',
      '  a     1     https://a.example.org/admin  new',
      '  b     2     https://b.example.org/admin  new',
      '  c     2     https://c.example.org/admin  new',
      '',
      '3 sites in 2 waves.',
      'Submitted 3 sites as rollout ID.',
      '',
    ])
  })

  test('checks a file before its location', async () => {
    const elsewhere = await temporaryFolder()
    await cp('sites/a.yaml', join(elsewhere, 'a.yaml'))
    await writeFile(join(elsewhere, 'none.yaml'), ': : :')
    const asked = ['a', 'none', 'missing'].map(name =>
      office.ask(`submit ${join(elsewhere, name)}.yaml --yes`),
    )
    expect((await Promise.all(asked)).map(({ exitCode }) => exitCode)).toEqual([64, 65, 66])
    expect(await runs()).toEqual([])
  })

  test('adds nothing that was already submitted and has not ended', async () => {
    await office.ask('submit sites --yes')
    const { exitCode, out } = await office.ask('submit sites')
    expect(exitCode).toBe(0)
    expect(out).toContain('same as run 1 (waiting)')
    expect(out).toContain('Nothing was submitted')
    expect([(await runs()).length, (await office.store.rollouts()).length]).toEqual([3, 1])
  })

  test('replaces runs of a wave that has not started with another priority or timeout, and no others', async () => {
    await office.ask('submit sites --yes')
    await office.sql(`update landform.run set state = 'queued' where name = 'c'`)
    const { out } = await office.ask('submit sites --yes --priority 1')
    expect(out).toMatch(/^ {2}a +1 +.*replaces run 1 \(waiting\)$/m)
    expect(out).toMatch(/^ {2}c +- +.*same as run 1 \(queued\)$/m)
    expect((await runs()).filter(({ name }) => name === 'a')).toMatchObject([
      { generation: 1, state: 'cancelled' },
      { generation: 2, state: 'waiting' },
    ])
    const longer = await office.ask('submit sites --yes --priority 1 --timeout 5h')
    expect(longer.out).toMatch(/^ {2}a +1 +.*replaces run 2 \(waiting\)$/m)
    const again = await office.ask('submit sites --yes --priority 1 --timeout 5h')
    expect(again.out).toMatch(/^ {2}a +- +.*same as run 3 \(waiting\)$/m)
  })

  test('adds a changed manifest behind the current run of its site, and forms waves of added sites only', async () => {
    await office.ask('submit sites --yes')
    await office.sql(`update landform.run set state = 'queued'`)
    await writeFile('sites/b.yaml', `${await text('sites/b.yaml')}\n# edited\n`)
    const { out } = await office.ask('submit sites --yes --waves 1,100%')
    expect(out).toMatch(/^ {2}a +- +.*same as run 1 \(queued\)$/m)
    expect(out).toMatch(/^ {2}b +1 +.*behind run 1 \(queued\)$/m)
    expect((await runs()).filter(({ name }) => name === 'b')).toMatchObject([
      { generation: 1, state: 'queued' },
      { generation: 2, wave: 1 },
    ])
  })

  test('replaces a run that has not started with one of a changed manifest', async () => {
    await office.ask('submit sites --yes')
    await writeFile('sites/b.yaml', `${await text('sites/b.yaml')}\n# edited\n`)
    const { out } = await office.ask('submit sites --yes')
    expect(out).toMatch(/^ {2}b +1 +.*replaces run 1 \(waiting\)$/m)
    expect((await runs()).map(({ name, state }) => [name, state])).toEqual([
      ['a', 'waiting'],
      ['b', 'cancelled'],
      ['b', 'waiting'],
      ['c', 'waiting'],
    ])
  })

  test('adds sites again that wait for a stopped rollout, which would never start them', async () => {
    await office.ask('submit sites --yes --waves 1,100%')
    await office.sql(`update landform.run set state = 'failed' where name = 'a'`)
    await office.sql(`update landform.rollout set state = 'stopped'`)
    await office.ask('submit sites --yes')
    expect((await runs()).map(({ name, generation, state }) => `${name} ${generation} ${state}`)).toEqual([
      'a 1 failed',
      'a 2 waiting',
      'b 1 cancelled',
      'b 2 waiting',
      'c 1 cancelled',
      'c 2 waiting',
    ])
  })

  test('ends a stopped rollout once nothing waits for it, and not before', async () => {
    await office.ask('submit sites --yes --waves 1,100%')
    await office.sql(`update landform.run set state = 'failed' where name = 'a'`)
    await office.sql(`update landform.rollout set state = 'stopped'`)
    const states = async () =>
      (await office.sql('select state from landform.rollout order by submitted_at')).map(({ state }) => state)
    await office.ask('submit sites/b.yaml --yes')
    expect(await states()).toEqual(['stopped', 'running'])
    await office.ask('submit sites/c.yaml --yes')
    expect(await states()).toEqual(['cancelled', 'running', 'running'])
  })

  test('asks for confirmation, and accepts only yes', async () => {
    const refused = await office.ask('submit sites', { answer: 'y' })
    expect([refused.exitCode, await office.store.rollouts()]).toEqual([78, []])
    expect(refused.err).toContain('Submit 3 sites? Type `yes` to confirm: ')
    expect((await office.ask('submit sites', { answer: 'yes' })).exitCode).toBe(0)
  })

  test.each([
    ['there is no terminal', 'submit sites', {}],
    ['questions are disabled', 'submit sites --no-input', { answer: 'yes' }],
  ])('adds nothing without --yes if %s', async (_, line, options) => {
    const { exitCode, err } = await office.ask(line, options)
    expect([exitCode, await runs()]).toEqual([78, []])
    expect(err).toContain('--yes')
  })

  test.each([
    [65, 'a manifest is not valid', () => writeFile('sites/b.yaml', 'kind: SiteDeployment\nmetadata: 1\n')],
    [66, 'the base of a manifest is missing', () => writeFile('sites/b.yaml', 'extends: ./gone.yaml\n')],
    [
      78,
      'a policy is violated',
      () => writeFile('landform.policy.yaml', policyText({ name: 'r', require: { 'metadata.name': 'a' } })),
    ],
    [65, 'two manifests are for one site', async () => writeFile('sites/d.yaml', await text('sites/a.yaml'))],
  ])('adds nothing and ends with %i if %s', async (code, _, spoil) => {
    await mkdir('.git')
    await spoil()
    const { exitCode, err } = await office.ask('submit sites --yes')
    expect([exitCode, await runs(), await office.store.rollouts()]).toEqual([code, [], []])
    expect(err).toMatch(/nothing was/)
  })

  test('reports all mistakes in one document', async () => {
    await writeFile('sites/a.yaml', 'kind: SiteDeployment\n')
    await writeFile('sites/b.yaml', 'extends: ./gone.yaml\n')
    const { exitCode, out } = await office.ask('submit sites --yes --format json')
    const document = JSON.parse(out)
    expect(listSchemaErrors('failure', document)).toEqual([])
    expect(new Set(document.error.diagnostics.map(({ file }: { file: string }) => file))).toEqual(
      new Set(['sites/a.yaml', 'sites/b.yaml']),
    )
    expect([exitCode, document.error.message]).toEqual([
      65,
      '2 of 3 manifests cannot be submitted; nothing was submitted',
    ])
  })

  test('reports a mistake without a position on one line', async () => {
    const { exitCode, err } = await office.ask('submit sites/gone.yaml sites/a.yaml --yes')
    expect([exitCode, err]).toEqual([
      66,
      'error: the manifest sites/gone.yaml does not exist; 1 of 2 manifests cannot be submitted; nothing was submitted\n',
    ])
  })

  test('is available as JSON', async () => {
    const { out } = await office.ask('submit sites --yes --format json')
    const document = JSON.parse(out)
    expect(listSchemaErrors('fleet-submission', document)).toEqual([])
    expect(document.sites[0]).toMatchObject({
      site: 'a',
      url: urlOf('a'),
      file: 'sites/a.yaml',
      submission: 'new',
    })
  })

  test('writes the table to a file', async () => {
    await office.ask('submit sites --yes --format text=out.txt')
    expect(await text('out.txt')).toMatch(/^ {2}site +wave.*\n(?:.*\n)*Submitted 3 sites as rollout/)
  })

  test('rejects manifests that workers could not find by their paths', async () => {
    await mkdir('inner')
    process.chdir('inner')
    const { exitCode, err } = await office.ask('submit ../sites --yes')
    expect(exitCode).toBe(64)
    expect(err).toContain('run this command in a folder that contains all of them')
  })

  test.each([
    ['submit - --yes', 'standard input'],
    ['submit sites --priority 0', '--priority must be a number from 1 to 1000'],
    ['submit sites --timeout soon', '--timeout must be a duration such as 500ms, 90s, 10m or 3h'],
    ['submit sites --waves 9,1', '--waves must be a list of increasing sizes such as 1,10%,100%, not "9,1"'],
    ['submit sites --from-git -x', '--from-git needs a value'],
  ])('%s is a usage error', async (line, words) => {
    const { exitCode, err } = await office.ask(line)
    expect([exitCode, err.includes(words), err]).toEqual([64, true, expect.any(String)])
  })

  test('reports in JSON, and without the password, that the database is unavailable', async () => {
    const environment = { LANDFORM_DATABASE_URL: 'postgres://someone:Canary-1@127.0.0.1:9/none' }
    const { exitCode, out, err } = await office.ask('submit sites --yes --format json', { environment })
    expect([exitCode, JSON.parse(out).error.exitCode]).toEqual([74, 74])
    expect(`${out}${err}`).not.toContain('Canary-1')
  })

  describeWhere(hasGit, 'git')('--from-git', () => {
    beforeEach(async () => {
      await mkdir('inner')
      await rename('sites', 'inner/sites')
      git('.', 'init', '--quiet', '--template=', '--initial-branch=main', '.')
      git('.', 'add', '--all')
      git('.', 'commit', '--quiet', '-m', 'sites')
    })

    test('does not read the work tree, and stores paths in the commit', async () => {
      await writeManifests('inner/sites', ['d'])
      await writeFile('inner/sites/a.yaml', 'broken')
      process.chdir('inner')
      const { exitCode, err } = await office.ask('submit sites --from-git main --yes', {
        environment: gitEnvironment,
      })
      expect([exitCode, err]).toEqual([0, expect.stringContaining('is on no known remote branch: push it')])
      const commit = git('.', 'rev-parse', 'HEAD')
      expect((await office.store.runs()).map(run => [run.name, run.manifest, run.commit])).toEqual(
        ['a', 'b', 'c'].map(name => [name, `inner/sites/${name}.yaml`, commit]),
      )
    })

    test('adds the sites of a new commit whose manifest, base or file changed, and every site with --all', async () => {
      await mkdir('inner/sites/licenses')
      await writeFile('inner/sites/licenses/site.json', '{}')
      await writeFile(
        'inner/sites/c.yaml',
        (await text('inner/sites/c.yaml')).replace('licenses/site.json', 'licenses/c.json'),
      )
      const commit = (message: string) => {
        git('.', 'add', '--all')
        git('.', 'commit', '--quiet', '-m', message)
      }
      commit('licenses')
      const ask = (more = '') =>
        office.ask(`submit inner --from-git main --yes ${more}`, { environment: gitEnvironment })
      const added = async () =>
        (await office.store.runs({ states: ['waiting'] })).map(({ name }) => name).toSorted()
      const end = () => office.sql(`update landform.run set state = 'done', ended_at = now()`)
      await ask()
      expect(await added()).toEqual(['a', 'b', 'c'])
      await end()

      await writeFile('inner/sites/a.yaml', `${await text('inner/sites/a.yaml')}# reviewed\n`)
      await writeFile('inner/sites/licenses/c.json', '{"renewed": true}')
      commit('a manifest and a license')
      expect((await ask()).out).toContain('3 sites, 1 unchanged.')
      expect(await added()).toEqual(['a', 'c'])
      await end()
      await office.sql(`update landform.run set state = 'failed' where name = 'a' and generation = 2`)

      await writeFile('README.md', 'Sites')
      commit('no site')
      // A site whose run did not succeed is submitted again.
      await ask()
      expect(await added()).toEqual(['a'])
      await end()
      expect((await ask()).out).toContain('Nothing was submitted: no site changed since its newest run.')
      await ask('--all')
      expect(await added()).toEqual(['a', 'b', 'c'])
    })

    test('shows mistakes with the names of the files in git', async () => {
      await writeFile('inner/sites/a.yaml', 'kind: SiteDeployment\n')
      git('.', 'commit', '--quiet', '--all', '-m', 'broken')
      const { exitCode, err } = await office.ask('submit inner --from-git main --yes', {
        environment: gitEnvironment,
      })
      expect(exitCode).toBe(65)
      expect(err).toMatch(/^main:inner\/sites\/a\.yaml:1:1 /m)
    })

    test.each([
      ['submit inner --from-git nowhere', 66, 'it names no commit of this repository'],
      ['submit ../inner --from-git main', 64, 'paths in the commit'],
    ])('%s ends with %i', async (line, code, words) => {
      const { exitCode, err } = await office.ask(line, { environment: gitEnvironment })
      expect([exitCode, err]).toEqual([code, expect.stringContaining(words)])
    })
  })

  test('--from-git outside of a repository is an error', async () => {
    const { exitCode, err } = await office.ask('submit sites --from-git main', {
      environment: gitEnvironment,
    })
    expect([exitCode, err]).toEqual([66, expect.stringContaining('is not in a git repository')])
  })
})

const text = (file: string) => readFile(file, 'utf8')
