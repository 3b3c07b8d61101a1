import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { commandLine } from './command-line.js'
import { type Inputs, readInputs } from './inputs.js'
import { resultOf } from './results.js'
import { runProgram, withoutInputs } from './run-program.js'
import { tellPullRequest } from './tell-pull-request.js'
import { annotation, formatOutputs, parseOutputs } from './workflow-commands.js'

/** What a step runs in. */
export interface Step {
  readonly environment: NodeJS.ProcessEnv
  /** The program that a release carries beside the action. */
  readonly program: string
  print(text: string): void
}

const usage = 64
const internal = 70
const changes = 2

/** Runs one step, tells GitHub of it, and answers the exit code of the step. */
export async function act({ environment, program, print }: Step): Promise<number> {
  const read = readInputs(environment)
  if (!read.ok) {
    print(annotation('error', read.problem))
    return told(environment, usage, {})
  }
  if (!existsSync(program)) {
    print(
      annotation(
        'error',
        'the program is not beside the action: use the tag of a release, or build with npm ci && npm run build',
      ),
    )
    return told(environment, internal, {})
  }
  const { inputs } = read
  const folder = resolve(environment['GITHUB_WORKSPACE'] ?? '.', inputs.workingDirectory)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const missing = `the input working-directory names no folder: ${inputs.workingDirectory}`
    print(annotation('error', `${missing}; is actions/checkout before this step?`))
    return told(environment, usage, {})
  }
  const kept = mkdtempSync(join(environment['RUNNER_TEMP'] ?? tmpdir(), 'landform-'))
  const outputs = join(kept, 'outputs')
  const { words, markdown, saved } = commandLine(inputs, join(kept, `${inputs.command}.md`))
  const exitCode = await runProgram({
    program,
    words,
    folder,
    environment: { ...withoutInputs(environment), GITHUB_OUTPUT: outputs },
  })
  const report = markdown === undefined ? undefined : textIn(markdown)
  const plan = saved === undefined ? undefined : resolve(folder, saved)
  const all: Readonly<Record<string, string>> = {
    ...parseOutputs(textIn(outputs) ?? ''),
    ...(inputs.command === 'drift' && report !== undefined && { changes: `${exitCode === changes}` }),
    ...(plan !== undefined && existsSync(plan) && { 'plan-file': plan }),
    ...(markdown !== undefined && report !== undefined && { 'markdown-file': markdown }),
  }
  rmSync(outputs, { force: true })
  // A plan tells the summary by itself.
  if (inputs.command === 'drift' && report !== undefined)
    append(environment, 'GITHUB_STEP_SUMMARY', `\n${report}`)
  if (inputs.comment) {
    const isNews =
      exitCode !== 0 || !('changes' in all) || all['changes'] === 'true' || all['blocked'] === 'true'
    print(await tellPullRequest(environment, { inputs, markdown: report, exitCode, isNews }))
  }
  return told(environment, exitCode, all, inputs)
}

/** Writes the outputs. The answer is 0 for a code that the step takes for success. */
function told(
  environment: NodeJS.ProcessEnv,
  exitCode: number,
  outputs: Readonly<Record<string, string>>,
  inputs?: Inputs,
): number {
  const all = { ...outputs, exitcode: `${exitCode}`, result: resultOf(exitCode) }
  append(environment, 'GITHUB_OUTPUT', formatOutputs(all))
  return inputs?.succeedOn.includes(exitCode) === true ? 0 : exitCode
}

function append(environment: NodeJS.ProcessEnv, variable: string, text: string): void {
  const file = environment[variable]
  if (file !== undefined && file !== '') appendFileSync(file, text)
}

function textIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
