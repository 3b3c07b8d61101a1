import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from './output.js'
import type { StopSignal } from './stop-signal.js'

export interface Question {
  readonly text: string
  /** What has to be typed, and nothing else counts. */
  readonly expected: string
  /** What a refusal begins with. */
  readonly refusal?: string
  /** A signal that ends the question, too; without one only the terminal does. */
  readonly stop?: StopSignal
}

/** Why a person did not agree; nothing where just the expected words were typed. */
export async function askFor(
  host: Host,
  { text, expected, refusal = '', stop }: Question,
): Promise<Failure | undefined> {
  const answer = await host.ask(text, stop?.signal)
  if (answer.kind === 'interrupt') {
    const exitCode = stop?.exitCode() ?? exitCodes.interrupted
    return { exitCode, message: `${refusal}interrupted; nothing was sent` }
  }
  if (answer.kind === 'line' && answer.text.trim() === expected) return undefined
  return {
    exitCode: exitCodes.refused,
    message: `${refusal}the answer was not "${expected}"; nothing was sent`,
  }
}
