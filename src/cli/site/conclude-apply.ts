import { placed } from '../../manifest/field-places.js'
import type { Plan } from '../../plan/plan.js'
import { describeEnding } from '../../report/outcome-text.js'
import { receiptDocument } from '../../report/receipt-json.js'
import { sentence } from '../../report/sentence.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { emit, jsonText } from '../terminal/output.js'
import type { Performed } from './performed.js'
import type { Session } from './session.js'
import type { Desk } from './with-session.js'

/**
 * The last words: what became of it, and what to do next. Success belongs to the product, unless that is JSON; a receipt
 * that cannot be written makes it none.
 */
export async function conclude(
  host: Host,
  { session, targets, warn }: Desk<Session>,
  { plan, receipt, exitCode, next }: Performed & { readonly plan: Plan },
): Promise<ExitCode> {
  const { outcome } = receipt
  if (outcome.kind === 'references') warn(outcome.diagnostics.map(one => placed(session.manifest, one)))
  const json = targets.filter(({ format }) => format === 'json')
  const isProduct = outcome.kind === 'done' && json.every(({ file }) => file !== undefined)
  const stream = isProduct ? host.stdout : host.stderr
  stream.write(sentence(describeEnding(outcome, plan)))
  if (next !== '') host.stderr.write(`next: ${next}\n`)
  const written = await emit(host, json, () => jsonText(receiptDocument(plan, receipt, { next, exitCode })))
  return written || exitCode !== exitCodes.done ? exitCode : exitCodes.state
}
