import type { OperationName } from '../../contract/parameter.js'
import type { EmulatorJsonObject } from './json.js'

/** One value of a request; both encodings end as a list of these, in the order in which they were sent. */
export type RequestPart = TextPart | FilePart

/** A value that came as text: every parameter but the license files, JSON too. Service §4. */
export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

/** A value that came as a file; only multipart form data can carry one. Service §4.3. */
export interface FilePart {
  readonly kind: 'file'
  readonly name: string
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A parsed body. An unreadable one still reaches its operation, which rejects it. */
export type ParsedBody =
  | { readonly encoding: 'none' | 'form' | 'multipart'; readonly parts: readonly RequestPart[] }
  | { readonly encoding: 'unreadable'; readonly parts: readonly []; readonly problem: string }

/** The target of a path. `service` is `<ServiceName>.<ServiceType>`. Service §4.2. */
export type OperationTarget =
  | { readonly operation: Exclude<OperationName, 'deleteAll'> | 'unknown' }
  | { readonly operation: 'deleteAll'; readonly service: string }

/** A request as operations read it: without its socket, and of its headers only the bearer token. */
export interface ServiceRequest {
  readonly method: string
  readonly target: OperationTarget
  /** Parameters from the address, which only GET may have: the document puts all others into the body. */
  readonly query: readonly TextPart[]
  readonly body: ParsedBody
  /** The path relative to the base path: empty, from `/` on, or from `../` on. Documented operations need only the target. */
  readonly path?: string
  /** The token of an `Authorization` header, which the document does not show. */
  readonly bearer?: string
}

/** An answer as a value; only the last step formats it. */
export interface ServiceResponse {
  readonly httpStatus: number
  readonly body: EmulatorJsonObject
  readonly pretty: boolean
  /** The allowed methods, if another one was rejected. RFC 9110 §15.5.6. */
  readonly allow?: readonly string[]
}

/** A request that arrived whole, with the facts that the log needs in addition. */
export interface ReceivedRequest {
  readonly request: ServiceRequest
  readonly path: string
  readonly contentType: string
}
