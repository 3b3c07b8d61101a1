/** The form of a placeholder for a secret. */
type UnfilledForm = 'variable' | 'template' | 'reference' | 'encrypted' | 'placeholder' | 'token-answer'

interface Form {
  readonly form: UnfilledForm
  readonly start: string
  readonly end?: string
  /** True where only a name may be between start and end: such characters may also be around a password. */
  readonly isName?: true
}

const forms: readonly Form[] = [
  { form: 'template', start: '${{', end: '}}' },
  { form: 'template', start: '{{', end: '}}' },
  { form: 'variable', start: '${', end: '}' },
  { form: 'variable', start: '$(', end: ')', isName: true },
  { form: 'variable', start: '#{', end: '}#', isName: true },
  { form: 'variable', start: '#{', end: '}', isName: true },
  { form: 'variable', start: '@@', end: '@@', isName: true },
  { form: 'variable', start: '%', end: '%', isName: true },
  { form: 'placeholder', start: '__', end: '__', isName: true },
  { form: 'placeholder', start: '<', end: '>', isName: true },
  { form: 'reference', start: 'op://' },
  { form: 'encrypted', start: 'U2FsdGVkX1' },
  { form: 'encrypted', start: 'ENC[', end: ']' },
  { form: 'encrypted', start: '$ANSIBLE_VAULT;' },
  { form: 'encrypted', start: 'age-encryption.org/' },
  { form: 'encrypted', start: '-----BEGIN AGE' },
  { form: 'encrypted', start: '-----BEGIN PGP' },
]

const words: readonly string[] = ['null', 'undefined', 'CHANGE-ME', 'CHANGEME', 'CHANGE_ME', 'add_token_here']
const ofTokens: readonly Form[] = [
  { form: 'token-answer', start: 'Bearer ' },
  { form: 'token-answer', start: '{' },
]

/**
 * Finds the form of a value that is a placeholder, such as a variable that no pipeline replaced. It compares bytes, so that no
 * secret becomes a text, and the whole value alone counts.
 */
export function findUnfilledForm(
  value: Buffer,
  { isToken }: { readonly isToken: boolean },
): UnfilledForm | undefined {
  if (words.some(word => value.equals(Buffer.from(word)))) return 'placeholder'
  return [...forms, ...(isToken ? ofTokens : [])].find(form => matches(value, form))?.form
}

function matches(value: Buffer, { start, end = '', isName }: Form): boolean {
  const inner = value.byteLength - start.length - end.length
  if (inner < 1 || !value.subarray(0, start.length).equals(Buffer.from(start))) return false
  if (!value.subarray(value.byteLength - end.length).equals(Buffer.from(end))) return false
  return isName !== true || value.subarray(start.length, start.length + inner).every(isNameByte)
}

/** Letters, digits, `_`, `.` and `-`. */
function isNameByte(byte: number): boolean {
  return /[\w.-]/.test(String.fromCharCode(byte))
}
