import { apiVersion, kind, testKind } from '../schema/json-schema.js'
import { findForeignContent } from './content.js'

/** One file of the user: its name as the user gave it, and its bytes as they are on disk. */
export interface Source {
  readonly name: string
  readonly bytes: Uint8Array
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Decodes a source without its byte order mark; `undefined` if it is not UTF-8 or contains a NUL. */
export function decodeText(source: Source): string | undefined {
  return source === seen.source ? seen.text : decode(source)
}

/** A cache with the text of the file that was classified last, because it is usually read next. */
let seen: { readonly source?: Source; readonly text?: string | undefined } = {}

function decode({ bytes }: Source): string | undefined {
  try {
    const text = decoder.decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Decodes a source to classify it. A source that is not UTF-8 is decoded as Latin-1, so ASCII letters stay readable. */
export function decodeLoosely(source: Source): string {
  if (source !== seen.source) seen = { source, text: decode(source) }
  const { buffer, byteOffset, byteLength } = source.bytes
  return seen.text ?? Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

/** The reason why bytes are not the text of a manifest. */
type NotText = 'utf-16' | 'nul' | 'invalid-byte'

/** Finds why `decodeText` rejects a source, and the text before the first offending byte. */
export function explainNotText({ bytes }: Source): { readonly reason: NotText; readonly before: string } {
  const [first, second] = bytes
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  // Without a mark, every second byte of English text in UTF-16 is zero.
  if (hasMark || (bytes.length > 1 && (first === 0) !== (second === 0)))
    return { reason: 'utf-16', before: '' }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let [end, offset] = [0, 0]
  for (const { index } of text.matchAll(/[\0\ufffd]/g)) {
    offset += Buffer.byteLength(text.slice(end, index))
    end = index
    const isNul = text[index] === '\0'
    // U+FFFD replaces invalid bytes, but the file may also contain it.
    if (isNul || bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd)
      return { reason: isNul ? 'nul' : 'invalid-byte', before: text.slice(0, index).replace(/^\ufeff/, '') }
  }
  throw new Error('the source is text')
}

/**
 * True for a file that appears to be a manifest: it names the API group or the kind, or has `extends`. Tolerant, so
 * that a mistake in one of them does not exclude a manifest from the check. A YAML or JSON file whose content cannot be
 * read counts as a manifest.
 */
export function looksLikeManifest(source: Source): boolean {
  const text = decodeLoosely(source)
  if (isTest(text)) return false
  if (/\.(?:ya?ml|json)$/i.test(source.name) && mayHideManifest(source, text)) return true
  if (/\.json$/i.test(source.name)) return isJsonManifest(text)
  return text.includes(group) || text.includes(kind) || /^extends[ \t]*:/m.test(text)
}

/** True for unreadable content: not text, encrypted, or a pointer to another file. SOPS may leave the kind readable. */
function mayHideManifest(source: Source, text: string): boolean {
  if (decodeText(source) === undefined) return true
  const content = findForeignContent(source.bytes)
  return content !== undefined && !(content === 'sops' && /^[ \t"]{0,20}kind"? ?:(?! ?"?ENC\[)/m.test(text))
}

/** True for a test file, which is not a manifest. */
export function looksLikeTestFile(source: Source): boolean {
  return isTest(decodeLoosely(source))
}

function isTest(text: string): boolean {
  return text.includes(testKind) && ofTests.test(text)
}

const ofTests = new RegExp(`^kind:[ \\t]*["']?${testKind}\\b`, 'm')

const [group = apiVersion] = apiVersion.split('/')

/** JSON that names the format or the kind in its own fields: a schema has them in its examples. */
function isJsonManifest(text: string): boolean {
  try {
    const { apiVersion: format, kind: own, extends: bases, spec } = Object(JSON.parse(text))
    return (
      String(format).startsWith(group) || String(own).startsWith(kind) || ![bases, spec].includes(undefined)
    )
  } catch {
    return text.includes(group) || text.includes(kind)
  }
}
