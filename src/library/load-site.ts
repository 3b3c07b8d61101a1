import { type ReplacedAddress, withReplacedAddress } from '../diagnostics/diagnostic.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { Source } from '../manifest/source.js'
import { judgeBy } from '../policy/judge.js'
import type { Policy } from '../policy/policy.js'
import type { Result } from '../result.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { type FoundPolicies, policyFinder, policyReader } from './policies.js'
import type { LoadProblem } from './problem.js'
import { loadWithBases } from './read-bases.js'
import type { LoadedSite } from './site.js'

/** The options for reading a manifest. */
interface LoadOptions {
  /** The path of the manifest. Its bases and the policies around it are found from there. */
  readonly file: string
  /** Policy files in addition to those around the manifest; `undefined` to apply no policy. */
  readonly policies: readonly string[] | undefined
  /** The address that replaces the one in the manifest. */
  readonly instead?: ReplacedAddress | undefined
}

/** A manifest that passed every check, or the problem with it. */
type LoadReply = Result<LoadedSite, LoadProblem>

/** Reads a manifest with its bases and policies, and checks it. Uses no network, no secrets and no site. */
export async function loadSite(source: Source, { file, policies, instead }: LoadOptions): Promise<LoadReply> {
  const kept = await loadPolicies(file, policies)
  if (!kept.ok) return kept
  const { policies: rules, warnings } = kept.value
  const { sources, loaded } = await loadWithBases(source, file, judgeAt(instead, rules))
  const { diagnostics } = loaded
  if (!loaded.ok) return { ok: false, error: { kind: 'manifest', file: source.name, diagnostics, sources } }
  return {
    ok: true,
    value: {
      manifest: loaded.value,
      sources,
      warnings: [...warnings, ...diagnostics],
      policies: rules.map(({ file, digest, plans }) => ({ file, digest, ...(plans && { plans }) })),
    },
  }
}

/** Valid policies, and warnings about files that may have been meant as policies. */
interface LoadedPolicies extends Pick<FoundPolicies, 'warnings'> {
  readonly policies: readonly Policy[]
}

/** Reads the policies. An invalid one is an error: none is ignored silently. */
async function loadPolicies(
  file: string,
  named: readonly string[] | undefined,
): Promise<Result<LoadedPolicies, LoadProblem>> {
  if (named === undefined) return { ok: true, value: { policies: [], warnings: [] } }
  const reply = await policyReader(named, policyFinder())(file)
  if (!reply.ok) return reply
  const { policies: found, warnings } = reply.value
  const wrong = found.filter(({ loaded }) => !loaded.ok)
  const [first] = wrong
  if (first === undefined) {
    const policies = found.flatMap(({ loaded }) => (loaded.ok ? loaded.value : []))
    return { ok: true, value: { policies, warnings } }
  }
  const diagnostics = wrong.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.error))
  const sources = wrong.map(({ source }) => source)
  return { ok: false, error: { kind: 'policy', file: first.source.name, diagnostics, sources } }
}

const urlPointer = '/spec/site/url'

/** Applies policies to the called address, even if it replaces the one in the manifest. */
function judgeAt(instead: LoadOptions['instead'], policies: readonly Policy[]): Judge {
  const judge = judgeBy(policies)
  if (instead === undefined) return judge
  return (value, known) =>
    judge(withUrl(value, instead.url), known).map(one =>
      one.pointer === urlPointer ? withReplacedAddress(one, instead) : one,
    )
}

function withUrl(value: JsonValue, url: string): JsonValue {
  if (!isObject(value) || !isObject(value['spec']) || !isObject(value['spec']['site'])) return value
  return { ...value, spec: { ...value['spec'], site: { ...value['spec']['site'], url } } }
}
