import type { ForeignContent } from '../diagnostics/reference-defect.js'

/** The first bytes of each kind of content, in either case; white space and a byte order mark before them are skipped. */
const heads: readonly (readonly [ForeignContent, string])[] = [
  ['git-crypt', '\0GITCRYPT\0'],
  ['age', 'age-encryption.org/'],
  ['age', '-----BEGIN AGE ENCRYPTED FILE-----'],
  ['pgp', '-----BEGIN PGP MESSAGE-----'],
  ['ansible-vault', '$ANSIBLE_VAULT;'],
  ['openssl', 'Salted__'],
  ['openssl', 'U2FsdGVkX1'],
  ['lfs', 'version https://git-lfs.github.com/spec/'],
  ['annex', '/annex/objects/'],
  ['web-page', '<!doctype html'],
  ['web-page', '<html'],
  ['archive', 'PK\x03\x04'],
  ['archive', '\x1f\x8b'],
]

/** The name of the SOPS metadata, and the beginning of each encrypted value. SOPS leaves the names of fields readable. */
const sopsMarks = ['sops', 'ENC[AES256_GCM,']

/**
 * Recognizes encrypted content, a pointer to a file elsewhere, a web page or an archive. Of a large file, the first and
 * the last bytes are enough. Does not decode them.
 */
export function findForeignContent(first: Uint8Array, last = first): ForeignContent | undefined {
  const start = skipBlanks(first)
  const found = heads.find(([, head]) => beginsWith(first, 0, head) || beginsWith(first, start, head))
  if (found !== undefined) return found[0]
  const parts = [first, last].map(part => Buffer.from(part.buffer, part.byteOffset, part.byteLength))
  return sopsMarks.every(mark => parts.some(part => part.includes(mark))) ? 'sops' : undefined
}

/** True for a JSON error body of a service. */
export function isErrorAnswer(first: Uint8Array): boolean {
  const start = skipBlanks(first)
  return first[start] === 0x7b && beginsWith(first, skipBlanks(first, start + 1), '"error"')
}

function beginsWith(bytes: Uint8Array, from: number, head: string): boolean {
  if (bytes.byteLength - from < head.length) return false
  for (let at = 0; at < head.length; at += 1)
    if (lower(bytes[from + at] ?? 0) !== lower(head.charCodeAt(at))) return false
  return true
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

function skipBlanks(bytes: Uint8Array, from = 0): number {
  let at = from === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at += 1
  return at
}
