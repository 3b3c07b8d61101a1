import { formatShortList, quote } from '../words.js'

/** A known name that is used where it is not a field. */
export type KnownName =
  /** The service has a parameter of this name; in the manifest it is the field at `home`. */
  | { readonly kind: 'parameter'; readonly home: string }
  /** The service uses this spelling for a field of the same map. */
  | { readonly kind: 'spelling'; readonly field: string }
  /** A member of the same map has a field of this name; if that member is empty, only the indentation is wrong. */
  | { readonly kind: 'inside'; readonly member: string; readonly isEmpty: boolean }
  /** Kubernetes has this field here, and the service document does not show it. */
  | { readonly kind: 'undocumented'; readonly allowed: readonly string[] }

/** Describes where such a name belongs. */
export function formatKnownNameHelp(name: string, known: KnownName): string {
  switch (known.kind) {
    case 'parameter':
      return `${quote(name)} is the name in the service API; in a manifest use ${quote(known.home)}`
    case 'spelling':
      return `write ${quote(known.field)}; Landform translates it for the service`
    case 'inside':
      return known.isEmpty
        ? `indent it: it belongs under ${quote(known.member)}, which is empty`
        : `it belongs under ${quote(known.member)}`
    case 'undocumented':
      return `${quote(name)} is a Kubernetes field that the service does not document: remove it; ${formatAllowedNames(known.allowed)}`
    default:
      return known satisfies never
  }
}

/** Lists the names that are allowed instead of an unknown one. */
export function formatAllowedNames(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'remove it' : `allowed here: ${formatShortList(allowed)}`
}
