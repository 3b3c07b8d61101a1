/** What consent to a one-shot operation is about. */
export interface Guarded {
  /** What a person types, or a pipeline gives with `--confirm`: it names what is hit, so that it fits nothing else. */
  readonly confirmation: string
  /** True where a plain yes is not enough, for what is gone cannot be made again. */
  readonly mustBeNamed: boolean
  /** False for what changes nothing, and for a rehearsal. */
  readonly matters: boolean
}

/** How consent may come. */
export interface Consents {
  readonly yes: boolean
  readonly confirm: string | undefined
  readonly canAsk: boolean
}

export type Consent =
  | { readonly kind: 'given' }
  /** A person has to type this. */
  | { readonly kind: 'ask'; readonly expected: string }
  /** `another-target`: what was confirmed is not what would be hit. */
  | { readonly kind: 'refused'; readonly because: 'another-target' | 'nobody-to-ask' }

/** Whether an operation may go on. A confirmation of something else is refused even where none is needed. */
export function consentTo({ confirmation, mustBeNamed, matters }: Guarded, consents: Consents): Consent {
  const { yes, confirm, canAsk } = consents
  if (confirm !== undefined && confirm !== confirmation) return { kind: 'refused', because: 'another-target' }
  if (!matters || confirm !== undefined || (yes && !mustBeNamed)) return { kind: 'given' }
  if (!canAsk) return { kind: 'refused', because: 'nobody-to-ask' }
  return { kind: 'ask', expected: mustBeNamed ? confirmation : 'yes' }
}
