import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { nameResult } from '../../../src/github-action/act.js'
import { exitCodes } from '../../../src/report/exit-code.js'
import { actionStep, releaseOf } from '../../support/action-step.js'
import { root } from '../../support/manifests.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

describe('action.yml', () => {
  test('runs the committed file, which is as it would be made now', async () => {
    expect(action.runs).toEqual({ using: 'node24', main: 'action/index.cjs' })
    const checked = promisify(execFile)(process.execPath, [join(root, 'scripts', 'action.mjs'), '--check'])
    await expect(
      checked.then(
        () => 'fresh',
        () => 'stale: run `npm run generate`',
      ),
    ).resolves.toBe('fresh')
  })

  test('names every input that is read, and no other', () => {
    const source = readFileSync(join(root, 'dist', 'src', 'github-action', 'inputs.js'), 'utf8')
    const read = [...source.matchAll(/readInput\('([\w-]+)'\)/g)].map(([, name]) => name)
    expect(Object.keys(action.inputs).sort()).toEqual([...new Set(read)].sort())
  })

  test('has a word for every exit code there is', () => {
    const words = Object.entries(exitCodes).map(([name, code]) => [
      code,
      name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
    ])
    expect(words.map(([code]) => [code, nameResult(Number(code))])).toEqual(words)
    for (const [, word] of words) expect(action.outputs.result.description).toContain(word)
  })
})

describe('a step', () => {
  test('that validates shows mistakes at their lines and fails with their exit code', async () => {
    const { exitCode, log, outputs } = await actionStep({
      command: 'validate',
      files: 'test/invalid/site/url.yaml\nexamples/quickstart.yaml',
    })
    expect([exitCode, outputs]).toEqual([65, { exitcode: '65', result: 'invalid' }])
    expect(log).toContain('::error file=test/invalid/site/url.yaml,line=')
  })

  test('that plans tells the outputs that action.yml names, writes Markdown and keeps the summary', async () => {
    const { exitCode, log, outputs, summary } = await actionStep({
      command: 'plan',
      files: 'quickstart.yaml',
      'working-directory': 'examples',
      args: '--emulate --detailed-exitcode',
      'succeed-on': '2, 3',
    })
    expect(exitCode).toBe(0)
    expect(outputs).toMatchObject({
      exitcode: '2',
      result: 'changes',
      changes: 'true',
      create: '1',
      'no-op': '0',
    })
    const { 'markdown-file': markdown = '', ...others } = outputs
    expect(markdown).toMatch(/plan\.md$/)
    expect(summary).toContain('### Plan for `quickstart`')
    expect(log).toContain('Plan: 1 to create')
    expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(Object.keys(others)))
  })

  test.each([
    [{ command: 'destroy' }, 'the input command must be one of validate, plan, apply, drift, test'],
    [{ command: 'plan', args: '--out $HOME' }, 'put $ in single quotes'],
    [
      { command: 'drift', plan: 'plan.json' },
      'the input plan is allowed with plan and apply, not with drift',
    ],
    [{ command: 'apply', plan: 'plan.json', files: 'site.yaml' }, 'the plan names its manifest'],
    [{ command: 'plan', comment: 'yes' }, 'the input comment must be true or false'],
    [{ command: 'plan', 'succeed-on': 'all' }, 'must be a list of exit codes'],
    [
      { command: 'validate', 'working-directory': 'sites' },
      'the input working-directory is not a folder: sites',
    ],
  ])('that is half understood runs nothing: %j', async (inputs, words) => {
    const release = await releaseOf('console.log("ran")')
    const { exitCode, log, outputs } = await actionStep(inputs, { release })
    expect([exitCode, outputs['result'], log]).toEqual([64, 'usage', expect.stringContaining(words)])
    expect(log).not.toContain('ran')
  })

  test('without the program says how to come by it', async () => {
    const release = await releaseOf('')
    await promisify(execFile)('rm', ['-r', join(release, 'dist')])
    const { exitCode, log } = await actionStep({ command: 'plan', files: 'site.yaml' }, { release })
    expect([exitCode, log]).toEqual([70, expect.stringContaining('use the tag of a release')])
  })

  test('hands over words as they are, consents to an apply, and keeps its token to itself', async () => {
    const release = await releaseOf(
      'console.log(JSON.stringify([process.argv.slice(2), Object.keys(process.env).filter(n => n.startsWith("INPUT_"))]))',
    )
    const workspace = await temporaryFolder()
    const { log } = await actionStep(
      { command: 'apply', plan: 'my plan.json', args: `--events 'a;b $(id)'`, token: 'ghs_secret' },
      { release, workspace },
    )
    expect(JSON.parse(log)).toEqual([['apply', '--yes', '--events', 'a;b $(id)', '--', 'my plan.json'], []])
  })

  test.each([
    ['validate', '', ['--format', 'github']],
    ['test', '', ['--format', 'github']],
    ['test', '--format junit', ['--format', 'junit']],
  ])(
    'that runs %s with %j shows what is wrong where it stands, unless told otherwise',
    async (command, args, words) => {
      const release = await releaseOf('console.log(JSON.stringify(process.argv.slice(2)))')
      const { log } = await actionStep({ command, files: 'sites', args }, { release })
      expect(JSON.parse(log)).toEqual([command, ...words, '--', 'sites'])
    },
  )

  test('names the plan that it saved, seen from anywhere', async () => {
    const release = await releaseOf(
      'require("node:fs").writeFileSync(process.argv[process.argv.indexOf("--out") + 1], "")',
    )
    const workspace = await temporaryFolder()
    const { outputs } = await actionStep(
      { command: 'plan', files: 'site.yaml', plan: 'plan.json' },
      { release, workspace },
    )
    expect(outputs).toEqual({ exitcode: '0', result: 'done', 'plan-file': join(workspace, 'plan.json') })
  })

  test.each([
    [2, 'true'],
    [0, 'false'],
  ])('that finds drift with exit code %i tells it and the summary', async (code, changes) => {
    const release = await releaseOf(
      `require("node:fs").writeFileSync(process.argv.at(-3).slice(9), "### Drift"); process.exitCode = ${code}`,
    )
    const { exitCode, outputs, summary } = await actionStep(
      { command: 'drift', files: 'site.yaml' },
      { release },
    )
    expect([exitCode, outputs['changes'], summary]).toEqual([code, changes, '\n### Drift'])
  })

  test('that is cancelled ends as the program does', async () => {
    const release = await releaseOf('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')
    const { exitCode, outputs } = await actionStep({ command: 'apply', files: 'site.yaml' }, { release })
    expect([exitCode, outputs]).toEqual([143, { exitcode: '143', result: 'terminated' }])
  })
})
