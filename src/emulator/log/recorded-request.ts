import type { OperationName } from '../../contract/operation-name.js'
import type { Fault } from '../faults/fault.js'
import type { Json } from '../service/json.js'

/** One request that arrived whole, whatever its result, without anything that must not be shown. */
export interface RecordedRequest {
  /** The number of the request among those of all sites of one emulator, from 1. */
  readonly id: number
  /** The base path of the site. */
  readonly site: string
  /** Milliseconds since 1970 on the clock of the service. */
  readonly at: number
  readonly method: string
  /** The path below the base path, without the query; words that no path of the service has are removed. */
  readonly path: string
  readonly operation: OperationName | 'unknown'
  /** The media type, if the service accepts it. */
  readonly contentType: string
  readonly parameters: readonly RecordedParameter[]
  /** The number of further parameters. */
  readonly more: number
  /** The status of the answer that was sent; null if there was none. */
  readonly httpStatus: number | null
  /** True if the service accepted it, whatever its sender got to see. */
  readonly accepted: boolean
  /** The kind of the fault that it met. */
  readonly fault?: Fault['kind']
  /** The message of the error body, without the texts that it quotes. */
  readonly problem?: string
}

/** One parameter, redacted; `bytes` is the size that was sent. */
export type RecordedParameter = { readonly name: string; readonly bytes: number } & (
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'file'; readonly fileName: string; readonly contentType: string }
  | { readonly kind: 'hidden'; readonly why: 'secret' | 'unknown' | 'in the address' | 'malformed' }
)
