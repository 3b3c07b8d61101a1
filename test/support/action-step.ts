import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './manifests.js'
import { runProgram } from './program.js'
import { temporaryFolder } from './temporary-folder.js'

interface StepOptions {
  /** The folder of the action. Default: this project. */
  readonly release?: string
  readonly workspace?: string
  readonly environment?: Readonly<Record<string, string>>
}

interface CompositeStep {
  readonly id?: string
  readonly if?: string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

type Values = Readonly<Record<string, string>>

/** Runs the steps of the action with bash as GitHub does: inputs come from expressions, outputs are written to files. */
export async function actionStep(
  given: Values,
  { release = root, workspace = root, environment = {} }: StepOptions = {},
) {
  const folder = await temporaryFolder()
  const file = (name: string) => join(folder, name)
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
  const specs: Readonly<Record<string, { readonly default?: string }>> = action.inputs
  const values = new Map([['github.token', 'ghs_1']])
  const fill = (text: string) =>
    text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, expression: string) => values.get(expression) ?? '')
  for (const name of Object.keys(given)) if (specs[name] === undefined) throw new Error(`no input ${name}`)
  for (const [name, { default: usual = '' }] of Object.entries(specs))
    values.set(`inputs.${name}`, given[name] ?? fill(usual))
  const variables = {
    PATH: process.env['PATH'] ?? '',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: release,
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: file('output'),
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_REPOSITORY: 'acme/sites',
    GITHUB_SERVER_URL: 'https://github.example.org',
    GITHUB_RUN_ID: '42',
    RUNNER_TEMP: folder,
    ...environment,
  }
  let exitCode = 0
  let log = ''
  let told = ''
  for (const { id, if: condition, env, run } of action.runs.steps as readonly CompositeStep[]) {
    if (!(condition === undefined ? exitCode === 0 : holds(condition, values))) continue
    writeFileSync(file('script'), run)
    const ended = await runProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file('script')], {
      cwd: join(workspace, given['working-directory'] ?? '.'),
      env: {
        ...variables,
        ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, fill(text)])),
      },
    })
    exitCode ||= ended.code
    log += ended.stdout + ended.stderr
    told = existsSync(file('output')) ? readFileSync(file('output'), 'utf8') : ''
    for (const [, name, value = ''] of told.matchAll(/^([\w-]+)=(.*)$/gm))
      values.set(`steps.${id}.outputs.${name}`, value)
  }
  const outputs = Object.entries(action.outputs as Readonly<Record<string, { readonly value: string }>>)
    .map(([name, { value }]) => [name, fill(value)] as const)
    .filter(([, value]) => value !== '')
  return {
    exitCode,
    log,
    outputs: Object.fromEntries(outputs),
    /** The text of the output file; it includes outputs that only steps of the action use. */
    told,
    summary: existsSync(file('summary')) ? readFileSync(file('summary'), 'utf8') : '',
  }
}

/** Tests whether a step runs. A step with `!cancelled()` in its condition also runs after a failure. */
function holds(condition: string, values: ReadonlyMap<string, string>): boolean {
  const [first, ...parts] = condition.replace(/^\$\{\{ (.*) \}\}$/, '$1').split(' && ')
  if (first !== '!cancelled()') throw new Error(`not known: ${condition}`)
  return parts.every(part => {
    const [, name = '', operator, value] = /^([\w.-]+) ([!=]=) '(.*)'$/.exec(part) ?? []
    return ((values.get(name) ?? '') === value) === (operator === '==')
  })
}

/** Writes a release whose program is this code, for tests of how a program ends. Returns its folder. */
export async function releaseOf(code: string): Promise<string> {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'dist', 'bin'), { recursive: true })
  writeFileSync(join(folder, 'dist', 'bin', 'landform.cjs'), code)
  return folder
}
