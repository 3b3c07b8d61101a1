import type { JsonPointer } from '../schema/pointer.js'
import { type Plain, type Wording, wordingFor } from './wording.js'

/** The reason that a file below a folder cannot be read completely. */
export type FileDefect =
  | Plain<
      | 'outside-folder'
      | 'outside-repository'
      | 'not-a-regular-file'
      | 'replaced-while-read'
      | 'changed-while-read'
      | 'empty'
      | 'path-too-long'
      | 'not-readable'
      | 'dangling-link'
    >
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** `errno` is the code of the operating system. */
  | { readonly kind: 'read-failed'; readonly errno: string }

/** The reason that a file or secret reference of a manifest cannot be used. Never contains any part of the value. */
export type ReferenceDefect =
  | FileDefect
  | Plain<
      | 'control-character'
      | 'byte-order-mark'
      | 'not-utf8'
      | 'no-certificate'
      | 'other-pem-block'
      | 'damaged-certificate'
      | 'encrypted-key'
      | 'no-private-key'
      | 'key-of-another-certificate'
    >
  | { readonly kind: 'too-long'; readonly limitBytes: number }
  /** The value is not a secret but, for example, a placeholder for one. */
  | { readonly kind: 'unfilled'; readonly form: UnfilledForm }
  /** The content is of another kind than the file should have. */
  | { readonly kind: 'foreign-content'; readonly content: ForeignContent }
  /** `code` is the error code of OpenSSL. */
  | { readonly kind: 'openssl-rejected'; readonly code: string }

/** The reason that a secret reference yields no value. */
export type ReferenceGap = 'not-set' | 'empty' | 'no-file'

/** The place that a secret reference names. */
export type SecretPlace = { readonly env: string } | { readonly file: string }

/** A reference whose secret or file is not available here. */
export interface UncheckedReference {
  readonly pointer: JsonPointer
  readonly place: SecretPlace
}

/** A requirement that a password does not meet. */
export type PasswordGap = Plain<'letter' | 'digit'> | { readonly kind: 'length'; readonly minimum: number }

/** Kinds of content that a manifest or license never has, with the remedy. */
export const foreignContents = {
  'git-crypt': { is: 'is encrypted by git-crypt', fix: 'run `git-crypt unlock`' },
  age: { is: 'is encrypted by age', fix: 'decrypt it with `age --decrypt`' },
  pgp: { is: 'is encrypted by PGP', fix: 'decrypt it with `gpg --decrypt`' },
  'ansible-vault': { is: 'is encrypted by Ansible Vault', fix: 'decrypt it with `ansible-vault decrypt`' },
  openssl: { is: 'is encrypted by OpenSSL', fix: 'decrypt it with `openssl enc -d`' },
  sops: { is: 'is encrypted by SOPS', fix: 'decrypt it with `sops decrypt`' },
  lfs: { is: 'is a Git LFS pointer; the file was not fetched', fix: 'run `git lfs pull`' },
  annex: { is: 'is a git-annex pointer; the file was not fetched', fix: 'run `git annex get`' },
  'web-page': { is: 'is a web page, such as a sign-in page', fix: 'download the file itself' },
  archive: { is: 'is an archive', fix: 'unpack it' },
  'error-answer': { is: 'is an error response of a service', fix: 'download the file again' },
} as const

export type ForeignContent = keyof typeof foreignContents

/** Kinds of values that are not a secret, with the remedy. */
const unfilledWords = {
  variable: 'is an unreplaced variable, such as a pipeline variable that is not set',
  'variable-name': 'is the name of a variable, not its value: set the variable to the secret',
  template: 'is an unreplaced template expression: render it before Landform reads it',
  reference:
    'looks like a reference into a secret store, which Landform does not resolve: resolve it with the tool of the store, such as `op run`',
  encrypted: 'is encrypted: decrypt it before Landform reads it',
  placeholder: 'is a placeholder, not a secret: set it to the secret',
  wrapped: 'contains text around the secret (JSON, a name, quotes or `\\n`): pass only the secret',
  path: 'looks like the path of a file: write `{ file: … }` in the manifest, or pass the content of the file',
  printed:
    'is the output of a tool for a missing value, a map or an error: correct the step that reads the secret',
  'token-answer': 'is more than a token: remove `Bearer`, or extract the token from the JSON',
} as const

export type UnfilledForm = keyof typeof unfilledWords

const defectWords: Wording<ReferenceDefect> = {
  'outside-folder': () => 'is outside its folder',
  'outside-repository': () => 'is outside the repository',
  'not-a-regular-file': () => 'is not a regular file',
  'replaced-while-read': () => 'was replaced while it was read',
  'changed-while-read': () => 'changed while it was read',
  empty: () => 'is empty',
  'path-too-long': () => 'has a path that is too long',
  'not-readable': () => 'cannot be read: permission denied',
  'dangling-link': () => 'is a broken link',
  'too-large': ({ limitBytes }) => `is larger than ${limitBytes} bytes, a limit of Landform`,
  'read-failed': ({ errno }) => `cannot be read (${errno})`,
  'control-character': () => 'contains a line break or a NUL character',
  'byte-order-mark': () => 'starts with a byte order mark, which would become part of it',
  'not-utf8': () => 'is not UTF-8 text',
  'no-certificate': () => 'contains no PEM certificate; `openssl x509 -inform der` converts a binary one',
  'other-pem-block': () => 'contains something other than certificates; keep only those',
  'damaged-certificate': () => 'contains a damaged certificate',
  'encrypted-key': () => 'has a passphrase; `openssl pkey` removes it',
  'no-private-key': () => 'is not a PEM private key',
  'key-of-another-certificate': () => 'does not match the certificate',
  'too-long': ({ limitBytes }) => `is longer than ${limitBytes} bytes, a limit of Landform`,
  unfilled: ({ form }) => unfilledWords[form],
  'foreign-content': ({ content }) => `${foreignContents[content].is}: ${foreignContents[content].fix}`,
  'openssl-rejected': ({ code }) => `was rejected by OpenSSL (${code})`,
}

/** Describes a defect as the end of a sentence that begins with the file or secret. */
export function describeDefect(defect: ReferenceDefect): string {
  return wordingFor(defectWords, defect)
}

/** Each text ends a sentence that begins with the place of the reference. */
export const gapWords: Readonly<Record<ReferenceGap, string>> = {
  'not-set': 'is not set',
  empty: 'is empty',
  'no-file': 'does not exist',
}

/** Describes the place of a secret reference. */
export function describeSecretPlace(place: SecretPlace): string {
  return 'env' in place ? `the environment variable \`${place.env}\`` : `the file \`${place.file}\``
}

const passwordGapWords: Wording<PasswordGap> = {
  length: ({ minimum }) => `the ${minimum} characters required`,
  letter: () => 'a letter',
  digit: () => 'a digit',
}

/** Lists the unmet requirements of a password, as the end of a sentence. */
export function describePasswordGaps(gaps: readonly PasswordGap[]): string {
  return gaps.map(gap => wordingFor(passwordGapWords, gap)).join(' and ')
}
