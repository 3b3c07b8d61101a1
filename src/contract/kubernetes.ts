/** The form of a text: no longer than this, like the one pattern, and unlike the other. */
export interface Form {
  readonly longest: number
  readonly like: RegExp
  /** What one pattern says only with quantifiers inside quantifiers. */
  readonly unlike?: RegExp
  /** What such a text must do, as the end of a sentence. */
  readonly words: string
}

/** A DNS-1123 subdomain, such as the name of a storage class. Kubernetes. */
export const subdomainForm: Form = {
  longest: 253,
  like: /^[a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*$/,
  words: 'consist of lower-case letters and digits, with - or . between them',
}

/** The key of a label or of a taint: a name of 63 characters at most, perhaps after a subdomain and `/`. Kubernetes. */
export const labelKeyForm: Form = {
  longest: 253 + 1 + 63,
  like: /^([a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*[/])?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
  unlike: /^[^/]{254}/,
  words: 'be a name of letters, digits, -, _ and ., perhaps after a DNS name and /, such as arcgis/tier',
}

/** The value of a label or of a taint; it may be empty. Kubernetes. */
export const labelValueForm: Form = {
  longest: 63,
  like: /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/,
  words: 'have letters, digits, -, _ and ., and begin and end with a letter or digit',
}

/** True for a text of the form. Its length is looked at first. */
export function hasForm(text: string, form: Form): boolean {
  if (text.length > form.longest) return false
  const known = verdicts.get(form) ?? new Map<string, boolean>()
  verdicts.set(form, known)
  const verdict = known.get(text) ?? (form.like.test(text) && form.unlike?.test(text) !== true)
  if (known.size < mostKnown) known.set(text, verdict)
  return verdict
}

/** The same few labels and names stand in every volume of every manifest. */
const verdicts = new Map<Form, Map<string, boolean>>()
const mostKnown = 500

/** The volume is made where the pod that uses it is placed, and not before. Kubernetes, `volumeBindingMode`. */
export const bindingOfFirstConsumer = 'WaitForFirstConsumer'

/** The volume goes when its claim goes. Kubernetes, `reclaimPolicy`. */
export const deletingPolicy = 'Delete'

/** The key of the taint of a cordoned node. Kubernetes, `spec.unschedulable`. */
export const unschedulableTaintKey = 'node.kubernetes.io/unschedulable'
