import type { ServiceFailure } from '../client/failure.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'

/** The ways in which a one-shot operation fails. */
export type OneShotFailure =
  /** The service did not carry it out, or it was a check, which changes nothing. */
  | { readonly kind: 'not-taken'; readonly failure: ServiceFailure }
  /** It is unknown whether the request was carried out. */
  | { readonly kind: 'unknown'; readonly failure: ServiceFailure }
  /** Secrets are missing or invalid. */
  | { readonly kind: 'references'; readonly diagnostics: readonly Diagnostic[] }
  /** The run was interrupted before anything was sent. */
  | { readonly kind: 'interrupted' }

/** The failures before anything was sent. */
export type UnsentOutcome = Extract<OneShotFailure, { readonly kind: 'references' | 'interrupted' }>

/** The outcome of an export. `location` is the file as the service names it; a check has none. Service §2.1. */
export type ExportOutcome =
  | OneShotFailure
  | { readonly kind: 'done'; readonly location?: string; readonly messages?: readonly string[] }
  /** The export exists, and the service reports problems with it. */
  | { readonly kind: 'warned'; readonly location?: string; readonly messages: readonly string[] }

/** The outcome of a deletion. */
export type DeleteOutcome = OneShotFailure | { readonly kind: 'done' }
