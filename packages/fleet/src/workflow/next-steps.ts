import type { Outcome } from 'landform'
import { nextCommands, shellWord } from 'landform/cli'
import { suggestNextStep } from 'landform/report'
import type { Order } from '../model/run.js'

/** The `--state` option for the state of a fleet. */
export const fleetState = 'postgres:env:LANDFORM_DATABASE_URL'

/** Describes the next step for a site of a fleet, with the exact command; empty if nothing is left to do. */
export function describeNextStep(outcome: Outcome, order: Pick<Order, 'name' | 'manifest'>): string {
  const commands = buildCommands(order)
  // Another request after a rejection needs consent, which a fleet does not ask for.
  const isNo = outcome.kind === 'rejected-before' || ('isRejected' in outcome && outcome.isRejected === true)
  const steps = suggestNextStep(outcome, isNo ? commands : { ...commands, apply: buildResumeCommand(order) })
  // It is a cell of a table.
  return steps.replaceAll('\n', '; ')
}

/** Returns the command that submits a site again. */
export function buildResumeCommand({ name }: Pick<Order, 'name'>): string {
  return `landform fleet resume ${shellWord(name)}`
}

/** Returns the commands for one site of a fleet. */
export function buildCommands({ manifest }: Pick<Order, 'manifest'>) {
  return nextCommands({
    file: manifest,
    url: undefined,
    state: fleetState,
    emulate: false,
    'allow-origin': [],
  })
}
