import type { CloudSpelling } from '../contract/cloud.js'
import type { ServiceVersion } from '../contract/versions.js'
import type { Place, RelatedPlace } from '../diagnostics/place.js'
import type * as generated from '../schema/generated/manifest.js'
import type { JsonPointer } from '../schema/pointer.js'

export type { SecretReference } from '../schema/generated/manifest.js'

/** Makes a type readonly; maps with any keys stay unchanged, because JSON values are readonly already. */
type DeepReadonly<T> = T extends unknown
  ? string extends keyof T
    ? T
    : { readonly [K in keyof T]: DeepReadonly<T[K]> }
  : never

/** The content of a manifest as its schema describes it. */
export type SiteDeployment = DeepReadonly<generated.SiteDeployment>
export type ManifestSpec = SiteDeployment['spec']
/** The TLS verification settings of the site. */
export type TlsSettings = NonNullable<ManifestSpec['site']['tls']>
export type CloudProvider = DeepReadonly<generated.CloudProvider>
export type VolumeSpec = DeepReadonly<generated.Volume>

/** The placement policy of upgrade pods with explicit defaults. Service §2.7. */
export type PodPlacementPolicy = Required<DeepReadonly<generated.PodPlacementPolicy>>

/** The input of `configure`: the manifest without the site itself, its state location and the upgrade policy. */
export type Organization = Omit<ManifestSpec, 'site' | 'state' | 'upgrade'> & {
  /** The spelling of `cloudStorage` fields in the request; by default that of the service document. */
  readonly cloudSpelling?: CloudSpelling
}

/** The values of an organization in a record: all of them after an apply, the known ones after an adoption. */
export type RecordedOrganization = Known<Organization>

type Known<T> = T extends readonly unknown[]
  ? T
  : string extends keyof T
    ? T
    : T extends object
      ? { readonly [K in keyof T]?: Known<T[K]> }
      : T

/** Lists the request parameters whose names are in the manifest: those in `extra`, and those of `deploymentProfiles`. */
export function listNamedParameters({
  extra = {},
  deploymentProfiles = {},
}: Organization): readonly string[] {
  return [...Object.keys(extra), ...Object.values(deploymentProfiles).map(({ parameter }) => parameter)]
}

/** Desired state that passed every check; only `loadManifest` creates it. Contains references, never secrets. */
export interface Manifest {
  readonly name: string
  readonly site: ManifestSpec['site'] & { readonly version: ServiceVersion }
  /** The state location, as written. */
  readonly state?: string
  readonly organization: Organization
  /** Absent without `upgrade`: Landform then does not change the policy of the site. */
  readonly policy?: PodPlacementPolicy
  /** Halves of the policy that the manifest does not set, and that are therefore empty. */
  readonly policyDefaults?: readonly (keyof PodPlacementPolicy)[]
  /** The file it was read from. */
  readonly file: string
  /** SHA-256 of the bytes of the file. */
  readonly digest: string
  /** The base files, nearest first. */
  readonly bases: readonly { readonly file: string; readonly digest: string }[]
  /** The places of its fields, for diagnostics. */
  readonly places: FieldPlaces
}

/** The place of a field, in the manifest itself or in a base. */
export interface FieldPlace extends RelatedPlaces {
  readonly key: Place
  readonly value: Place
}

/** Other places that explain a field. */
export interface RelatedPlaces {
  /** The lines that extend its file. */
  readonly way: readonly RelatedPlace[]
  /** The place that it is merged with or overrides. */
  readonly under?: RelatedPlace
}

/** A file that was read. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** The places of the fields: already known, or as the files that are parsed when a place is needed, nearest first. */
export type FieldPlaces =
  | { readonly files: readonly TextFile[] }
  | { readonly known: Readonly<Partial<Record<JsonPointer, FieldPlace>>> }
