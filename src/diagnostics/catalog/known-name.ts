import { quoted, shortList } from '../words.js'

/** What is known of a name that is no field where it stands. */
export type KnownName =
  /** The service has a parameter of this name, which the manifest has at `home`. */
  | { readonly kind: 'parameter'; readonly home: string }
  /** The service spells a field so, which the manifest has in the same map. */
  | { readonly kind: 'spelling'; readonly field: string }
  /** A member of the same map has a field of this name; where that has no value, only the indentation is wrong. */
  | { readonly kind: 'inside'; readonly member: string; readonly isEmpty: boolean }
  /** Kubernetes has the field at this place, and the service document does not show it. */
  | { readonly kind: 'undocumented'; readonly allowed: readonly string[] }

/** Where to go from such a name. */
export function knownNameHelp(name: string, known: KnownName): string {
  switch (known.kind) {
    case 'parameter':
      return `${quoted(name)} is the service's name; in a manifest it is ${quoted(known.home)}`
    case 'spelling':
      return `write ${quoted(known.field)}; Landform sends it in the service's own spelling`
    case 'inside':
      return known.isEmpty
        ? `indent it: it belongs under ${quoted(known.member)}, which has nothing in it`
        : `it stands under ${quoted(known.member)}`
    case 'undocumented':
      return `Kubernetes has ${quoted(name)}, but the service does not show it: remove it; ${mayStandHere(known.allowed)}`
    default:
      return known satisfies never
  }
}

/** What to do where nothing is known of a name. */
export function mayStandHere(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'remove it' : `here may stand ${shortList(allowed)}`
}
