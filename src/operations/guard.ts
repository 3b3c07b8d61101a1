import { findIntroduction, includes, type ServiceVersion } from '../contract/versions.js'

/** The facts that decide which consent a one-shot operation needs. */
export interface ConsentSubject {
  /** The text that a person types, or a pipeline passes with `--confirm`. It names the target, so it fits no other one. */
  readonly confirmation: string
  /** True if a plain yes is not enough, because the operation cannot be undone. */
  readonly mustBeNamed: boolean
  /** False for an operation that changes nothing, and for a rehearsal. */
  readonly matters: boolean
}

/** The consent that was given, and whether a person can be asked for it. */
export interface ConsentInput {
  readonly yes: boolean
  readonly confirm: string | undefined
  readonly canAsk: boolean
}

type Consent =
  | { readonly kind: 'given' }
  /** A person must type `expected`. */
  | { readonly kind: 'ask'; readonly expected: string }
  /** `another-target`: the confirmation names another target. */
  | { readonly kind: 'refused'; readonly because: 'another-target' | 'nobody-to-ask' }

/** Decides whether an operation may proceed. Rejects a confirmation of another target even if no confirmation is needed. */
export function decideConsent(
  { confirmation, mustBeNamed, matters }: ConsentSubject,
  consents: ConsentInput,
): Consent {
  const { yes, confirm, canAsk } = consents
  if (confirm !== undefined && confirm !== confirmation) return { kind: 'refused', because: 'another-target' }
  if (!matters || confirm !== undefined || (yes && !mustBeNamed)) return { kind: 'given' }
  if (!canAsk) return { kind: 'refused', because: 'nobody-to-ask' }
  return { kind: 'ask', expected: mustBeNamed ? confirmation : 'yes' }
}

type GatedFeature = Extract<
  Parameters<typeof findIntroduction>[0],
  'exportSite' | 'exportSite validate' | 'deleteAll'
>

/** A feature that a version of the service lacks, and the first version that has it. Service §9. */
export interface VersionGate {
  readonly what: GatedFeature
  readonly since: ServiceVersion
}

/** Finds the first of these features that a version lacks. An unknown version lacks nothing: the service decides. */
export function findVersionGate(
  version: ServiceVersion | undefined,
  needs: readonly GatedFeature[],
): VersionGate | undefined {
  const gates = needs.map(what => ({ what, since: findIntroduction(what) }))
  return version === undefined ? undefined : gates.find(gate => !includes(version, gate.since))
}
