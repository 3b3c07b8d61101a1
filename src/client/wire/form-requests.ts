import { operations, type ParameterName, type ServiceName } from '../../contract/operations.js'
import type { connectionStringFields, token } from '../../contract/parameter.js'
import type { JsonObject } from '../../schema/json-schema.js'
import type { JsonPointer } from '../../schema/pointer.js'
import type { NeededSecret } from '../../secrets/needed-references.js'
import type { Secret } from '../../secrets/secret.js'
import type { FormField } from './form.js'
import { encodeJson, type WireValue } from './json-bytes.js'

/** The target of an export, in addition to the folder. Service §4.1. */
export type ExportTarget =
  | { readonly kind: 'folder' }
  | { readonly kind: 'bucket'; readonly name: string; readonly region: string }
  | {
      readonly kind: 'container'
      readonly url: string
      readonly accountName: string
      readonly accountEndpoint: string
      readonly accountKey: NeededSecret
    }

/** The parameters of an export. Holds references, never secrets. Service §4.1. */
export interface ExportRequest {
  /** Folder that the service can write to. */
  readonly location: string
  readonly target: ExportTarget
  /** Only check whether the location, and the bucket or container, can be reached; from 11.1. */
  readonly validate: boolean
  readonly token?: TokenPlace | undefined
}

/** The place of the token among the secrets of a request. */
export type TokenPlace = Pick<NeededSecret, 'pointer'>

type ExportName = ParameterName<'exportSite'> | ReturnType<typeof token>['name']
type ExportField = FormField & { readonly name: ExportName }

/**
 * Builds the fields of an `exportSite` request. Their values are new buffers with secrets, which the caller wipes.
 *
 * Only the default administrator may export (Service §5.1), but no documented parameter identifies the caller; the token goes
 * into the body, as in the other operations.
 */
export function buildExportFields(
  request: ExportRequest,
  secretAt: (pointer: JsonPointer) => Secret,
): readonly FormField[] {
  const { location, target, validate, token } = request
  return [
    text('location', location),
    ...buildTargetFields(target, secretAt),
    ...(validate ? [text('validate', 'true')] : []),
    text('f', 'json'),
    // A copy, because the caller wipes the fields and does not own the secret.
    ...(token === undefined ? [] : [bytes('token', Buffer.from(secretAt(token.pointer).bytes))]),
  ]
}

function buildTargetFields(
  target: ExportTarget,
  secretAt: (pointer: JsonPointer) => Secret,
): readonly ExportField[] {
  switch (target.kind) {
    case 'folder':
      return []
    case 'bucket':
      return [text('backupObjectStore', target.name), text('backupObjectStoreRegion', target.region)]
    case 'container': {
      const { url, accountName, accountKey, accountEndpoint } = target
      const connection = {
        accountName,
        accountKey: secretAt(accountKey.pointer),
        accountEndpoint,
      } satisfies Record<(typeof connectionStringFields)[number], WireValue>
      return [text('backupObjectStore', url), bytes('backupObjectStoreConnectionStr', encodeJson(connection))]
    }
    default:
      return target satisfies never
  }
}

function text(name: ExportName, value: string): ExportField {
  return bytes(name, Buffer.from(value))
}

function bytes(name: ExportName, value: Buffer): ExportField {
  return { name, value }
}

/** Builds the fields of a `deleteAll` request, which the caller wipes. The token goes into the body. Service §4.2, §5. */
export function buildDeleteAllFields(
  token: TokenPlace | undefined,
  secretAt: (pointer: JsonPointer) => Secret,
): readonly FormField[] {
  const field = (name: ParameterName<'deleteAll'>, value: Uint8Array) => ({ name, value: Buffer.from(value) })
  const format = field('f', Buffer.from('json'))
  return token === undefined ? [format] : [format, field('token', secretAt(token.pointer).bytes)]
}

const { path } = operations.deleteAll

/** Builds the path of `deleteAll` for one service. */
export function buildDeleteAllPath(service: ServiceName): string {
  const { folder, name, type } = service
  const segments = [...(folder === undefined ? [] : [folder]), `${name}.${type}`]
  return path.replace('{service}', segments.map(encodeSegment).join('/'))
}

/** Also encodes parentheses, because some proxies reject them. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29')
}

/** Builds the path that lists the webhooks of a service. Public sources. */
export function buildWebhooksPath(service: ServiceName): string {
  return buildDeleteAllPath(service).replace(/\/deleteAll$/, '')
}

/** The content of an `update`. */
export interface UpdateRequest {
  readonly upgradeConfig: JsonObject
}

/** Builds the fields of an `update` request. The token goes into the body. Service §4.4, §5. */
export function buildUpdateFields(
  { upgradeConfig }: UpdateRequest,
  token: Secret | undefined,
): readonly FormField[] {
  const values: Readonly<Record<ParameterName<'update'>, Buffer | undefined>> = {
    upgradeConfig: Buffer.from(JSON.stringify(upgradeConfig)),
    f: Buffer.from('json'),
    token: token?.bytes,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}
