/** Identifies a `configure` that was about to be sent. */
export interface SentRequest {
  readonly nonce: string
  readonly generation: number
}

export function selectRequest({ nonce, generation }: SentRequest): SentRequest {
  return { nonce, generation }
}

/**
 * Facts about the versions of a site from a source outside them: the chain of its name, the chain of its manifest, the
 * note of a machine, or the pointer that led to it.
 */
export interface Testimony {
  /** The history to which the versions must belong. */
  readonly lineage?: string | undefined
  /** A request that the versions must contain. */
  readonly request?: SentRequest | undefined
}

/** A contradiction between a testimony and the versions of a site. */
export type Contradiction =
  /** There is no version. */
  | 'no-history'
  | 'other-history'
  /** The versions lack the request, as in a restored or incomplete copy. */
  | 'older-copy'

/** The part of a version that a testimony concerns. */
interface Known {
  readonly lineage: string
  readonly submission?: SentRequest
}

/** Finds the contradiction between a testimony and the newest version of a site. No request may be sent if there is one. */
export function hear(newest: Known | undefined, { lineage, request }: Testimony): Contradiction | undefined {
  if (lineage !== undefined && newest === undefined) return 'no-history'
  if (lineage !== undefined && newest?.lineage !== lineage) return 'other-history'
  return request === undefined || holdsRequest(newest?.submission, request) ? undefined : 'older-copy'
}

/** True if the newest request is this one or a later one. */
function holdsRequest(newest: SentRequest | undefined, { nonce, generation }: SentRequest): boolean {
  return newest !== undefined && (newest.nonce === nonce || newest.generation > generation)
}
