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

/** The provisioner of classes that provision no volume. Kubernetes, `provisioner`. */
export const noProvisioner = 'kubernetes.io/no-provisioner'

/** A word in the names of provisioners whose volumes are shares of NFS or SMB, such as `efs.csi.aws.com`. */
export const fileShareProvisioner =
  /(?:^|[^a-z])(?:efs|nfs[0-9]?|nfsrwx|ifs|smb|cifs|azurefile|file|filestore)(?:[^a-z0-9]|$)/i

/** The unit suffixes of storage quantities, with their size in bytes. Service §2.4; the sizes are from Kubernetes. */
const bytesOf = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
  k: 10n ** 3n,
  M: 10n ** 6n,
  G: 10n ** 9n,
  T: 10n ** 12n,
  P: 10n ** 15n,
  E: 10n ** 18n,
} as const

export type StorageUnit = keyof typeof bytesOf

/** The units of storage; Kubernetes also has units below a byte. */
export const storageUnits = Object.keys(bytesOf) as readonly StorageUnit[]

/** The decimal places a quantity may have: Kubernetes keeps no more. */
const places = 9

/** A number and a unit: the form of Kubernetes without its signs, exponents and bare points. */
export const quantityForm = new RegExp(
  `^([0-9]{1,15})(?:[.]([0-9]{1,${places}}))?(${storageUnits.join('|')})$`,
)

/** The form of a zero quantity, which is not valid for a volume. */
export const zeroForm = /^0[0.]*[^0-9.]*$/

/** The maximum length of a quantity. */
export const quantityCharacters = 32

/**
 * Parses a storage quantity to billionths of a byte, so that fractions stay exact and equal sizes are equal numbers, such
 * as `16Gi` and `16384Mi`. `undefined` for invalid text.
 */
export function parseQuantity(text: string): bigint | undefined {
  if (text.length > quantityCharacters) return undefined
  const known = parsed.get(text)
  if (known !== undefined) return known
  const [, whole = '', fraction = '', unit] = quantityForm.exec(text) ?? []
  if (unit === undefined) return undefined
  const quantity = BigInt(whole + fraction.padEnd(places, '0')) * bytesOf[unit as StorageUnit]
  if (parsed.size < maxParsed) parsed.set(text, quantity)
  return quantity
}

/** Cached, because every manifest has the same few sizes, which several rules compare. */
const parsed = new Map<string, bigint>()
const maxParsed = 500

/** Compares two quantities: negative, zero or positive; `undefined` if one is not a quantity. */
export function compareQuantities(one: string, other: string): -1 | 0 | 1 | undefined {
  const [left, right] = [parseQuantity(one), parseQuantity(other)]
  if (left === undefined || right === undefined) return undefined
  if (left === right) return 0
  return left < right ? -1 : 1
}
