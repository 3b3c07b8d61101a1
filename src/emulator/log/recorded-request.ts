import type { OperationName } from '../../contract/operation-name.js'
import type { Fault } from '../faults/fault.js'
import type { Json } from '../service/json.js'

/** One request that came in whole, whatever became of it, with nothing in it that may not be shown. */
export interface RecordedRequest {
  /** Counts the requests of all sites of one emulator, from 1. */
  readonly id: number
  /** The base path of the site. */
  readonly site: string
  /** Milliseconds since 1970 on the clock of the service. */
  readonly at: number
  readonly method: string
  /** Below the base path, without the query; words that no path of the service has are left out. */
  readonly path: string
  readonly operation: OperationName | 'unknown'
  /** The media type, where it is one the service takes. */
  readonly contentType: string
  readonly parameters: readonly RecordedParameter[]
  /** How many parameters there were beside those. */
  readonly more: number
  /** Of the answer that travelled; null where none did. */
  readonly httpStatus: number | null
  /** True where the service took it, whatever its sender got to see. */
  readonly accepted: boolean
  /** The kind of fault that it met. */
  readonly fault?: Fault['kind']
  /** The sentence of the error body, without what it quotes. */
  readonly problem?: string
}

/** One parameter as it may be shown; `bytes` is the size of what was sent. */
export type RecordedParameter = { readonly name: string; readonly bytes: number } & (
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'file'; readonly fileName: string; readonly contentType: string }
  | { readonly kind: 'hidden'; readonly why: 'secret' | 'unknown' | 'in the address' | 'malformed' }
)
