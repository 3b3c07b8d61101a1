/** The form of a text: its maximum length, a pattern it matches, and one it does not match. */
export interface TextForm {
  readonly longest: number
  readonly like: RegExp
  /** A pattern that must not match, which avoids nested quantifiers. */
  readonly unlike?: RegExp
  /** The requirement, as the end of a sentence with "must". */
  readonly words: string
}

/** A DNS-1123 subdomain, such as the name of a storage class. Kubernetes. */
export const subdomainForm: TextForm = {
  longest: 253,
  like: /^[a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*$/,
  words: 'consist of lower-case letters and digits, with - or . between them',
}

/** The key of a label or taint: a name of at most 63 characters, with an optional subdomain and `/` before it. Kubernetes. */
export const labelKeyForm: TextForm = {
  longest: 253 + 1 + 63,
  like: /^([a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*[/])?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
  unlike: /^[^/]{254}/,
  words:
    'be a name of letters, digits, -, _ and ., with an optional DNS name and / before it, such as arcgis/tier',
}

/** The value of a label or of a taint; it may be empty. Kubernetes. */
export const labelValueForm: TextForm = {
  longest: 63,
  like: /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/,
  words: 'have letters, digits, -, _ and ., and begin and end with a letter or digit',
}

/** True for a text of the form. Checks the length first. */
export function hasForm(text: string, form: TextForm): boolean {
  if (text.length > form.longest) return false
  const known = knownForms.get(form) ?? new Map<string, boolean>()
  knownForms.set(form, known)
  const verdict = known.get(text) ?? (form.like.test(text) && form.unlike?.test(text) !== true)
  if (known.size < maxKnown) known.set(text, verdict)
  return verdict
}

/** Cached, because every volume of every manifest has the same few labels and names. */
const knownForms = new Map<TextForm, Map<string, boolean>>()
const maxKnown = 500

/** The mode in which a volume is provisioned only after its pod is scheduled. Kubernetes, `volumeBindingMode`. */
export const bindingOfFirstConsumer = 'WaitForFirstConsumer'

/** The policy that deletes a volume with its claim. Kubernetes, `reclaimPolicy`. */
export const deletingPolicy = 'Delete'

/** The key of the taint of a cordoned node. Kubernetes, `spec.unschedulable`. */
export const unschedulableTaintKey = 'node.kubernetes.io/unschedulable'
