/** Names a `configure` that was about to be sent. */
export interface SentRequest {
  readonly nonce: string
  readonly generation: number
}

export function selectRequest({ nonce, generation }: SentRequest): SentRequest {
  return { nonce, generation }
}

/**
 * The facts that something outside the versions of a site knows of them: the chain of its name, the chain of its manifest,
 * the note of a machine, or a pointer that was followed.
 */
export interface Testimony {
  /** The history that the versions continue. */
  readonly lineage?: string | undefined
  /** A request that they hold. */
  readonly request?: SentRequest | undefined
}

/** A contradiction between a testimony and the versions of a site. */
export type Contradiction =
  /** No version is there. */
  | 'no-history'
  | 'other-history'
  /** The versions lack the request, such as those of a restored or interrupted copy. */
  | 'older-copy'

/** The part of a version that a testimony is about. */
interface Known {
  readonly lineage: string
  readonly submission?: SentRequest
}

/** Finds the contradiction between a testimony and the newest version of a site: without it, no request may be sent. */
export function hear(newest: Known | undefined, { lineage, request }: Testimony): Contradiction | undefined {
  if (lineage !== undefined && newest === undefined) return 'no-history'
  if (lineage !== undefined && newest?.lineage !== lineage) return 'other-history'
  return request === undefined || holdsRequest(newest?.submission, request) ? undefined : 'older-copy'
}

/** True for a site whose newest request is this one or a later one. */
function holdsRequest(newest: SentRequest | undefined, { nonce, generation }: SentRequest): boolean {
  return newest !== undefined && (newest.nonce === nonce || newest.generation > generation)
}
