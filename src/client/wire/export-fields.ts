import type { connectionStringFields } from '../../contract/export-site-parameters.js'
import type { ParameterName } from '../../contract/operations.js'
import type { token } from '../../contract/parameter.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { NeededSecret } from '../../secrets/needed-references.js'
import type { Secret } from '../../secrets/secret.js'
import type { FormField } from './form.js'
import { encodeJson, type WireValue } from './json-bytes.js'

/** The target of an export besides the folder; one of the three variants. Service §4.1. */
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
  readonly token?: NeededSecret | undefined
}

type Name = ParameterName<'exportSite'> | ReturnType<typeof token>['name']
type ExportField = FormField & { readonly name: Name }

/**
 * Builds the fields of an `exportSite` request. Values made here hold secrets: the caller wipes them.
 *
 * Only the default administrator may export (Service §5.1), but no documented parameter identifies the caller; the
 * token goes into the body, as in the other operations.
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
    // A copy, since the caller wipes these and the secret is not ours.
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

function text(name: Name, value: string): ExportField {
  return bytes(name, Buffer.from(value))
}

function bytes(name: Name, value: Buffer): ExportField {
  return { name, value }
}
