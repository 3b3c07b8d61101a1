import { type Field, listFields } from '../../contract/fields.js'
import { profileField } from '../../contract/structures.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { Organization } from '../../manifest/manifest.js'
import { select } from '../../manifest/select.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { encodeJson } from './json-bytes.js'
import type { MultipartPart, PartOfBody } from './multipart.js'
import { quirkEncoders, type SecretAt } from './quirk-encoders.js'

/**
 * Builds the parts of a `configure` request, in the order of the document, each by its row. Fields that the manifest
 * omits are not sent. `fileAt` is for files that are not in memory. Service §4.3.
 */
export function buildConfigureParts<F extends PartOfBody = Buffer>(
  organization: Organization,
  secretAt: SecretAt,
  fileAt?: (pointer: JsonPointer) => F,
): readonly MultipartPart<Buffer | F>[] {
  return [
    ...listFields('configure').flatMap(field => {
      const value = encodeField(organization, field.pointer)
      return value === undefined ? [] : [encodePart(field, value)]
    }),
    ...Object.entries(organization.extra ?? {}).map(([name, value]) =>
      text(name, typeof value === 'string' ? Buffer.from(value) : encodeJson(value)),
    ),
    ...Object.values(organization.deploymentProfiles ?? {}).map(({ name, parameter }) =>
      text(parameter, encodeJson({ [profileField]: name })),
    ),
    text('f', Buffer.from('json')),
  ]

  function encodePart(
    { pointer, sent, parameter: { name } }: Field,
    value: JsonValue,
  ): MultipartPart<Buffer | F> {
    if (typeof sent !== 'string')
      return 'member' in sent
        ? text(name, encodeJson({ [sent.member]: value }))
        : {
            kind: 'file',
            name,
            fileName: `${sent.fileName}.${extension(String(value))}`,
            value: fileAt?.(pointer) ?? secretAt(pointer).bytes,
          }
    switch (sent) {
      case 'text':
        return text(name, Buffer.from(String(value)))
      case 'secret':
        return text(name, secretAt(pointer).bytes)
      case 'json':
        return text(name, encodeJson(value))
      default:
        return text(name, quirkEncoders[sent](organization, secretAt))
    }
  }
}

function encodeField(organization: Organization, pointer: JsonPointer): JsonValue | undefined {
  const [found] = select({ spec: organization }, pointer)
  return found?.value
}

function text(name: string, value: Buffer): MultipartPart {
  return { kind: 'text', name, value }
}

/** The ending of the user's file, if it is a plain one; nothing else of the name leaves the machine. */
function extension(path: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1] ?? 'lic'
}
