import type { Policy } from '../policy/policy.js'
import type { LinesOf } from '../report/diagnostics-text.js'
import { display } from '../report/display.js'
import { exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import type { Failure } from './output.js'
import { policyReader } from './policies.js'
import { policyFinder } from './policy-files.js'
import { shownLines } from './shown-lines.js'

export type SessionPolicies =
  | { readonly ok: true; readonly value: readonly Policy[] }
  | { readonly ok: false; readonly failure: Failure; readonly linesOf: LinesOf }

/** The policies that stop a plan; none for a command that has no such option. All must be right. */
export async function sessionPolicies(
  { file, policy: named }: { readonly file: string; readonly policy?: readonly string[] },
  host: Host,
): Promise<SessionPolicies> {
  if (named === undefined) return { ok: true, value: [] }
  const reply = await policyReader(named, host, policyFinder())(file)
  if (!reply.ok) return { ...reply, linesOf: () => undefined }
  const wrong = reply.policies.filter(({ loaded }) => !loaded.ok)
  const [first] = wrong
  if (first !== undefined) {
    const message = `the policy ${display(first.source.name)} is not valid`
    const diagnostics = wrong.flatMap(({ loaded }) => loaded.diagnostics)
    const linesOf = shownLines(wrong.map(({ source }) => source))
    return { ok: false, failure: { exitCode: exitCodes.invalid, message, diagnostics }, linesOf }
  }
  return { ok: true, value: reply.policies.flatMap(({ loaded }) => (loaded.ok ? loaded.value : [])) }
}
