import type { ServiceVersion } from './versions.js'

/** Texts with documented limits, which rules word better than a schema. Service §4.3, §8. */
export type LimitedText = 'username' | 'email'

/** Secrets with documented limits. Service §4.3, §8. */
export type LimitedSecret = 'password'

/** The form of a field in a manifest, as plain data. */
export type FieldShape =
  /** Editors offer `examples` instead of the one example where they are given. */
  | {
      readonly kind: 'text'
      readonly example: string
      readonly examples?: readonly string[]
      readonly limit?: LimitedText
    }
  /** One of few texts, each with its meaning. */
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, string>>; readonly default: string }
  /** A reference to a secret, which is never shown, stored or logged; `example` stands for the secret itself. */
  | { readonly kind: 'secret'; readonly example: string; readonly limit?: LimitedSecret }
  /** A file below the folder of the manifest; its bytes are sent, and kept as a secret is. */
  | { readonly kind: 'file'; readonly example: string }
  /** A map with any members. */
  | { readonly kind: 'map'; readonly example: Readonly<Record<string, string | number | boolean>> }
  /** One text, or a list of texts whose order does not count. */
  | { readonly kind: 'texts'; readonly examples: readonly (readonly string[])[] }
  /** A list of what a definition of the schema describes; those of a base and an overlay merge by `mergeBy`. */
  | { readonly kind: 'list'; readonly of: 'CloudProvider' | 'DataStore'; readonly mergeBy: readonly string[] }
  /** A value with a definition of its own in the schema. */
  | { readonly kind: 'defined'; readonly definition: 'SecurityQuestion' | 'Volumes' | 'Upgrade' }

type Shape<K extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: K }>

/** The wire type of each value whose wire form differs from that in a manifest. Service §2.4 to §2.6, §2.9. */
export const quirks = {
  question: 'integer',
  volumes: 'JSON object',
  cloudStorage: 'JSON array',
  folders: 'string',
  dataStores: 'JSON array',
} as const

/** A value that needs an encoder of its own in the client, and a check of its own in the emulator. */
export type Quirk = keyof typeof quirks

/** True for what needs an encoder of its own. */
export function isQuirk(sent: FieldRow['sent']): sent is Quirk {
  return typeof sent === 'string' && Object.hasOwn(quirks, sent)
}

/**
 * How each shape is sent: as text, as JSON, as the secret or the file that it names, as the one member of a JSON object, or
 * by an encoder of its own. No other pair compiles, and no field without an encoding.
 */
type Content =
  | { readonly shape: Shape<'text' | 'choice'>; readonly sent: 'text' | { readonly member: string } }
  | { readonly shape: Shape<'secret'>; readonly sent: 'secret' }
  | { readonly shape: Shape<'file'>; readonly sent: { readonly fileName: string } }
  | { readonly shape: Shape<'map' | 'defined'>; readonly sent: 'json' }
  | { readonly shape: Shape<'defined' | 'list' | 'texts'>; readonly sent: Quirk }

/** The service document, or public sources: then people are shown `origin` instead of a section. */
type Source = { readonly source?: 'document' } | { readonly source: 'reported'; readonly origin: string }

/** Immutable after creation, in words for people; several fields may share a `part` of the manifest. */
interface Immutable {
  readonly immutable: string
  readonly part?: `/spec/${string}`
}

/** One field of a manifest: everything that is known of it, as plain data. Service §4.3, §4.4. */
export type FieldRow = Content &
  Source & {
    /** The request parameter. */
    readonly name: string
    /** The place in a manifest. */
    readonly pointer: `/spec/${string}`
    readonly meaning: string
    /** `not-shown` where the document does not say whether a request may leave it out. */
    readonly required: 'yes' | 'no' | 'not-shown'
    /** The version that introduced it; that of the operation unless given. */
    readonly since?: ServiceVersion
    /** `update`, an operation that the document only mentions, or nothing changes it once the organization exists. */
    readonly later: 'update' | 'another-operation' | Immutable
    /** The setting of a site that tells it, where one does. */
    readonly readBack?: 'upgradeConfig' | 'profile' | 'logLevel' | 'systemProperties'
    /** Facts that the document leaves open. */
    readonly notShown?: string
    /** The name of its JSON structure in the description of the service. */
    readonly structure?: string
  }
