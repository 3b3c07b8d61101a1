import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { actionStep, releaseOf } from '../../support/action-step.js'
import { anEmulator } from '../../support/emulator.js'
import { fakeReview, type Refusal } from '../../support/fake-review.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

test('action.yml passes every input as a variable, none in a script, and the token only to the comment', () => {
  const steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[] =
    action.runs.steps
  expect(steps.map(({ run }) => run).join('')).not.toContain('${{')
  const used = steps.flatMap(({ env }) => Object.values(env))
  for (const name of Object.keys(action.inputs))
    expect([name, used.includes(`\${{ inputs.${name} }}`)]).toEqual([name, name !== 'working-directory'])
  expect(steps.map(({ env }) => Object.values(env).includes(`\${{ inputs.token }}`))).toEqual([false, true])
})

const hasPrograms = (await runsHere(['bash', '--version'])) && (await runsHere(['xargs', '--version']))
const played = describeWhere(hasPrograms, 'bash and xargs')

/** A program that prints only its arguments. */
const printing = 'console.log(JSON.stringify(process.argv.slice(2)))'

played('a step', () => {
  test('that validates annotates mistakes and fails with the exit code of the program', async () => {
    const { exitCode, log, outputs } = await actionStep({
      command: 'validate',
      files: 'test/invalid/site/url.yaml\nexamples/quickstart.yaml',
    })
    expect([exitCode, outputs]).toEqual([65, { exitcode: '65' }])
    expect(log).toContain('::error file=test/invalid/site/url.yaml,line=')
  })

  test('that plans sets the outputs of action.yml, and writes the summary', async () => {
    const { exitCode, log, outputs, summary } = await actionStep({
      command: 'plan',
      files: 'quickstart.yaml',
      'working-directory': 'examples',
      args: '--emulate --detailed-exitcode',
      'succeed-on': '2, 3',
    })
    expect(exitCode).toBe(0)
    expect(outputs).toEqual({
      exitcode: '2',
      changes: 'true',
      blocked: 'false',
      create: '1',
      update: '1',
      resume: '0',
      'no-op': '0',
      'plan-id': expect.stringMatching(/^sha256:/),
    })
    expect(summary).toContain('### Plan for `quickstart`')
    expect(log).toContain('Plan: 1 to create')
    expect(Object.keys(action.outputs).sort()).toEqual(Object.keys(outputs).sort())
  })

  test.each([
    [{ command: 'destroy' }, 'the input command must be one of validate, plan, apply, drift, test'],
    [{ command: 'plan', args: "--out 'a b" }, 'the input args has an unterminated quote'],
    [{ command: 'drift', plan: 'plan.json' }, 'the input plan is allowed with plan and apply'],
    [{ command: 'apply', plan: 'plan.json', files: 'site.yaml' }, 'the plan names its manifest'],
    [{ command: 'plan', comment: 'yes' }, 'the input comment must be true or false'],
    [{ command: 'drift', comment: 'true' }, 'the input comment is allowed with plan'],
    [{ command: 'plan', 'succeed-on': 'all' }, 'must be a list of exit codes'],
  ])('with inputs that are not fully understood runs nothing: %j', async (inputs, words) => {
    const release = await releaseOf('console.log("ran")')
    const { exitCode, log, outputs } = await actionStep(inputs, { release })
    expect([exitCode, outputs, log]).toEqual([64, { exitcode: '64' }, expect.stringContaining(words)])
    expect(log).not.toContain('ran')
  })

  test('without the program names the remedy', async () => {
    const release = await releaseOf('')
    rmSync(join(release, 'dist'), { recursive: true })
    const { exitCode, log } = await actionStep({ command: 'plan', files: 'site.yaml' }, { release })
    expect([exitCode, log]).toEqual([70, expect.stringContaining('use the tag of a release')])
  })

  test('passes arguments unchanged, adds --yes to an apply, and passes on no token', async () => {
    const release = await releaseOf(
      'console.log(JSON.stringify([process.argv.slice(2), Object.values(process.env).filter(v => v === "ghs_secret")]))',
    )
    const workspace = await temporaryFolder()
    const args = `--events 'a;b $(id)'\n--state "git:origin"  --timeout 1\\ h *`
    const inputs = { command: 'apply', plan: 'my plan.json', args, token: 'ghs_secret' }
    const { log } = await actionStep(inputs, { release, workspace })
    const words = ['--events', 'a;b $(id)', '--state', 'git:origin', '--timeout', '1 h', '*']
    expect(JSON.parse(log)).toEqual([['apply', ...words, '--yes', '--', 'my plan.json'], []])
  })

  test('accepts --yes in args as well', async () => {
    const release = await releaseOf(printing)
    const { exitCode, log } = await actionStep(
      { command: 'apply', files: 'site.yaml', args: '--yes' },
      { release },
    )
    expect([exitCode, JSON.parse(log)]).toEqual([0, ['apply', '--yes', '--', 'site.yaml']])
  })

  test.each([
    ['validate', '', ['--format', 'github']],
    ['test', '', ['--format', 'github']],
    ['test', '--format junit', ['--format', 'junit']],
    ['drift', '', []],
  ])('that runs %s with %j annotates mistakes unless args say otherwise', async (...row) => {
    const [command, args, words] = row
    const release = await releaseOf(printing)
    const { log } = await actionStep({ command, files: ' sites \n\nb c.yaml', args }, { release })
    expect(JSON.parse(log)).toEqual([command, ...words, '--', 'sites', 'b c.yaml'])
  })

  test('that compares sets its outputs and writes the summary', async () => {
    const args = '--emulate --scenario already-configured'
    const workspace = await temporaryFolder()
    const step = { command: 'drift', files: join(root, 'examples/quickstart.yaml'), args }
    const { exitCode, outputs, summary } = await actionStep(step, { workspace })
    expect([exitCode, outputs]).toEqual([0, { exitcode: '0', changes: 'false' }])
    expect(summary).toContain('### ')
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])(
    'that is cancelled by %s ends with the code of the program, which also gets the signal',
    async (signal, code) => {
      // The runner signals only bash.
      const release = await releaseOf(`
      process.on('${signal}', () => { console.log('told'); setTimeout(() => process.exit(${code}), 100) })
      setInterval(() => {}, 1000)
      process.kill(process.ppid, '${signal}')`)
      const { exitCode, log, outputs } = await actionStep(
        { command: 'apply', files: 'site.yaml' },
        { release },
      )
      expect([exitCode, log, outputs]).toEqual([code, 'told\n', { exitcode: `${code}` }])
    },
  )
})

played('a step that comments', () => {
  const commenting = async (refusals: readonly Refusal[] = []) => {
    const fake = await fakeReview('GitHub', refusals)
    const emulator = await anEmulator({ stageMs: 5 })
    const workspace = await temporaryFolder()
    const manifest = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
    writeFileSync(
      join(workspace, 'site.yaml'),
      manifest.replace(/https:.*admin/, emulator.url).replace('licenses/', ''),
    )
    writeFileSync(join(workspace, 'site.json'), '{}')
    const { GH_TOKEN: token = '', ...environment } = fake.environment
    const inputs = { command: 'plan', comment: 'true', token, files: 'site.yaml' }
    const step = async (more: Readonly<Record<string, string>> = {}) => {
      const ended = await actionStep(
        { ...inputs, ...more },
        { workspace, environment: { ...environment, ...someSecrets } },
      )
      expect(JSON.stringify(ended)).not.toContain(token)
      return ended
    }
    return { ...fake, step, workspace, endSite: () => emulator.close() }
  }

  test('keeps one comment, and marks it as outdated if a later plan fails', async () => {
    const { step, bodies, endSite } = await commenting()
    expect(await step()).toMatchObject({ exitCode: 0, outputs: { changes: 'true' } })
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `quickstart`')])
    expect((await step({ plan: 'plan.json' })).exitCode).toBe(0)
    await endSite()
    expect(await step({ plan: 'plan.json' })).toMatchObject({ exitCode: 69, outputs: { exitcode: '69' } })
    expect(bodies()).toEqual([expect.stringContaining('### No plan for `site.yaml`')])
  })

  test('plans several sites in one comment, and another step applies the folder of plans', async () => {
    const { step, bodies, workspace } = await commenting()
    const emulator = await anEmulator({ stageMs: 5, sites: 2 })
    mkdirSync(join(workspace, 'sites'))
    writeFileSync(join(workspace, 'sites', 'site.json'), '{}')
    const manifest = readFileSync(join(workspace, 'site.yaml'), 'utf8')
    for (const [at, { url }] of emulator.sites.entries())
      writeFileSync(
        join(workspace, 'sites', `${at}.yaml`),
        manifest.replace(/http:.*admin/, url).replace('name: quickstart', `name: site-${at}`),
      )
    const planned = await step({ files: 'sites', plan: 'plans' })
    expect(planned).toMatchObject({ exitCode: 0, outputs: { changes: 'true', exitcode: '0' } })
    expect(readdirSync(join(workspace, 'plans'))).toEqual(['site-0.plan.json', 'site-1.plan.json'])
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 2 with changes')])
    expect(bodies()[0]?.match(/^### Plan for `site-[01]`/gm)).toHaveLength(2)
    const args = '--accept-local-state'
    const applied = await step({ command: 'apply', comment: 'false', files: '', plan: 'plans', args })
    expect(applied).toMatchObject({ exitCode: 0, log: expect.stringContaining('2 sites: 2 done.') })
    expect(emulator.sites.map(one => one.world().counters.configure.accepted)).toEqual([1, 1])
  })

  test('names all files of a plan in one comment, and does not show an earlier plan as a new one', async () => {
    const release = await releaseOf(printing)
    const workspace = await temporaryFolder()
    mkdirSync(join(workspace, 'plans'))
    for (const name of ['old.plan.json', 'notes.json']) writeFileSync(join(workspace, 'plans', name), '{}')
    const inputs = {
      command: 'plan',
      comment: 'true',
      plan: 'plans',
      files: 'a b.yaml\n\nsites',
      token: 'ghs_1',
    }
    const { exitCode, log } = await actionStep(inputs, { release, workspace })
    expect([
      exitCode,
      log
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ]).toEqual([
      0,
      [
        ['plan', '--out', 'plans', '--', 'a b.yaml', 'sites'],
        ['comment', '--manifest', 'a b.yaml', '--manifest', 'sites', '--', 'plans'],
      ],
    ])
    expect(readdirSync(join(workspace, 'plans'))).toEqual(['notes.json'])
  })

  test('succeeds if the token may not write, and reports that', async () => {
    const { step, bodies } = await commenting([{ method: 'POST', status: 403 }])
    const { exitCode, log } = await step()
    expect([exitCode, bodies()]).toEqual([0, []])
    expect(log).toMatch(/the token has no permission to\s+write there\s+\(HTTP 403\)/)
    expect(log).toContain('::notice title=landform::The pull request has no comment with this plan')
  })
})
