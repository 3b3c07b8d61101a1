import { hasChanges, type Plan } from '../plan/plan.js'
import { askFor } from './ask-for.js'
import { exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import type { Failure } from './output.js'

type Choices = Readonly<Record<'yes' | 'emulate' | 'no-input', boolean>>

/** Why a plan may not be performed; nothing where it may. Asks a person where one is there. */
export async function refusalOf(plan: Plan, choices: Choices, host: Host): Promise<Failure | undefined> {
  const nothingToAsk = !hasChanges(plan) || choices.emulate
  if (choices.yes || nothingToAsk) return undefined
  if (!host.isInteractive || choices['no-input'])
    return {
      exitCode: exitCodes.refused,
      message: 'nobody can be asked here, and the plan would change the site; nothing was sent',
      next: 'review the plan, then run the same command with --yes',
    }
  const text = `Apply this to ${plan.url}? Only "yes" is taken as a yes: `
  return askFor(host, { text, expected: 'yes', refusal: 'not applied: ' })
}
