import type { OperationName } from '../../contract/parameter.js'
import type { EmulatorJsonObject } from './json.js'

/** One value of a request; both encodings are parsed into a list of these, in the order of the request. */
export type RequestPart = TextPart | FilePart

/** A value sent as text: every parameter except the license files, including JSON. Service §4. */
export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

/** A value sent as a file, which requires multipart form data. Service §4.3. */
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

/** A request as operations read it: without a socket, and with no header except the bearer token. */
export interface ServiceRequest {
  readonly method: string
  readonly target: OperationTarget
  /** The query parameters. Only GET may have them: the document puts all others into the body. */
  readonly query: readonly TextPart[]
  readonly body: ParsedBody
  /** The path relative to the base path, as `makeRelative` returns it. Documented operations need only the target. */
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
