import type { ServiceVersion } from './versions.js'

/** Texts with documented limits, which rules report better than a schema. Service §4.3, §8. */
export type LimitedText = 'username' | 'email'

/** Secrets with documented limits. Service §4.3, §8. */
export type LimitedSecret = 'password'

/** The form of a field in a manifest, as plain data. */
export type FieldShape =
  /** Text; editors offer `examples` instead of `example` if there are any. */
  | {
      readonly kind: 'text'
      readonly example: string
      readonly examples?: readonly string[]
      readonly limit?: LimitedText
    }
  /** One of a few texts, each with its meaning. */
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, string>>; readonly default: string }
  /** A reference to a secret, which is never shown, stored or logged; `example` is an example of the secret itself. */
  | { readonly kind: 'secret'; readonly example: string; readonly limit?: LimitedSecret }
  /** A file below the folder of the manifest; its bytes are sent and handled like a secret. */
  | { readonly kind: 'file'; readonly example: string }
  /** A map with any members. */
  | { readonly kind: 'map'; readonly example: Readonly<Record<string, string | number | boolean>> }
  /** One text, or a list of texts in any order. */
  | { readonly kind: 'texts'; readonly examples: readonly (readonly string[])[] }
  /** A list of elements of one schema definition; the lists of a base and an overlay merge by `mergeBy`. */
  | { readonly kind: 'list'; readonly of: 'CloudProvider' | 'DataStore'; readonly mergeBy: readonly string[] }
  /** A value with its own definition in the schema. */
  | { readonly kind: 'defined'; readonly definition: 'SecurityQuestion' | 'Volumes' | 'Upgrade' }

type ShapeOfKind<K extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: K }>

/** The type in a request of each value whose form there differs from that in a manifest. Service §2.4 to §2.6, §2.9. */
export const quirks = {
  question: 'integer',
  volumes: 'JSON object',
  cloudStorage: 'JSON array',
  folders: 'string',
  dataStores: 'JSON array',
} as const

/** A value that needs its own encoder in the client and its own check in the emulator. */
export type Quirk = keyof typeof quirks

/** True for a value that needs its own encoder. */
export function isQuirk(sent: FieldRow['sent']): sent is Quirk {
  return typeof sent === 'string' && Object.hasOwn(quirks, sent)
}

/**
 * The encoding of each shape: text, JSON, a referenced secret or file, the only member of a JSON object, or a custom encoder.
 * Any other pair, or a field without an encoding, does not compile.
 */
type FieldEncoding =
  | { readonly shape: ShapeOfKind<'text' | 'choice'>; readonly sent: 'text' | { readonly member: string } }
  | { readonly shape: ShapeOfKind<'secret'>; readonly sent: 'secret' }
  | { readonly shape: ShapeOfKind<'file'>; readonly sent: { readonly fileName: string } }
  | { readonly shape: ShapeOfKind<'map' | 'defined'>; readonly sent: 'json' }
  | { readonly shape: ShapeOfKind<'defined' | 'list' | 'texts'>; readonly sent: Quirk }

/** A field that no apply changes after creation. */
interface UnchangedField {
  /** The description of an irreversible choice; several fields may share a `part` of the manifest. */
  readonly immutable?: string
  readonly part?: `/spec/${string}`
  /** The operations of the service that change it nevertheless; empty if no public source names one. */
  readonly changedBy: readonly OtherOperation[]
}

/**
 * An operation of the service that changes a field later. Landform does not perform it. `operation` is its path below the
 * administrator API, or below the site for the operations of the portal (`sharing/rest`), as public sources name it.
 */
export interface OtherOperation {
  readonly operation: string
  /** The version that introduced it; absent if its page names none. */
  readonly since?: ServiceVersion
  /** Its effect, if it does not set every value. */
  readonly effect?: string
  /** The parts of the field that it changes, as patterns; by default all. */
  readonly parts?: readonly string[]
  /** The kinds of edits that it can carry out, by default all. If empty, it concerns the field only as a whole. */
  readonly edits?: readonly EditKind[]
}

/** The kinds of edits: a value that is new, another one, or gone. */
export type EditKind = 'addition' | 'change' | 'removal'

/**
 * The operations of the service that change later what `configure` set. Landform performs none of them (administrator API
 * reference, which shows their versions; portal reference and Python library of the vendor for users, which do not).
 */
export const otherOperations = {
  editLogSettings: { operation: 'logs/settings/edit' },
  updateProperties: { operation: 'system/properties/update' },
  updateUser: { operation: 'sharing/rest/community/users/<username>/update' },
  updateUserType: { operation: 'sharing/rest/portals/self/updateUserLicenseType' },
  importLicense: { operation: 'orgs/0123456789ABCDEF/license/importLicense', since: '10.9' },
  importServerLicenses: { operation: 'system/licenses/importServerLicenses', since: '10.9' },
  editVolumes: {
    operation: 'data/<id>/config/volumes/edit',
    since: '11.3',
    effect: 'only enlarges dynamically provisioned volumes whose storage class allows expansion',
    parts: ['RELATIONAL_PRIMARY', 'RELATIONAL_SECONDARY', 'BLOB', 'INDEXER'].map(name => `/${name}/size`),
    edits: ['change'],
  },
  migrateDatabase: {
    operation: 'data/<id>/migrateToCloudDb',
    since: '11.5',
    effect: 'moves the relational store to a cloud database',
    edits: [],
  },
  updateCredential: {
    operation: 'cloud/providers/<id>/credential/update',
    since: '11.2',
    effect: 'replaces the credential of a provider',
    parts: ['/*/credential'],
    edits: ['change'],
  },
  migrateObjectStore: {
    operation: 'data/<id>/migrateObjectStore',
    since: '12.1',
    effect: 'moves the objects from the cluster to cloud storage',
    edits: ['addition'],
  },
  registerStore: {
    operation: 'data/registerItem',
    since: '10.9',
    effect: 'registers another one',
    edits: ['addition', 'change'],
  },
} as const satisfies Readonly<Record<string, OtherOperation>>

/** All facts about one field of a manifest, as plain data. Service §4.3, §4.4. */
export type FieldRow = FieldEncoding &
  ({ readonly source?: 'document' } | { readonly source: 'reported'; readonly origin: string }) & {
    /** The request parameter. */
    readonly name: string
    /** The place in a manifest. */
    readonly pointer: `/spec/${string}`
    readonly meaning: string
    /** `not-shown` if the document does not show whether it is optional. */
    readonly required: 'yes' | 'no' | 'not-shown'
    /** The version that introduced it; by default the version of the operation. */
    readonly since?: ServiceVersion
    /** The way to change it after creation: `update`, operations that Landform does not perform, or none. */
    readonly later: 'update' | UnchangedField
  }

/** The object around the array of volume entries in `volumesConfig`. Service §4.3. */
export const volumesWrapper = 'volumesConfig'

/** The field of the architecture profile object. Service §2.7. */
export const profileField = 'name'

/** The field of the log settings object; its values are not shown. Service §2.7, §4.3. */
export const logLevelField = 'logLevel'

/** The limits that the service states. Service §8, §4.3. */
export const limits = {
  usernameCharacters: 6,
  passwordCharacters: 8,
  volumes: 8,
} as const

/** The form of an email address; it is loose, because the document shows no rule. Service §4.3. */
export const emailForm = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;.]+(?:[.][^\s@<>"(),:;.]+)*$/

/** The required characters of a password. Service §4.3, §8. */
export const passwordNeeds = { letter: /[A-Za-z]/, digit: /[0-9]/ } as const
