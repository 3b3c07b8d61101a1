import type { CloudSpelling } from '../contract/cloud.js'
import type { ServiceVersion } from '../contract/versions.js'
import type { Place, Related } from '../diagnostics/place.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type * as generated from '../schema/generated/manifest.js'

export type { SecretReference } from '../schema/generated/manifest.js'

/** Maps with any keys are left as they are: theirs are JSON values, which are immutable already. */
type Immutable<T> = T extends unknown
  ? string extends keyof T
    ? T
    : { readonly [K in keyof T]: Immutable<T[K]> }
  : never

/** The content of a manifest as its schema describes it. */
export type SiteDeployment = Immutable<generated.SiteDeployment>
export type Spec = SiteDeployment['spec']
/** How TLS with the site is verified. */
export type Tls = NonNullable<Spec['site']['tls']>
export type CloudProvider = Immutable<generated.CloudProvider>
export type Volume = Immutable<generated.Volume>

/** Where upgrade pods may run, with nothing left to defaults. Service §2.7. */
export type PodPlacementPolicy = Required<Immutable<generated.PodPlacementPolicy>>

/** What `configure` is told: everything in the manifest but the site itself, where its state is, and the upgrade policy. */
export type Organization = Omit<Spec, 'site' | 'state' | 'upgrade'> & {
  /** How the request spells the fields of `cloudStorage`; as the service document does unless given. */
  readonly cloudSpelling?: CloudSpelling
}

/** The request parameters that the manifest itself names. */
export function namedParameters({ extra = {}, deploymentProfiles = {} }: Organization): readonly string[] {
  return [...Object.keys(extra), ...Object.values(deploymentProfiles).map(({ parameter }) => parameter)]
}

/** Desired state that passed every check; only `loadManifest` makes one. Holds references, never secrets. */
export interface Manifest {
  readonly name: string
  readonly site: Spec['site'] & { readonly version: ServiceVersion }
  /** Where its state is kept, as it is written. */
  readonly state?: string
  readonly organization: Organization
  /** Absent when the manifest has no `upgrade`: then Landform leaves the policy of the site alone. */
  readonly policy?: PodPlacementPolicy
  /** Halves of the policy that stand nowhere in the manifest, and are empty for that. */
  readonly policyDefaults?: readonly (keyof PodPlacementPolicy)[]
  /** The file it was read from. */
  readonly file: string
  /** SHA-256 of the bytes of the file. */
  readonly digest: string
  /** What it builds on, nearest first. */
  readonly bases: readonly { readonly file: string; readonly digest: string }[]
  /** Where its fields stand, for messages. */
  readonly places: Places
}

/** Where a field stands: in its own file or in one that it builds on. */
export interface FieldPlace extends Surroundings {
  readonly key: Place
  readonly value: Place
}

/** Other places that explain a field. */
export interface Surroundings {
  /** The lines that brought its file in. */
  readonly way: readonly Related[]
  /** What it is merged with, or stands in place of. */
  readonly under?: Related
}

/** Where the fields of a manifest stand, by their pointers; '' is the whole. */
export type Places = Readonly<Partial<Record<JsonPointer, FieldPlace>>>
