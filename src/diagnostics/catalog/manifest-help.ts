import { formatAll, formatShortList, quote } from '../words.js'

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

/** The right notation for a value of the wrong type. */
export type Rewriting =
  /** The same text in quotes. */
  | { readonly kind: 'quotes'; readonly text: string }
  /** The same text with a unit after it. */
  | { readonly kind: 'unit'; readonly text: string }
  /** Text like this example, because the written value is not valid even in quotes. */
  | { readonly kind: 'example'; readonly text: string }
  /** A map with at least these fields. */
  | { readonly kind: 'map'; readonly fields: readonly string[] }

/** Formats the notation as a help text. */
export function formatRewriting(rewriting: Rewriting): string {
  switch (rewriting.kind) {
    case 'quotes':
      return `quote it: ${JSON.stringify(rewriting.text)}`
    case 'unit':
      return `add a unit: ${rewriting.text}`
    case 'example':
      return `use text such as ${JSON.stringify(rewriting.text)}`
    case 'map':
      return `use a map with ${formatAll(rewriting.fields)}`
    default:
      return rewriting satisfies never
  }
}

/** Another program whose notation people know. */
export type Notation = 'pod' | 'taint' | 'service' | 'chart' | 'claim'

/** The names of these notations, as the end of a sentence. */
export const notationNames: Readonly<Record<Notation, string>> = {
  pod: 'Kubernetes pods',
  taint: '`kubectl taint`',
  service: 'the service API',
  chart: "the vendor's chart",
  claim: 'Kubernetes volume claims',
}

/** The same in a manifest as a part in another notation, in YAML. */
export interface SamePart {
  readonly kind: 'same'
  /** The YAML stands for the value, or has members that stand for the key and its value. */
  readonly part: 'value' | 'member'
  readonly yaml: string
  /** True if nothing is lost and nothing has to be decided. */
  readonly exact: boolean
  /** The names of the members. */
  readonly gives: readonly string[]
  /** The names of what a manifest cannot say. */
  readonly without?: readonly string[]
}

/** What to write instead of a part in another notation. */
export type Translation =
  | SamePart
  /** The map around, as a list with one element. */
  | { readonly kind: 'around'; readonly yaml: string; readonly gives: readonly string[] }
  /** Expressions that each required term needs. */
  | { readonly kind: 'each-term'; readonly yaml: string }
  /** An operator that compares numbers. */
  | { readonly kind: 'comparison'; readonly operator: string; readonly key: string | undefined }
  /** A manifest has nothing like it, because the service has not. */
  | { readonly kind: 'nothing' }

/** Describes what to write instead. */
export function formatTranslation(translation: Translation): string {
  switch (translation.kind) {
    case 'same': {
      const { yaml, without = [] } = translation
      const rest = without.length === 0 ? '' : `, and remove ${formatAll(without)}: ${policyParts}`
      return `write ${quoteYaml(yaml)}${rest}`
    }
    case 'around':
      return `write a list: ${quoteYaml(translation.yaml)}`
    case 'each-term':
      return `add ${quoteYaml(translation.yaml)} to \`matchExpressions\` of each required term of \`nodeAffinity\``
    case 'comparison':
      return `the service compares no numbers: list the values${translation.key === undefined ? '' : ` of ${quote(translation.key)}`} with \`In\`, or use another label`
    case 'nothing':
      return `remove it: ${policyParts}`
    default:
      return translation satisfies never
  }
}

const policyParts = 'the policy of the service has node affinity and tolerations only'

/** Long YAML is cut: `--fix` writes all of it. */
function quoteYaml(yaml: string): string {
  const max = 240
  return quote(yaml.length > max ? `${yaml.slice(0, max)}…` : yaml)
}
