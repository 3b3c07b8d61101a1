import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'
import { runProgram } from './program.js'
import { temporaryFolder } from './temporary-folder.js'

interface StepOptions {
  /** Where the action lies; without it, where it lies here. */
  readonly release?: string
  readonly workspace?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly event?: object
}

/** Runs the committed file of the action as GitHub does: inputs in variables, answers in files. */
export async function actionStep(
  inputs: Readonly<Record<string, string>>,
  { release = root, workspace = root, environment = {}, event = {} }: StepOptions = {},
) {
  const folder = await temporaryFolder()
  const file = (name: string) => join(folder, name)
  writeFileSync(file('event.json'), JSON.stringify(event))
  const variables = {
    PATH: process.env['PATH'] ?? '',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: file('output'),
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_EVENT_PATH: file('event.json'),
    GITHUB_REPOSITORY: 'acme/sites',
    GITHUB_SERVER_URL: 'https://github.example.org',
    GITHUB_RUN_ID: '42',
    RUNNER_TEMP: folder,
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
    ),
    ...environment,
  }
  const bundle = join(release, 'action', 'index.cjs')
  const ended = await runProgram(process.execPath, [bundle], { env: variables, cwd: folder })
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')
  const { code: exitCode, stdout, stderr } = ended
  return { exitCode, log: stdout + stderr, outputs: outputsIn(read('output')), summary: read('summary') }
}

/** A release whose program is this code, for what depends on how a program ends. */
export async function releaseOf(code: string): Promise<string> {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'action'))
  mkdirSync(join(folder, 'dist', 'bin'), { recursive: true })
  copyFileSync(join(root, 'action', 'index.cjs'), join(folder, 'action', 'index.cjs'))
  writeFileSync(join(folder, 'dist', 'bin', 'landform.cjs'), code)
  return folder
}

/** Reads outputs as the runner does: a name, a delimiter, lines, the delimiter. */
function outputsIn(text: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  while (lines.length > 1) {
    const [name, end] = (lines.shift() ?? '').split('<<')
    const length = lines.indexOf(end ?? '')
    if (name === undefined || length === -1) throw new Error(`no end of an output: ${text}`)
    outputs[name] = lines
      .splice(0, length + 1)
      .slice(0, -1)
      .join('\n')
  }
  return outputs
}
