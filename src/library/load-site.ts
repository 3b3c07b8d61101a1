import { quoted } from '../diagnostics/words.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { Source } from '../manifest/source.js'
import { judgeBy } from '../policy/judge.js'
import type { Policy } from '../policy/policy.js'
import type { Result } from '../result.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { loadWithBases } from './load-with-bases.js'
import { policyReader } from './policies.js'
import { policyFinder } from './policy-files.js'
import type { LoadProblem } from './problem.js'
import type { Loaded } from './site.js'

/** What a manifest is read with. */
export interface Loading {
  /** The path of the manifest: what it builds on, and the policies around it, are looked for from there. */
  readonly file: string
  /** Policy files beside those around the manifest; `undefined` where no policy counts. */
  readonly policies: readonly string[] | undefined
  /** The address that takes the place of the one in the manifest, and what names it. */
  readonly instead?: { readonly url: string; readonly by: string } | undefined
}

/** A manifest that passed every check, or why there is none. */
export type LoadReply = Result<Loaded, LoadProblem>

/** Reads what a manifest builds on and the policies that it keeps to, and checks it. No network, no secrets, no site. */
export async function loadSite(source: Source, { file, policies, instead }: Loading): Promise<LoadReply> {
  const kept = await keptPolicies(file, policies)
  if (!kept.ok) return kept
  const { sources, loaded } = await loadWithBases(source, file, judgeAt(instead, kept.value))
  const { diagnostics } = loaded
  if (!loaded.ok) return { ok: false, error: { kind: 'manifest', file: source.name, diagnostics, sources } }
  return {
    ok: true,
    value: {
      manifest: loaded.value,
      sources,
      warnings: diagnostics,
      policies: kept.value.map(({ file, digest }) => ({ file, digest })),
    },
  }
}

/** All of them must be right: a policy is never left out in silence. */
async function keptPolicies(
  file: string,
  named: readonly string[] | undefined,
): Promise<Result<readonly Policy[], LoadProblem>> {
  if (named === undefined) return { ok: true, value: [] }
  const reply = await policyReader(named, policyFinder())(file)
  if (!reply.ok) return reply
  const wrong = reply.value.filter(({ loaded }) => !loaded.ok)
  const [first] = wrong
  if (first === undefined)
    return { ok: true, value: reply.value.flatMap(({ loaded }) => (loaded.ok ? loaded.value : [])) }
  const diagnostics = wrong.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.error))
  const sources = wrong.map(({ source }) => source)
  return { ok: false, error: { kind: 'policy', file: first.source.name, diagnostics, sources } }
}

const urlPointer = '/spec/site/url'

/** What policies say of a manifest whose address is replaced: what counts is where requests go. */
function judgeAt(instead: Loading['instead'], policies: readonly Policy[]): Judge {
  const judge = judgeBy(policies)
  if (instead === undefined) return judge
  const { url, by } = instead
  return (value, known) =>
    judge(withUrl(value, url), known).map(one =>
      one.pointer === urlPointer ? { ...one, message: `${one.message}; by ${by} it is ${quoted(url)}` } : one,
    )
}

function withUrl(value: JsonValue, url: string): JsonValue {
  if (!isObject(value) || !isObject(value['spec']) || !isObject(value['spec']['site'])) return value
  return { ...value, spec: { ...value['spec'], site: { ...value['spec']['site'], url } } }
}
