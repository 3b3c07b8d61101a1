import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildCommandLine } from './command-line.js'
import { type Inputs, readInputs } from './inputs.js'
import { nameResult } from './results.js'
import { runProgram, withoutInputs } from './run-program.js'
import { updatePullRequest } from './update-pull-request.js'
import { formatAnnotation, formatOutputs, parseOutputs } from './workflow-commands.js'

/** The environment of a step. */
export interface Step {
  readonly environment: NodeJS.ProcessEnv
  /** The program that a release has beside the action. */
  readonly program: string
  print(text: string): void
}

const usage = 64
const internal = 70
const changes = 2

/** Runs one step, reports it to GitHub, and returns the exit code of the step. */
export async function act(step: Step): Promise<number> {
  const { environment, program, print } = step
  const refuse = (exitCode: number, problem: string) => {
    print(formatAnnotation('error', problem))
    return writeOutputs(environment, exitCode, {})
  }
  const read = readInputs(environment)
  if (!read.ok) return refuse(usage, read.error)
  const { value: inputs } = read
  if (!existsSync(program)) return refuse(internal, noProgram)
  const folder = resolve(environment['GITHUB_WORKSPACE'] ?? '.', inputs.workingDirectory)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const missing = `the input working-directory is not a folder: ${inputs.workingDirectory}`
    return refuse(usage, `${missing}; is actions/checkout before this step?`)
  }
  const { exitCode, report, outputs } = await runStep(inputs, folder, step)
  // The program writes the summary of a plan itself.
  if (inputs.command === 'drift' && report !== undefined)
    append(environment, 'GITHUB_STEP_SUMMARY', `\n${report}`)
  if (inputs.comment) {
    const isNews = exitCode !== 0 || hasNews(outputs)
    print(await updatePullRequest(environment, { inputs, markdown: report, exitCode, isNews }))
  }
  return writeOutputs(environment, exitCode, outputs, inputs)
}

const noProgram =
  'the program is missing beside the action: use the tag of a release, or build it with `npm ci && npm run build`'

type Outputs = Readonly<Record<string, string>>

/** The results of a run of the program. */
interface StepResult {
  readonly exitCode: number
  /** Markdown, if the command wrote any. */
  readonly report: string | undefined
  readonly outputs: Outputs
}

async function runStep(inputs: Inputs, folder: string, { environment, program }: Step): Promise<StepResult> {
  const kept = mkdtempSync(join(environment['RUNNER_TEMP'] ?? tmpdir(), 'landform-'))
  const written = join(kept, 'outputs')
  const { words, markdown, saved } = buildCommandLine(inputs, join(kept, `${inputs.command}.md`))
  const exitCode = await runProgram({
    program,
    words,
    folder,
    environment: { ...withoutInputs(environment), GITHUB_OUTPUT: written },
  })
  const report = markdown === undefined ? undefined : textIn(markdown)
  const plan = saved === undefined ? undefined : resolve(folder, saved)
  const outputs = {
    ...parseOutputs(textIn(written) ?? ''),
    ...(inputs.command === 'drift' && report !== undefined && { changes: `${exitCode === changes}` }),
    ...(plan !== undefined && existsSync(plan) && { 'plan-file': plan }),
    ...(markdown !== undefined && report !== undefined && { 'markdown-file': markdown }),
  }
  rmSync(written, { force: true })
  return { exitCode, report, outputs }
}

/** False if the program reports that there is nothing to do. */
function hasNews({ changes, blocked }: Outputs): boolean {
  return changes === undefined || changes === 'true' || blocked === 'true'
}

/** Writes the outputs. Returns 0 for an exit code that the step treats as success. */
function writeOutputs(
  environment: NodeJS.ProcessEnv,
  exitCode: number,
  outputs: Outputs,
  inputs?: Inputs,
): number {
  const all = { ...outputs, exitcode: `${exitCode}`, result: nameResult(exitCode) }
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
