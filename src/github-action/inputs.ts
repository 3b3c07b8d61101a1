import type { Result } from '../result.js'
import { splitWords } from './split-words.js'

const actionCommands = ['validate', 'plan', 'apply', 'drift', 'test'] as const

/** The inputs of a step of a workflow, as `action.yml` describes them. */
export interface Inputs {
  readonly command: (typeof actionCommands)[number]
  readonly files: readonly string[]
  readonly args: readonly string[]
  /** Relative to the root of the workspace. */
  readonly workingDirectory: string
  /** The file to save a plan to, or the saved plan to apply. */
  readonly plan: string | undefined
  readonly comment: boolean
  readonly token: string
  /** The exit codes beside 0 that do not fail the step. */
  readonly succeedOn: readonly number[]
}

/** The inputs of a step, or the error in them. */
export type InputsResult = Result<Inputs, string>

/** Reads the inputs of a step, which GitHub passes as variables; with an invalid input nothing runs. */
export function readInputs(environment: NodeJS.ProcessEnv): InputsResult {
  const readInput = (name: string) => environment[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''
  const wrong = (name: string, problem: string): InputsResult => ({
    ok: false,
    error: `the input ${name} ${problem}`,
  })
  const command = actionCommands.find(one => one === readInput('command'))
  if (command === undefined) return wrong('command', `must be one of ${actionCommands.join(', ')}`)
  const words = splitWords(readInput('args'))
  if (!words.ok) return wrong('args', words.error)
  const codes = readInput('succeed-on')
    .split(/[\s,]+/)
    .filter(Boolean)
  if (!codes.every(code => /^\d{1,3}$/.test(code)))
    return wrong('succeed-on', 'must be a list of exit codes, such as 2,3')
  const comment = readInput('comment') || 'false'
  if (comment !== 'true' && comment !== 'false') return wrong('comment', 'must be true or false')
  const files = readInput('files')
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(Boolean)
  const plan = readInput('plan') || undefined
  if (plan !== undefined && command !== 'plan' && command !== 'apply')
    return wrong('plan', `is allowed with plan and apply, not with ${command}`)
  if (plan !== undefined && command === 'apply' && files.length > 0)
    return wrong('files', 'must be empty when a saved plan is applied: the plan names its manifest')
  return {
    ok: true,
    value: {
      command,
      files,
      args: words.value,
      workingDirectory: readInput('working-directory') || '.',
      plan,
      comment: comment === 'true',
      token: readInput('token'),
      succeedOn: codes.map(Number),
    },
  }
}
