import type { ApplyOptions } from '../apply/context.js'
import type { Receipt } from '../apply/outcome.js'
import { performPlan } from '../library/perform-plan.js'
import { placed } from '../manifest/effective.js'
import type { Plan } from '../plan/plan.js'
import { describeEnding } from '../report/outcome-text.js'
import { receiptDocument } from '../report/receipt-json.js'
import { sentence } from '../report/sentence.js'
import { drain } from './drain.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { emit, jsonText } from './output.js'
import { type Progress, watchedClock } from './progress/progress.js'
import type { Session } from './session.js'
import type { Desk } from './with-session.js'

interface Performing {
  readonly options: ApplyOptions
  readonly progress: readonly Progress[]
}

/** Performs a plan and shows what happens. */
export async function performed(
  plan: Plan,
  session: Session,
  host: Host,
  { options, progress }: Performing,
): Promise<Receipt> {
  const hands = { clock: watchedClock(host.clock, progress), random: host.random }
  try {
    return await drain(performPlan(plan, { site: session, hands }, options), event => {
      for (const one of progress) one.show(event)
    })
  } finally {
    for (const one of progress) one.end()
  }
}

interface Ending {
  readonly plan: Plan
  readonly receipt: Receipt
  readonly exitCode: ExitCode
  readonly next: string
}

/**
 * The last words: what became of it, and what to do next. Success belongs to the product, unless that is JSON; a receipt
 * that cannot be written makes it none.
 */
export async function conclude(
  host: Host,
  { session, targets, warn }: Desk<Session>,
  ending: Ending,
): Promise<ExitCode> {
  const { plan, receipt, exitCode, next } = ending
  const { outcome } = receipt
  if (outcome.kind === 'references') warn(outcome.diagnostics.map(one => placed(session.manifest, one)))
  const json = targets.filter(({ format }) => format === 'json')
  const isProduct = outcome.kind === 'done' && json.every(({ file }) => file !== undefined)
  const words = describeEnding(outcome, plan)
  const stream = isProduct ? host.stdout : host.stderr
  stream.write(sentence(words))
  if (next !== '') host.stderr.write(`next: ${next}\n`)
  const written = await emit(host, json, () => jsonText(receiptDocument(plan, receipt, { next, exitCode })))
  return written || exitCode !== exitCodes.done ? exitCode : exitCodes.state
}
