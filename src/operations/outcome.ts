import type { ServiceFailure } from '../client/failure.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'

/** How a one-shot operation can end short of success. */
export type Setback =
  /** The service did not do it, or it was a check, which changes nothing. */
  | { readonly kind: 'not-taken'; readonly failure: ServiceFailure }
  /** The request may or may not have been carried out. */
  | { readonly kind: 'unknown'; readonly failure: ServiceFailure }
  /** Secrets are missing or unfit; nothing was sent. */
  | { readonly kind: 'references'; readonly diagnostics: readonly Diagnostic[] }
  /** The run was interrupted before anything was sent. */
  | { readonly kind: 'interrupted' }

/** Those of them after which certainly nothing was sent. */
export type Unsent = Extract<Setback, { readonly kind: 'references' | 'interrupted' }>

/** How an export ended. `location` is the file as the service names it; a check has none. Service §2.1. */
export type ExportOutcome =
  | Setback
  | { readonly kind: 'done'; readonly location?: string }
  /** It is there, and the service says what is wrong with it. */
  | { readonly kind: 'warned'; readonly location?: string; readonly messages: readonly string[] }

/** How a deletion ended. */
export type DeleteOutcome = Setback | { readonly kind: 'done' }
