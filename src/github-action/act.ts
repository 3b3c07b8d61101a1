import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { updatePullRequest } from './comment.js'
import { formatAnnotation, formatOutputs, parseOutputs } from './github.js'
import { type Inputs, readInputs } from './inputs.js'

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

/** A command line for the program, and the files that it will write. */
interface CommandLine {
  readonly words: readonly string[]
  /** The Markdown file for the comment, if the command can write one. */
  readonly markdown: string | undefined
  /** The path of the saved plan, as it was given. */
  readonly saved: string | undefined
}

/** Builds the command line; `markdown` is a file that may be written. Words never pass through a shell. */
function buildCommandLine(inputs: Inputs, markdown: string): CommandLine {
  const { command, files, args, plan } = inputs
  const reports = command === 'plan' || command === 'drift'
  const annotates = command === 'validate' || command === 'test'
  // A format in `args` is also the one for stdout.
  const printing = args.some(word => /^--format(?:=|$)/.test(word))
  const words = [
    command,
    ...(annotates && !printing ? ['--format', 'github'] : []),
    ...(reports && !printing ? ['--format', 'text'] : []),
    ...(reports ? ['--format', `markdown=${markdown}`] : []),
    ...(command === 'plan' && plan !== undefined ? ['--out', plan] : []),
    // The step itself is the consent.
    ...(command === 'apply' ? ['--yes'] : []),
    ...args,
    '--',
    ...(command === 'apply' && plan !== undefined ? [plan] : files),
  ]
  return {
    words,
    markdown: reports ? markdown : undefined,
    saved: command === 'plan' ? plan : undefined,
  }
}

/** A run of the program. */
interface ProgramRun {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Runs the program with the Node.js of the action, and returns its exit code. Signals of a cancelled run are forwarded,
 * so that the program can end its wait properly.
 */
export function runProgram({ program, words, folder, environment }: ProgramRun): Promise<number> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const signals = ['SIGINT', 'SIGTERM'] as const
  const handOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of signals) process.on(signal, handOn)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const one of signals) process.off(one, handOn)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

/** Removes the inputs of the step from its variables: the program needs no GitHub token. */
function withoutInputs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('INPUT_')))
}

/** A word for each exit code, for conditions of later steps that people can read. */
const results: Readonly<Record<number, string>> = {
  0: 'done',
  2: 'changes',
  3: 'in-progress',
  4: 'unknown',
  5: 'service-failed',
  6: 'stale',
  7: 'locked',
  64: 'usage',
  65: 'invalid',
  66: 'missing',
  69: 'unreachable',
  70: 'internal',
  74: 'state',
  75: 'trouble',
  77: 'permission',
  78: 'refused',
  129: 'hung-up',
  130: 'interrupted',
  141: 'broken-pipe',
  143: 'terminated',
}

/** Names an exit code for the output `result`. */
export function nameResult(exitCode: number): string {
  return results[exitCode] ?? 'internal'
}
