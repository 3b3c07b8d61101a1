import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { exampleFacts } from '../../../src/ci/ci-facts.js'
import { gitlabComponent, gitlabPipeline } from '../../../src/ci/gitlab.js'
import { run } from '../../../src/cli/run.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { fakeHost } from '../../support/fake-host.js'
import { fakeReview } from '../../support/fake-review.js'
import { bareRepository, checkout, git, hasGit } from '../../support/git-repositories.js'
import { expandComponent, gitlabRunner, jobsOf, whenRuns } from '../../support/gitlab-runner.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

const open: Emulator[] = []
const reviews: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all([...open.splice(0).map(one => one.close()), ...reviews.splice(0).map(close => close())])
  await removeTemporaryFolders()
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const origin = 'https://gis.example.org'
const branch = { CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' }
const pushed = { ...branch, CI_PIPELINE_SOURCE: 'push' }
const scheduled = { ...branch, CI_PIPELINE_SOURCE: 'schedule' }
const requested = {
  CI_DEFAULT_BRANCH: 'main',
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_MERGE_REQUEST_PROJECT_ID: '1',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1',
}
const fork = { ...requested, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2' }

test('the example is what init writes, and the component is what its function makes', async () => {
  const folder = await temporaryFolder()
  const answers = ['--name', exampleFacts.name, '--url', `${origin}/arcgis/admin`, '--email', 'a@example.org']
  await run(['init', join(folder, 'site.yaml'), ...answers, '--ci', 'gitlab'], fakeHost())
  expect(read('examples/ci/gitlab.yml')).toBe(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'))
  expect(read('templates/landform.yml')).toBe(gitlabComponent())
})

test.each([
  ['the pipeline that init writes', '', gitlabPipeline(exampleFacts)],
  ['the component', '-production', expandComponent(gitlabComponent(), { origin })],
])('%s runs each job where it belongs', (_, suffix, pipeline) => {
  const jobs = jobsOf(pipeline)
  const due = (variables: Readonly<Record<string, string>>) =>
    Object.entries(jobs).flatMap(([name, job]) => {
      const when = whenRuns(job, variables)
      return when === 'never' ? [] : [`${name.replace(suffix, '')} ${when}`]
    })
  expect(due(fork)).toEqual(['validate on_success'])
  expect(due(requested)).toEqual(['validate on_success', 'plan on_success'])
  expect(due(pushed)).toEqual(['validate on_success', 'plan on_success', 'apply manual'])
  expect(due(scheduled)).toEqual(['validate on_success', 'resume on_success', 'drift on_success'])
  expect(due({ ...pushed, CI_COMMIT_BRANCH: 'topic' })).toEqual([])
  expect(jobs[`apply${suffix}`]).toMatchObject({
    resource_group: 'landform-production',
    interruptible: false,
    environment: { name: 'production' },
    timeout: '3h 40m',
  })
  for (const job of Object.values(jobs)) for (const need of job.needs ?? []) expect(jobs).toHaveProperty(need)
})

describe('the component', () => {
  test('has no keyword that would change the pipeline around it, and two of it stand side by side', () => {
    const one = expandComponent(gitlabComponent(), { origin }) as object
    const other = expandComponent(gitlabComponent(), { origin, environment: 'test' }) as object
    expect(Object.keys({ ...one, ...other })).toHaveLength(2 * Object.keys(one).length)
    for (const name of Object.keys(one)) expect(name).toMatch(/^\.?[a-z]+-production$/)
  })

  test('takes its inputs to where they belong', () => {
    const inputs = { origin, tags: ['gis'], apply: 'on_success', 'apply-stage': 'last', timeout: '5h' }
    const jobs = jobsOf(expandComponent(gitlabComponent(), { ...inputs, manifest: 'site.yaml; x' }))
    expect(jobs['apply-production']).toMatchObject({ tags: ['gis'], stage: 'last', timeout: '5h' })
    expect([pushed, scheduled].map(one => whenRuns(jobs['apply-production'], one))).toEqual([
      'on_success',
      'never',
    ])
    expect(JSON.stringify(Object.values(jobs).map(({ script }) => script))).not.toContain('; x')
  })

  test.each([
    [{}, 'the input origin is missing'],
    [{ origin: 'gis.example.org' }, 'the input origin does not fit'],
    [{ origin, apply: 'always' }, 'the input apply is none of its options'],
    [{ origin, tags: 'gis' }, 'the input tags is no array'],
  ])('refuses the inputs %j', (inputs, words) => {
    expect(() => expandComponent(gitlabComponent(), inputs)).toThrow(words)
  })

  test('is named on the page about GitLab with inputs that it has', () => {
    const [text = ''] = /(?<=```yaml\n)include:[\s\S]*?(?=```)/.exec(read('docs/how-to/gitlab.md')) ?? []
    const { include } = parse(text)
    expect(include).toHaveLength(2)
    for (const { component, inputs } of include) {
      expect(component).toMatch(/\/OWNER\/landform\/landform@v\d+\.\d+\.\d+$/)
      expandComponent(gitlabComponent(), inputs)
    }
  })
})

const hasPrograms = hasGit && (await runsHere(['bash', '--version']))
if (!hasPrograms) process.stderr.write('SKIPPED: the jobs of the pipeline need git and bash\n')
const story = hasPrograms ? describe : describe.skip

const variables = ['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER', 'LANDFORM_TOKEN']
const secrets = Object.fromEntries(variables.map(one => [one, `Secret1-${one}`]))

async function remoteWithSite(
  clock: { readonly stageMs: number; readonly now?: () => number } = { stageMs: 5 },
) {
  const emulator = await startEmulator(clock)
  open.push(emulator)
  const bare = await bareRepository()
  const folder = await checkout(bare)
  const manifest = read('examples/quickstart.yaml')
    .replace(/https:.*admin/, emulator.url)
    .replace('\nspec:\n', '\nspec:\n  state: git:origin\n')
  const commit = (text: string) => {
    writeFileSync(join(folder, 'site.yaml'), text)
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message=site')
    git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
  }
  writeFileSync(join(folder, 'site.json'), read('examples/licenses/site.json'))
  commit(manifest.replace('licenses/', ''))
  return {
    bare,
    commit,
    manifest: manifest.replace('licenses/', ''),
    origin: new URL(emulator.url).origin,
  }
}

story('the jobs', () => {
  test('show the plan in a merge request, apply just the plan of their pipeline, and begin nothing at night', async () => {
    const site = await remoteWithSite()
    const component = expandComponent(gitlabComponent(), { origin: site.origin })
    const pipeline = await gitlabRunner(component, site.bare)

    const review = await pipeline(requested)
    const planned = await review.run('plan-production')
    expect([planned.code, planned.log]).toEqual([0, expect.stringContaining('configure')])
    expect(JSON.parse(review.kept('plan-production', 'counts.json'))).toEqual({
      create: 1,
      update: 1,
      delete: 0,
    })
    expect(review.kept('plan-production', 'plan.html')).toMatch(/^<!doctype html>/i)
    // Without a token for the API there is no comment.
    expect(planned.after).toBe('')

    const merged = await pipeline(pushed, secrets)
    await merged.run('plan-production')
    const applied = await merged.run('apply-production')
    expect([applied.code, applied.log]).toEqual([0, expect.stringContaining('ready')])
    expect(applied.log).toContain('section_start')
    const repeated = await merged.run('apply-production')
    expect([repeated.code, repeated.log]).toEqual([
      0,
      expect.stringContaining('no change: the site is already'),
    ])

    const night = await pipeline(scheduled, secrets)
    const resumed = await night.run('resume-production')
    expect([resumed.code, resumed.log]).toEqual([0, expect.stringContaining('Nothing is in progress.')])
  }, 120_000)

  test('keep one comment in the merge request, and mark it as outdated where a later plan fails', async () => {
    const site = await remoteWithSite()
    const { environment, bodies, token, close } = await fakeReview('GitLab')
    reviews.push(close)
    const { GITLAB_TOKEN = '', ...variables } = environment
    const component = expandComponent(gitlabComponent(), { origin: site.origin })
    const pipeline = await gitlabRunner(component, site.bare)
    const play = async () =>
      (await pipeline({ ...requested, ...variables }, { GITLAB_TOKEN })).run('plan-production')
    const planned = await play()
    expect([planned.code, planned.after]).toEqual([
      0,
      expect.stringMatching(/^Comment created in acme\/sites!7: site\.yaml\n$/),
    ])
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `quickstart`')])
    site.commit(site.manifest.replace('size: 30Gi', 'size: 30Gib'))
    const failed = await play()
    expect([failed.code, failed.after]).toEqual([65, expect.stringContaining('Comment updated')])
    expect(bodies()).toEqual([expect.stringContaining('### No plan for `site.yaml`')])
    for (const { log, after } of [planned, failed]) expect(log + after).not.toContain(token)
    // The branch has no merge request.
    const merged = await (
      await pipeline(pushed, { ...variables, CI_MERGE_REQUEST_IID: '', GITLAB_TOKEN })
    ).run('plan-production')
    expect([merged.code, merged.after]).toEqual([65, 'No comment: this job has no merge request.\n'])
  }, 120_000)

  test('take up at night what is under way, and fail where the site differs', async () => {
    // Its hours are over once so many requests have come: those of the plan, of the apply, and of its first looks.
    let mostRequests = Number.POSITIVE_INFINITY
    const seen = () => open[0]?.requests.length ?? 0
    const now = () => Date.now() + (seen() > mostRequests ? 86_400_000 : 0)
    const site = await remoteWithSite({ stageMs: 600_000, now })
    const facts = { ...exampleFacts, origin: site.origin }
    const pipeline = await gitlabRunner(gitlabPipeline(facts), site.bare)
    const detached = gitlabPipeline(facts).replace('--yes --progress', '--detach --yes --progress')
    const merged = await (await gitlabRunner(detached, site.bare))(pushed, secrets)
    await merged.run('plan')
    expect((await merged.run('apply')).code).toBe(3)
    const night = await pipeline(scheduled, secrets)
    mostRequests = seen() + 10
    const resumed = await night.run('resume')
    expect([resumed.code, resumed.log]).toEqual([0, expect.stringContaining('ready')])
    site.commit(site.manifest.replace(/30Gi/, '60Gi'))
    const { code, log } = await night.run('drift')
    expect([code, log]).toEqual([2, expect.stringContaining('60Gi')])
    expect(night.kept('drift', 'drift.md')).toContain('60Gi')
  }, 120_000)

  test('of a bad manifest says what is wrong as the reports that GitLab reads', async () => {
    const site = await remoteWithSite()
    site.commit(site.manifest.replace(/^ +RELATIONAL_PRIMARY:.*\n/m, '').replace('size: 30Gi', 'size: 30Gib'))
    const pipeline = await gitlabRunner(gitlabPipeline(exampleFacts), site.bare)
    const review = await pipeline(fork)
    expect((await review.run('validate')).code).toBe(65)
    const findings: readonly unknown[] = JSON.parse(review.kept('validate', 'landform.json'))
    expect(findings.length).toBeGreaterThan(0)
    for (const finding of findings)
      expect(finding).toMatchObject({
        description: expect.any(String),
        check_name: expect.any(String),
        fingerprint: expect.stringMatching(/^[0-9a-f]{32,}$/),
        severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/),
        location: { path: 'site.yaml', lines: { begin: expect.any(Number) } },
      })
    const fingerprints = findings.map(finding => (finding as { readonly fingerprint: string }).fingerprint)
    expect(new Set(fingerprints).size).toBe(findings.length)
  })
})
