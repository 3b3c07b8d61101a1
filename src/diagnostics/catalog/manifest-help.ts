import { formatShortList, quote } from '../words.js'

/** A name that the service or Kubernetes knows but that is not a field here. */
export type KnownName =
  /** The service has a parameter of this name; in the manifest it is the field at `home`. */
  | { readonly kind: 'parameter'; readonly home: string }
  /** The service uses this spelling for a field of the same map. */
  | { readonly kind: 'spelling'; readonly field: string }
  /** A member of the same map has a field of this name; if that member is empty, only the indentation is wrong. */
  | { readonly kind: 'inside'; readonly member: string; readonly isEmpty: boolean }
  /** The service has this setting, but manifests do not; `instead` is the help text. */
  | { readonly kind: 'other-setting'; readonly instead: string }
  /** Kubernetes has this field here, but the service document does not show it. */
  | { readonly kind: 'undocumented'; readonly allowed: readonly string[] }

/** Formats the help text for such a name. */
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
    case 'other-setting':
      return known.instead
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

/** The correct notation for a value of the wrong type. */
export type Rewriting =
  /** The same text in quotes. */
  | { readonly kind: 'quotes'; readonly text: string }
  /** The number without its quotes. */
  | { readonly kind: 'number'; readonly text: string }
  /** The same text with a unit after it. */
  | { readonly kind: 'unit'; readonly text: string }
  /** Text like this example, because the written value is not valid even in quotes. */
  | { readonly kind: 'example'; readonly text: string }
  /** A list with the written map as its only element. */
  | { readonly kind: 'list' }
  /** An example of the map or list, in YAML. */
  | { readonly kind: 'shape'; readonly yaml: string }

/** Formats the notation as a help text. */
export function formatRewriting(rewriting: Rewriting): string {
  switch (rewriting.kind) {
    case 'quotes':
      return `quote it: ${JSON.stringify(rewriting.text)}`
    case 'number':
      return `remove the quotes: ${rewriting.text}`
    case 'unit':
      return `add a unit: ${rewriting.text}`
    case 'example':
      return `use text such as ${JSON.stringify(rewriting.text)}`
    case 'list':
      return 'write it as a list: `- ` before its first key, and the other lines indented; or `[{ … }]` around it'
    case 'shape':
      return `write ${quote(rewriting.yaml)}`
    default:
      return rewriting satisfies never
  }
}
