import { azurePipeline } from '../../../src/ci/azure-pipeline.js'
import { exampleFacts } from '../../../src/ci/ci-facts.js'
import { buildCiFile } from '../../../src/ci/ci-file.js'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { bareRepository, hasGit } from '../../support/git-repositories.js'
import { runsHere } from '../../support/program.js'
import { nightlyUpgrade, sitesInGit } from '../../support/sites-in-git.js'
import { describeWhere } from '../../support/test-where.js'
import { azureRunner, expandPipeline } from './azure-runner.js'

const main = { 'Build.SourceBranch': 'refs/heads/main' }
const pushed = { ...main, 'Build.Reason': 'IndividualCI' }
const scheduled = { ...main, 'Build.Reason': 'Schedule' }
const requested = { 'Build.SourceBranch': 'refs/pull/7/merge', 'Build.Reason': 'PullRequest' }
const fork = { ...requested, 'System.PullRequest.IsFork': 'True' }

const pipelineOf = (...sites: readonly Partial<typeof exampleFacts>[]) =>
  buildCiFile(
    azurePipeline,
    sites.map(changes => ({ ...exampleFacts, ...changes })),
  )

test('each site has its own stage, which its environment approves', () => {
  const { stages } = expandPipeline(pipelineOf({}, { name: 'eu.test-1', manifest: 'test.yaml' }))
  const applies = stages.filter(({ stage }) => stage.startsWith('apply_'))
  expect(applies).toMatchObject([
    { stage: 'apply_production', dependsOn: 'plan', jobs: [{ environment: 'production' }] },
    {
      stage: 'apply_eu__test_1',
      dependsOn: 'plan',
      jobs: [{ environment: 'eu.test-1', timeoutInMinutes: 220 }],
    },
  ])
  for (const { stage } of stages) expect(stage).toMatch(/^[A-Za-z_]\w*$/)
})

test('no answer of a manifest is evaluated as an expression', () => {
  const row = { manifest: `\${{ variables.A }}.yaml`, origin: `https://\${{ variables.A }}.example.org` }
  expect(expandPipeline(pipelineOf(row)).variables['SITES']).toBe(`production ${row.manifest} ${row.origin}`)
})

const story = describeWhere(hasGit && (await runsHere(['bash', '--version'])), 'git and bash')

/** Creates a repository with the pipeline that `init` writes, and sites that require a token once they are configured. */
async function remoteWithSites(names: readonly string[], options: EmulatorOptions = {}) {
  const sites = await sitesInGit('azure', names, { ...options, fidelity: 'field' })
  const mapped = [...sites.text.matchAll(/: \$\((LANDFORM_\w+)\)/g)].map(([, name = '']) => name)
  return { ...sites, secrets: Object.fromEntries(mapped.map(name => [name, `Secret1-${name}`])) }
}

story('the stages', () => {
  test('plan two sites, apply only the plans of their run, start nothing on a schedule, and compare', async () => {
    const { bare, text, secrets, edit, configured } = await remoteWithSites(['test', 'production'])
    expect(Object.keys(secrets)).toEqual([
      'LANDFORM_ADMIN_PASSWORD',
      'LANDFORM_PRODUCTION_ADMIN_PASSWORD',
      'LANDFORM_SECURITY_ANSWER',
    ])
    const pipeline = await azureRunner(text, bare)
    const review = await pipeline(requested, secrets)
    expect(review.results).toEqual({ check: 'Succeeded', plan: 'Succeeded' })
    expect(review.end('plan')?.summary).toContain('2 sites: 2 with changes')
    expect(review.keeps('plans/test.html')).toBe(true)
    expect((await pipeline(fork)).results).toEqual({ check: 'Succeeded' })
    const [check, plan] = ['Succeeded', 'Succeeded']
    // A scheduled run sends nothing to a site that is not being configured. Without a record there is no drift.
    const night = await pipeline(scheduled, secrets)
    expect(night.results).toMatchObject({ check, plan })
    expect(configured()).toEqual([0, 0])

    // Two rounds: the first creates both sites, the second changes one.
    const both = { apply_test: 'Succeeded', apply_production: 'Succeeded' }
    const first = await pipeline(pushed, secrets)
    expect(first.results).toEqual({ check, plan, ...both })
    for (const stage of Object.keys(both))
      expect([stage, (await first.again(stage)).code]).toEqual([stage, 0])
    edit('test', ...nightlyUpgrade)
    expect((await pipeline(pushed, secrets)).results).toEqual({ check, plan, apply_test: 'Succeeded' })
    expect((await pipeline(pushed, secrets)).results).toEqual({ check, plan })
    expect(configured()).toEqual([1, 1])

    expect((await pipeline(scheduled, secrets)).results).toEqual({ check, plan, drift: 'Succeeded' })
    edit('test', 'key: nightly', 'key: weekly')
    const differing = await pipeline(scheduled, secrets)
    expect(differing.results).toEqual({ check, plan, drift: 'Failed' })
    expect([differing.end('drift')?.code, differing.end('drift')?.summary]).toEqual([
      2,
      expect.stringContaining('weekly'),
    ])
  })

  test('resume a configuration in a scheduled run', async () => {
    const { bare, text, secrets, passDayAfter, configured } = await remoteWithSites(['production'], {
      stageMs: 600_000,
    })
    const detached = text.replace('--yes --progress', '--detach --yes --progress')
    const merged = await (await azureRunner(detached, bare))(pushed, secrets)
    expect(merged.end('apply_production')?.code).toBe(3)
    // The configuration ends once the scheduled run has planned and polled the site.
    passDayAfter(12)
    const night = await (await azureRunner(text, bare))(scheduled, secrets)
    expect(night.end('apply_production')?.log).toContain('ready')
    expect(night.results).toMatchObject({ plan: 'Succeeded', apply_production: 'Succeeded' })
    expect(configured()).toEqual([1])
  })

  test('name a missing variable, whose mapping is not taken for a value', async () => {
    const { bare, text, secrets, configured } = await remoteWithSites(['production'])
    const { LANDFORM_SECURITY_ANSWER: _, ...others } = secrets
    const pipeline = await azureRunner(text, bare)
    const { results, end } = await pipeline(pushed, others)
    expect(Object.values(results)).toContain('Failed')
    expect(`${end('plan')?.log}${end('apply_production')?.log}`).toContain('LANDFORM_SECURITY_ANSWER')
    expect(configured()).toEqual([0])
  })

  test('for an invalid manifest end with the check', async () => {
    const { bare, text, edit } = await remoteWithSites(['production'])
    edit('production', 'userType:', 'usrType:')
    const { results, end } = await (await azureRunner(text, bare))(fork)
    expect([results, end('check')?.code]).toEqual([{ check: 'Failed' }, 65])
  })

  test('with state in Azure get the identity of the service connection and the token of the job', async () => {
    const bare = await bareRepository()
    const text = pipelineOf({ azureState: true }).replace(
      / {4}landform plan [\s\S]*? \|\| code=\$\?/,
      '    mkdir plans; env | grep -E "^(AZURESUBSCRIPTION|SYSTEM_ACCESS)"; exit 0',
    )
    const connection = {
      AZURESUBSCRIPTION_SERVICE_CONNECTION_ID: 'the-connection',
      AZURESUBSCRIPTION_CLIENT_ID: 'the-client',
      AZURESUBSCRIPTION_TENANT_ID: 'the-tenant',
    }
    const tasks = expandPipeline(text).stages.flatMap(({ jobs: [{ steps, strategy }] }) =>
      (steps ?? strategy?.runOnce.deploy.steps ?? []).filter(({ task }) => task === 'AzureCLI@2'),
    )
    // The tasks that plan, apply and compare.
    expect(tasks).toHaveLength(3)
    for (const { inputs } of tasks) expect(inputs).toMatchObject({ azureSubscription: 'landform-state' })
    const { stages } = expandPipeline(text)
    expect(JSON.stringify(stages.slice(0, 1))).not.toContain('ACCESSTOKEN')
    const planned =
      text.slice(0, text.indexOf('  - stage: check')) + text.slice(text.indexOf('  - stage: plan'))
    const { end } = await (await azureRunner(planned, bare, connection))(requested, {
      'System.AccessToken': 'job',
    })
    for (const [name, value] of Object.entries({ ...connection, SYSTEM_ACCESSTOKEN: 'job' }))
      expect(end('plan')?.log).toContain(`\n${name}=${value}\n`)
  })
})
