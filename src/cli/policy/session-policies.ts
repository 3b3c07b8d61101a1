import { quoted } from '../../diagnostics/words.js'
import type { Judge } from '../../manifest/load-manifest.js'
import { judgeBy } from '../../policy/judge.js'
import type { Policy } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from '../output.js'
import { shownLines } from '../shown-lines.js'
import { policyReader } from './policies.js'
import { policyFinder } from './policy-files.js'

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

const urlPointer = '/spec/site/url'

/** What policies say of a manifest whose address the command line replaces: what counts is where requests go. */
export function judgeAt(url: string | undefined, policies: readonly Policy[]): Judge {
  const judge = judgeBy(policies)
  if (url === undefined) return judge
  return (value, known) =>
    judge(withUrl(value, url), known).map(one =>
      one.pointer === urlPointer ? { ...one, message: `${one.message}; by --url it is ${quoted(url)}` } : one,
    )
}

function withUrl(value: JsonValue, url: string): JsonValue {
  if (!isObject(value) || !isObject(value['spec']) || !isObject(value['spec']['site'])) return value
  return { ...value, spec: { ...value['spec'], site: { ...value['spec']['site'], url } } }
}
