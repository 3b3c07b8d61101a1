import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { exampleFacts } from '../../../src/ci/ci-facts.js'
import { buildCiFile } from '../../../src/ci/ci-file.js'
import { gitlabComponent, gitlabPipeline } from '../../../src/ci/gitlab.js'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { fakeReview } from '../../support/fake-review.js'
import { hasGit } from '../../support/git-repositories.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { nightlyUpgrade, sitesInGit } from '../../support/sites-in-git.js'
import { describeWhere } from '../../support/test-where.js'
import { expandComponent, gitlabRunner, jobsOf, whenRuns } from './gitlab-runner.js'

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

const pipelineOf = (changes: Partial<typeof exampleFacts> = {}) =>
  buildCiFile(gitlabPipeline, [{ ...exampleFacts, ...changes }])

test.each([
  ['the pipeline of init', '', pipelineOf()],
  ['the component', '-production', expandComponent(gitlabComponent(), { origin })],
])('%s runs each job in the right pipelines', (_, suffix, pipeline) => {
  const jobs = jobsOf(pipeline)
  const due = (variables: Readonly<Record<string, string>>, changed?: readonly string[]) =>
    Object.entries(jobs).flatMap(([name, job]) => {
      const when = whenRuns(job, variables, changed)
      return when === 'never' ? [] : [`${name.replace(suffix, '').replace(': [production]', '')} ${when}`]
    })
  expect(due(fork)).toEqual(['validate on_success'])
  expect(due(requested)).toEqual(['validate on_success', 'plan on_success'])
  expect(due(pushed)).toEqual(['validate on_success', 'plan on_success', 'apply manual'])
  expect(due(scheduled)).toEqual(['validate on_success', 'resume on_success', 'drift on_success'])
  expect(due({ ...pushed, CI_COMMIT_BRANCH: 'topic' })).toEqual([])
  // Without any job the merge request would be blocked, so the plan job runs, but makes no plan.
  expect(due(requested, ['README.md'])).toEqual(['validate on_success', 'plan on_success'])
  expect(due(pushed, ['README.md'])).toEqual(['validate on_success'])
  for (const file of [
    'base.yaml',
    'licenses/server.ecp',
    'landform.policy.yml',
    'package-lock.json',
    'ca.pem',
  ])
    expect(due(pushed, [file])).toEqual(due(pushed))
  expect(jobs[`apply${suffix}: [production]`]).toMatchObject({
    resource_group: 'landform-production',
    interruptible: false,
    environment: { name: 'production' },
    timeout: '3h 40m',
  })
  for (const job of Object.values(jobs)) for (const need of job.needs ?? []) expect(jobs).toHaveProperty(need)
})

describe('the component', () => {
  test('has no keyword that would change the pipeline around it, and can be included twice', () => {
    const one = expandComponent(gitlabComponent(), { origin }) as object
    const other = expandComponent(gitlabComponent(), { origin, environment: 'test' }) as object
    expect(Object.keys({ ...one, ...other })).toHaveLength(2 * Object.keys(one).length)
    for (const name of Object.keys(one)) expect(name).toMatch(/^\.?[a-z]+-production$/)
  })

  test('passes its inputs to the jobs', () => {
    const inputs = { origin, tags: ['gis'], apply: 'on_success', 'apply-stage': 'last', timeout: '5h' }
    const jobs = jobsOf(expandComponent(gitlabComponent(), { ...inputs, manifest: 'site.yaml;x' }))
    expect(jobs['apply-production: [production]']).toMatchObject({
      tags: ['gis'],
      stage: 'last',
      timeout: '5h',
    })
    expect([pushed, scheduled].map(one => whenRuns(jobs['apply-production: [production]'], one))).toEqual([
      'on_success',
      'never',
    ])
    expect(JSON.stringify(Object.values(jobs).map(({ script }) => script))).not.toContain(';x')
  })

  test.each([
    [{}, 'the input origin is missing'],
    [{ origin: 'gis.example.org' }, 'the input origin does not fit'],
    [{ origin, manifest: 'a site.yaml' }, 'the input manifest does not fit'],
    [{ origin, apply: 'always' }, 'the input apply is none of its options'],
    [{ origin, tags: 'gis' }, 'the input tags is no array'],
  ])('rejects the inputs %j', (inputs, words) => {
    expect(() => expandComponent(gitlabComponent(), inputs)).toThrow(words)
  })

  test('is shown on the page about GitLab with inputs that exist', () => {
    const page = readFileSync(join(root, 'docs/how-to/gitlab.md'), 'utf8')
    const [text = ''] = /(?<=```yaml\n)include:[\s\S]*?(?=```)/.exec(page) ?? []
    const { include } = parse(text)
    expect(include).toHaveLength(2)
    for (const { component, inputs } of include) {
      expect(component).toMatch(/\/OWNER\/landform\/landform@v\d+\.\d+\.\d+$/)
      expandComponent(gitlabComponent(), inputs)
    }
  })
})

const story = describeWhere(hasGit && (await runsHere(['bash', '--version'])), 'git and bash')

/** Lists the variables that a pipeline names below one of its comments. */
const namedIn = (text: string, comment: RegExp) => {
  const [, names = ''] = new RegExp(`^# ${comment.source}.*\\n((?:#   .*\\n)*)`, 'm').exec(text) ?? []
  return Object.fromEntries([...names.matchAll(/LANDFORM_\w+/g)].map(([name]) => [name, `Secret1-${name}`]))
}

/** Returns exactly those variables: some for every job, the others for jobs of an environment. */
const secretsOf = (text: string) => (environment: string | undefined) => ({
  ...namedIn(text, /Every job/),
  ...(environment !== undefined && namedIn(text, /Only apply/)),
})

/** Creates a repository with the pipeline that `init` writes, and sites that require a token once they are configured. */
async function remoteWithSites(names: readonly string[], options: EmulatorOptions = {}) {
  const sites = await sitesInGit('gitlab', names, { ...options, fidelity: 'field' })
  return { ...sites, secrets: secretsOf(sites.text) }
}

story('the jobs', () => {
  test('plan two sites, apply only the plans of their pipeline, start nothing on a schedule, and compare', async () => {
    const { bare, text, secrets, edit, configured } = await remoteWithSites(['test', 'production'])
    expect(Object.keys(secrets(undefined))).toEqual([
      'LANDFORM_ADMIN_PASSWORD',
      'LANDFORM_PRODUCTION_ADMIN_PASSWORD',
    ])
    const pipeline = await gitlabRunner(text, bare)
    const review = await pipeline(requested, secrets)
    const planned = await review.run('plan')
    expect([planned.code, planned.log]).toEqual([0, expect.stringContaining('2 sites: 2 with changes')])
    expect(JSON.parse(review.kept('plan', 'plans/test.counts.json'))).toEqual({
      create: 1,
      update: 0,
      delete: 0,
    })
    expect(review.kept('plan', 'plans/production.html')).toMatch(/^<!doctype html>/i)
    // Without a token for the API no comment is written.
    expect(planned.after).toBe('')

    // Two rounds with each job twice: the first creates both sites, the second changes one.
    const names = ['test', 'production']
    for (const round of [1, 2]) {
      const merged = await pipeline(pushed, secrets)
      expect((await merged.run('validate')).code).toBe(0)
      expect((await merged.run('plan')).code).toBe(0)
      for (const name of names) {
        const applied = await merged.run(`apply: [${name}]`)
        expect([name, applied.code, applied.log]).toEqual([name, 0, expect.stringContaining('ready')])
        expect([name, (await merged.run(`apply: [${name}]`)).code]).toEqual([name, 0])
      }
      const night = await pipeline(scheduled, secrets)
      for (const name of names) {
        const resumed = await night.run(`resume: [${name}]`)
        expect([resumed.code, resumed.log]).toEqual([0, expect.stringContaining('Nothing is in progress.')])
        expect([name, (await night.run(`drift: [${name}]`)).code]).toEqual([name, 0])
      }
      if (round === 1) edit('test', ...nightlyUpgrade)
    }
    expect(configured()).toEqual([1, 1])
    edit('test', 'key: nightly', 'key: weekly')
    const night = await pipeline(scheduled, secrets)
    expect((await night.run('drift: [test]')).code).toBe(2)
    expect(night.kept('drift: [test]', 'drift.md')).toContain('weekly')
    expect((await night.run('drift: [production]')).code).toBe(0)
  })

  test('keep one comment in the merge request, mark it as outdated, and write none if no file changed', async () => {
    const { bare, text, secrets, edit } = await remoteWithSites(['test', 'production'])
    const { environment, bodies, token } = await fakeReview('GitLab')
    const { GITLAB_TOKEN = '', ...variables } = environment
    const pipeline = await gitlabRunner(text, bare)
    const withToken = (of: string | undefined) => ({ ...secrets(of), GITLAB_TOKEN })
    const play = async (changed: string) => {
      const { run: runJob } = await pipeline({ ...requested, ...variables }, withToken, [changed])
      const { code, log, after } = await runJob('plan')
      expect(log + after).not.toContain(token)
      return [code, /^Comment (?:not )?\w+ in acme\/sites!7: envs$/m.exec(after)?.[0].split(' in ')[0]]
    }
    for (const _ of [1, 2]) expect(await play('README.md')).toEqual([0, 'Comment not needed'])
    expect(bodies()).toEqual([])
    expect(await play('site.yaml')).toEqual([0, 'Comment created'])
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 2 with changes')])
    edit('test', '  name: test\n', '  name: test\n  nam: test\n')
    expect(await play('site.yaml')).toEqual([65, 'Comment updated'])
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 1 with changes, 1 without a plan')])
    expect(await play('README.md')).toEqual([0, 'Comment updated'])
    expect(bodies()).toEqual([expect.stringContaining('### No changes to `envs`')])
    // This branch has no merge request.
    const merged = await (
      await pipeline(pushed, of => ({ ...withToken(of), ...variables, CI_MERGE_REQUEST_IID: '' }))
    ).run('plan')
    expect([merged.code, merged.after]).toEqual([65, 'No comment: this job has no merge request.\n'])
  })

  test('resume a configuration on a schedule', async () => {
    const { bare, text, secrets, passDayAfter, configured } = await remoteWithSites(['production'], {
      stageMs: 600_000,
    })
    const detached = text.replace('--yes --progress', '--detach --yes --progress')
    const merged = await (await gitlabRunner(detached, bare))(pushed, secrets)
    await merged.run('plan')
    expect((await merged.run('apply: [production]')).code).toBe(3)
    const night = await (await gitlabRunner(text, bare))(scheduled, secrets)
    expect((await night.run('drift: [production]')).code).toBe(3)
    // The configuration ends after the first polls.
    passDayAfter(12)
    const resumed = await night.run('resume: [production]')
    expect([resumed.code, resumed.log]).toEqual([0, expect.stringContaining('ready')])
    expect(configured()).toEqual([1])
  })

  test('of the component plan, apply and compare their site', async () => {
    const { bare, secrets, origin } = await remoteWithSites(['production'])
    const inputs = { origin, manifest: 'envs/production/site.yaml' }
    const pipeline = await gitlabRunner(expandComponent(gitlabComponent(), inputs), bare)
    const merged = await pipeline(pushed, secrets)
    expect((await merged.run('plan-production')).code).toBe(0)
    expect((await merged.run('apply-production: [production]')).code).toBe(0)
    const night = await pipeline(scheduled, secrets)
    expect((await night.run('resume-production: [production]')).code).toBe(0)
    expect((await night.run('drift-production: [production]')).code).toBe(0)
  })

  test('report mistakes in the formats that GitLab reads', async () => {
    const { bare, text, edit } = await remoteWithSites(['production'])
    edit('production', 'size: 30Gi', 'size: 30Gib')
    edit('production', 'userType:', 'usrType:')
    const pipeline = await gitlabRunner(text, bare)
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
        location: { path: 'envs/production/site.yaml', lines: { begin: expect.any(Number) } },
      })
    const fingerprints = findings.map(finding => (finding as { readonly fingerprint: string }).fingerprint)
    expect(new Set(fingerprints).size).toBe(findings.length)
  })
})
