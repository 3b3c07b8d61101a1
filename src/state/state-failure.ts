import type { ShownCertificate } from '../plan/shown-certificate.js'
import type { Result } from '../result.js'
import type { Contradiction, Testimony } from './witnesses.js'

/** A failure to read or write state. */
export interface StateFailure {
  readonly kind:
    | 'unreadable'
    | 'unwritable'
    | 'damaged'
    /** Written by a newer Landform. */
    | 'newer'
    /** The state of another site. */
    | 'foreign'
    /** Another run wrote it in the meantime. */
    | 'overtaken'
    /** The state is elsewhere, or belongs to another address of the same site; `to` has the place. */
    | 'moved'
    /** This machine noted a submission intent for the site with other state, and its outcome is unknown. */
    | 'promised-elsewhere'
  /** The place of the state, as the user would name it. */
  readonly where: string
  readonly reason: StateReason
  /** The new place of moved state. */
  readonly to?: MovedTo
  /** The other address of the site. */
  readonly calledBy?: string
}

/** The cause of a failure, as facts; `report/state-reasons.ts` has the words. */
export type StateReason =
  /** The message of the operating system. */
  | { readonly kind: 'system'; readonly message: string }
  /** A text from a backend outside this folder. */
  | { readonly kind: 'reported'; readonly text: string }
  | GitReason
  | ObjectReason
  | FileReason
  | VersionReason
  /** Another run holds the lock now. */
  | { readonly kind: 'taken-over' }
  /** Other runs won every race for the next version. */
  | { readonly kind: 'contended' }
  /** Another run recorded a submission intent with other state. */
  | { readonly kind: 'other-intent' }
  | { readonly kind: 'intent-elsewhere'; readonly where: string }
  /** The state is an older copy. */
  | { readonly kind: 'intent-missing'; readonly where: string }
  /** The same manifest declared the site `name` at `site` before, and the outcome of its request is unknown. */
  | { readonly kind: 'renamed-site'; readonly name: string; readonly site: string }
  /** With the facts in the pointer's version. */
  | ({ readonly kind: 'moved'; readonly to: MovedTo } & Testimony)
  /** The place that a pointer names lacks the state that the pointer proves. */
  | { readonly kind: 'not-arrived'; readonly to: MovedTo; readonly found: Contradiction }
  | { readonly kind: 'move-unfinished'; readonly from: MovedTo }
  /** The state of the name belongs to `site`, but the site was called by `url`. */
  | { readonly kind: 'other-address'; readonly name: string; readonly site: string; readonly url: string }
  /** A pointer to a text that is not a state location, or to a location that only an option may name. */
  | { readonly kind: 'no-location'; readonly location: string; readonly problem: string }
  /** A location whose endpoint the environment does not name in `variable`. */
  | { readonly kind: 'endpoint-not-allowed'; readonly endpoint: string; readonly variable: string }
  /** A pointer to a location that cannot be opened here. */
  | { readonly kind: 'unreachable-location'; readonly location: string }

/** The cause of a failed run of git; `said` is the most useful line of its output: redacted, short and untrusted. */
export interface GitReason {
  readonly kind: 'git'
  readonly cause: GitCause
  readonly said?: string
}

export type GitCause =
  | 'not-installed'
  | 'timeout'
  | 'git-too-old'
  | 'other-owner'
  | 'no-repository'
  | 'ref-rejected'
  | 'access-denied'
  | 'not-writable'
  | 'too-large'
  | 'unreachable'
  | 'no-remote'
  /** An exit code without a known meaning. */
  | number

/** The cause of a failed request to a server that keeps a version as an object. */
export type ObjectReason = S3Reason | AzureReason | KubernetesReason

/** `said` is the reason of the API server, the error code of the object storage, or an error code of Node. */
interface RequestReason<K, C> {
  readonly kind: K
  readonly cause: C
  readonly said?: string
  /** The certificate that is not trusted. */
  readonly certificate?: ShownCertificate
  /** The proxy of the environment failed, not the server. */
  readonly byProxy?: true
  /** The server's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
}

type RequestCause =
  | 'proxy-unusable'
  | 'wrong-credentials'
  | 'access-denied'
  | 'too-large'
  | 'ignores-conditions'
  | 'lost-write'
  | 'untrusted-certificate'
  | 'no-tls'
  | 'unreachable'
  | 'busy'
  /** An HTTP status without a known meaning. */
  | number

/** The cause of a failed request to a cluster. */
export type KubernetesReason = RequestReason<'kubernetes', KubernetesCause>

export type KubernetesCause =
  | RequestCause
  | 'no-cluster'
  | 'invalid-kubeconfig'
  | 'unsupported-kubeconfig'
  | 'no-plugin-credentials'
  | 'no-namespace'
  | 'not-kubernetes'

/** The cause of a failed request to object storage. */
export type S3Reason = RequestReason<'s3', S3Cause>

export type S3Cause =
  | RequestCause
  | 'no-region'
  | 'no-credentials'
  | 'no-token-file'
  | 'no-profile-credentials'
  | 'no-container-credentials'
  | 'role-denied'
  | 'expired-credentials'
  | 'wrong-clock'
  | 'no-bucket'
  | 'other-region'
  | 'no-conditions'
  | 'full'
  | 'not-object-storage'

/** The cause of a failed request to Azure Blob Storage, or to a source of tokens for it. */
export interface AzureReason extends RequestReason<'azblob', AzureCause> {
  /** The sources of a token that were tried, in order. */
  readonly tried?: readonly TriedSource[]
}

export type AzureCause = RequestCause | 'no-token' | 'network-denied' | 'no-container' | 'not-blob-storage'

/** A source that gave no token: variables that it needs are not set, or its failure code. */
export type TriedSource = { readonly source: AzureSource } & (
  | { readonly unset: readonly string[] }
  | { readonly said: string }
)

export type AzureSource =
  | 'workload-identity'
  | 'client-secret'
  | 'github'
  | 'azure-devops'
  | 'managed-identity'
  | 'azure-cli'

type FileReason =
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'not-a-folder' }
  | { readonly kind: 'dangling-link' }
  /** A link to a folder that its owner may not write to. */
  | { readonly kind: 'link-to-read-only' }
  | { readonly kind: 'other-owner'; readonly uid: number }
  | { readonly kind: 'open-to-others' }
  /** The file system supports no hard links. */
  | { readonly kind: 'no-hard-links'; readonly message: string }

type VersionReason =
  | { readonly kind: 'missing' }
  | { readonly kind: 'missing-before-later' }
  | { readonly kind: 'missing-version'; readonly serial: number }
  /** The ref of the remote lacks versions that this clone has seen; `seenRef` points to the newest of them. */
  | {
      readonly kind: 'rewritten'
      readonly remote: string
      readonly ref: string
      readonly seenRef: string
    }
  | { readonly kind: 'no-document'; readonly document: string }
  | { readonly kind: 'not-json'; readonly serial: number }
  | { readonly kind: 'not-a-state'; readonly serial: number }
  | { readonly kind: 'wrong-checksum'; readonly serial: number }
  | { readonly kind: 'wrong-serial'; readonly serial: number; readonly found: number }
  /** A version without the digest of the one before. */
  | { readonly kind: 'broken-chain'; readonly serial: number }
  /** The versions lack a request that another chain records. */
  | { readonly kind: 'missing-request'; readonly nonce: string; readonly recordedIn: string }
  | { readonly kind: 'newer-format' }
  | { readonly kind: 'other-site' }

/** The place of a site's state, as a pointer records it. */
export interface MovedTo {
  /** A state location; absent if it is the same. */
  readonly state?: string
  /** The address of the site; absent if it is the same. */
  readonly site?: string
}

export type StateReply<T> = Result<T, StateFailure>
