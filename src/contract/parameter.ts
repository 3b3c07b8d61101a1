import type { ServiceVersion } from './versions.js'

/** The encoding of a value: plain text, JSON text, or a file part. */
export type Encoding = 'text' | 'json' | 'file'

/** One request parameter of one operation. `meaning` is the sentence that schemas and help texts show. */
export interface Parameter {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean text' | 'JSON object' | 'JSON array' | 'file'
  readonly encoding: Encoding
  /** `not-shown` if the service document does not show whether it is optional. */
  readonly required: 'yes' | 'no' | 'not-shown'
  readonly since: ServiceVersion
  readonly meaning: string
  readonly section: string
  /** The value must never be shown, stored or logged. */
  readonly secret?: true
  /** The request variants with the parameter, if there are several. */
  readonly variants?: readonly ExportVariant[]
}

/** The three request variants of `exportSite`, by target store. Service §4.1. */
export const exportVariants = ['folder', 'bucket', 'container'] as const
export type ExportVariant = (typeof exportVariants)[number]

/** The parameter `f`, which every operation has. Service §4.0. */
export const format = (
  section: string,
  since: ServiceVersion,
  required: Parameter['required'] = 'not-shown',
) =>
  ({
    name: 'f',
    type: 'string',
    encoding: 'text',
    required,
    since,
    section,
    meaning: 'Format of the answer.',
  }) as const satisfies Parameter

/** The parameter `token`, sent in the body. Service §5. */
export const token = (section: string, since: ServiceVersion) =>
  ({
    name: 'token',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since,
    section,
    secret: true,
    meaning: 'The access token is sent in the body of requests.',
  }) as const satisfies Parameter

/** The response formats seen in the examples; the allowed values are not shown. Service §4.0. */
export const responseFormats = ['json', 'pjson'] as const
