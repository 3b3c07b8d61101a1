import { formatPlans, isToDo, type SitePlan } from '../../report/fleet/fleet-plans.js'
import type { Paint } from '../../report/paint.js'
import { formatPlan, type PlanView } from '../../report/plan/plan-text.js'
import { several } from '../../report/plan/plan-words.js'
import { exitCodes } from '../exit-code.js'
import type { Host, Output } from '../host.js'
import type { Target } from '../options.js'
import type { PlannedSession } from '../plan/planned-session.js'
import { askFor } from '../terminal/ask-for.js'
import { type ColorChoice, type Failure, paintFor } from '../terminal/output.js'
import type { StopSignal } from '../terminal/stop-signal.js'
import type { ReadyMember } from './perform-site.js'
import type { PlannedMember } from './plan-members.js'

/** With more sites than this nobody reads each plan in a row; `landform plan` shows them. */
const mostWhole = 10

interface Review {
  readonly planned: readonly PlannedMember<PlannedSession>[]
  readonly waves: readonly (readonly ReadyMember[])[]
  readonly targets: readonly Target<string>[]
  readonly stop: StopSignal
}

interface Choices {
  readonly yes: boolean
  readonly emulate: boolean
  readonly 'no-input': boolean
  readonly color: ColorChoice
}

/** Shows what would be done to all sites and asks a person once; why it may not be done, nothing where it may. */
export async function reviewed(
  { planned, waves, targets, stop }: Review,
  argv: Choices,
  host: Host,
): Promise<Failure | undefined> {
  const waveOf = new Map(waves.flatMap((wave, at) => wave.map(({ file }) => [file, at + 1] as const)))
  const plans = planned.map(one => ({ ...one, wave: waveOf.get(one.file) ?? null }))
  const toStdout = targets.some(({ format, file }) => format === 'text' && file === undefined)
  if (toStdout) writeAll(host.stdout, reviewTexts(plans, paintFor('stdout', argv.color)))
  // Nobody is asked about plans that were not shown.
  else if (host.isInteractive) writeAll(host.stderr, reviewTexts(plans, paintFor('stderr', argv.color)))
  // Who saved a plan was asked by those who reviewed it.
  const asked = waves.flat().filter(one => one.session.saved === undefined && isToDo({ ...one, wave: null }))
  if (argv.yes || argv.emulate || asked.length === 0) return undefined
  if (!host.isInteractive || argv['no-input'])
    return {
      exitCode: exitCodes.refused,
      message: `nobody can be asked here, and the plans would change ${several(asked.length, 'site')}; nothing was sent`,
      next: 'review the plans, then run the same command with --yes',
    }
  const text = `Apply this to ${several(waves.flat().length, 'site')}? Only "yes" is taken as a yes: `
  return askFor(host, { text, expected: 'yes', refusal: 'not applied: ', stop })
}

function reviewTexts(plans: readonly SitePlan[], paint: Paint): Iterable<string> {
  return plans.length > mostWhole ? [`${formatPlans(plans, paint)}\n`] : [...planTexts(plans, paint), '\n']
}

/** Each plan, then what they come to; text by text, so that not all are kept. */
export function* planTexts(plans: readonly SitePlan[], paint: Paint, view: PlanView = {}): Generator<string> {
  for (const { plan } of plans) if (plan !== undefined) yield `${formatPlan(plan, paint, view)}\n`
  yield formatPlans(plans, paint)
}

/** Writes texts one after the other. */
export function writeAll(output: Output, texts: Iterable<string>): void {
  for (const text of texts) output.write(text)
}
