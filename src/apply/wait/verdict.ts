import type { Reply, ServiceFailure } from '../../client/failure.js'
import type { Observation } from '../../plan/observation.js'

/** Looks that said the same, one after the other. */
interface Run<T> {
  readonly value: T
  readonly sinceMs: number
  readonly looks: number
}

type Said = 'ready' | 'failed' | 'not-configured' | 'going-on'

/** What the looks so far have shown, as far as an end of the wait may come of it. */
export interface Seen {
  readonly last: Observation | undefined
  /** A configuration was under way, or its end was, in some look or by what is known from before. */
  readonly begun: boolean
  /** What is said of the configuration, by answers in a row; a failed look neither adds to it nor breaks it. */
  readonly said: Run<Said> | undefined
  /** The version that the site told; where only one answer has told it, it is that of the newest answer. */
  readonly version: Run<string> | undefined
  /** Another version, told by answers in a row. */
  readonly other: Run<string> | undefined
  /** Looks in a row that were refused for want of a right token. */
  readonly refused: Run<ServiceFailure> | undefined
}

/** What the looks establish, where they do. */
export type Verdict =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly observed: Observation }
  | { readonly kind: 'not-begun' }
  | { readonly kind: 'replaced'; readonly because: Replaced }
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure }

/** How the site shows that it is not the one that was waited for. */
export type Replaced =
  | { readonly kind: 'another-version'; readonly was: string; readonly is: string }
  | { readonly kind: 'not-configured-any-more' }

/** One answer may come from a node that is behind: a final word is believed when it is said twice. */
const believedAfter = 2
/** How long a configuration may stay invisible before that is a finding. */
const invisible = { ms: 60_000, looks: 3 } as const
/** How long no token may be right: one that expired is renewed meanwhile, and a portal that starts knows none. */
const locked = { ms: 120_000, looks: 3 } as const

const failureWords = /fail|error|cancel/i

/** Nothing was looked at yet in this wait; earlier answers told these versions. */
export function nothingSeen(begun: boolean, versions: readonly string[]): Seen {
  const nothing: Versions = { version: undefined, other: undefined }
  const told = versions.reduce((before, one) => versionsAfter(before, one, 0), nothing)
  return { ...told, begun, last: undefined, said: undefined, refused: undefined }
}

/** What is known after one more look. */
export function seenAfter(seen: Seen, reply: Reply<Observation>, elapsedMs: number): Seen {
  if (!reply.ok) {
    const { failure } = reply
    const isAboutToken = failure.kind === 'unauthorized' || failure.kind === 'redirected'
    const { sinceMs = elapsedMs, looks = 0 } = seen.refused ?? {}
    return { ...seen, refused: isAboutToken ? { value: failure, sinceMs, looks: looks + 1 } : undefined }
  }
  const last = reply.value
  const { version, other } = versionsAfter(seen, last.version, elapsedMs)
  // What another site says is not said of this one.
  if (other !== undefined) return { ...seen, refused: undefined, other }
  const isSameSite = seen.version === undefined || seen.version.value === version?.value
  const said = oneMore(isSameSite ? seen.said : undefined, wordOf(last), elapsedMs)
  return {
    last,
    begun: seen.begun || showsBegin(last, said),
    version,
    other: undefined,
    said,
    refused: undefined,
  }
}

/** True where a look shows that the configuration has begun; one node that is in trouble may say that it failed. */
export function showsBegin({ kind }: Observation, said: Seen['said']): boolean {
  if (kind === 'failed') return said !== undefined && said.looks >= believedAfter
  return kind === 'in-progress' || kind === 'ready'
}

type Versions = Pick<Seen, 'version' | 'other'>

/** A version is that of the site once two answers have told it; before, any answer may be the stray one. */
function versionsAfter({ version, other }: Versions, told: string | undefined, elapsedMs: number): Versions {
  if (told === undefined) return { version, other: undefined }
  const isKnown = version !== undefined && version.looks >= believedAfter
  return isKnown && told !== version.value
    ? { version, other: oneMore(other, told, elapsedMs) }
    : { version: oneMore(version, told, elapsedMs), other: undefined }
}

function oneMore<T>(run: Run<T> | undefined, value: T, elapsedMs: number): Run<T> {
  return run?.value === value ? { ...run, looks: run.looks + 1 } : { value, sinceMs: elapsedMs, looks: 1 }
}

/** What a look says of the configuration. Words of failure are not shown in the service document; Service §3. */
function wordOf({ kind, stages }: Observation): Said {
  if (kind === 'ready' || kind === 'failed' || kind === 'not-configured') return kind
  return stages.some(({ state }) => failureWords.test(state)) ? 'failed' : 'going-on'
}

/** The end of the wait, if the looks so far are one. */
export function verdictOn(
  { last, begun, said, version, other, refused }: Seen,
  elapsedMs: number,
): Verdict | undefined {
  const lasts = (run: Run<unknown> | undefined, least: { ms: number; looks: number }) =>
    run !== undefined && run.looks >= least.looks && elapsedMs - run.sinceMs >= least.ms
  if (other !== undefined && version !== undefined && other.looks >= believedAfter)
    return { kind: 'replaced', because: { kind: 'another-version', was: version.value, is: other.value } }
  if (refused !== undefined && lasts(refused, locked)) return { kind: 'not-allowed', failure: refused.value }
  if (said === undefined || last === undefined) return undefined
  if (said.value === 'ready' && said.looks >= believedAfter) return { kind: 'ready' }
  if (said.value === 'failed' && said.looks >= believedAfter) return { kind: 'failed', observed: last }
  if (said.value !== 'not-configured' || !lasts(said, invisible)) return undefined
  return begun ? { kind: 'replaced', because: { kind: 'not-configured-any-more' } } : { kind: 'not-begun' }
}
