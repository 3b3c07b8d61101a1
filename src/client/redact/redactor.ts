import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '../../secrets/secret.js'
import type { SecretsToSend } from '../../secrets/secret-file.js'
import { defaultMaxBytes } from '../limit.js'
import type { Redactor } from '../route.js'
import { isInDecoded } from './decoded.js'
import { publicWords } from './public-words.js'
import { collectParts, type SecretParts } from './secret-parts.js'
import { createTraces, type Traces } from './traces.js'

const mark = '***'
/** A shorter one would be found where it is not meant. */
const fewestBytes = 3
/** Nothing that a site has to say is longer; what is beyond is dropped. */
const maxCharacters = 64 * 1024
/** Of texts of so many characters together it is known how they are without secrets: a worker has hundreds of sites. */
const maxKnownCharacters = 256 * 1024
/**
 * Characters that occur in no base64 text and no address within a value; and those that occur in no address at all, for
 * values that were escaped in part.
 */
const words = [/[^\s"'<>,;:=&(){}[\]|]+=*/g, /[^\s"<>]+/g]

/** For texts that are shown as they are. */
export const noSecrets: Redactor = text => text

/**
 * Redacts secrets, and every part of six characters or more of them, however it is written: forwards or backwards, in other
 * case or width, with anything between, encoded or escaped, over and over. A site may repeat what it was sent, at once or in
 * a later answer, and its texts are shown and kept. Where a part lies in clear, it alone is replaced; where it is encoded the
 * word is, and where that does not help all of the text. Shorter secrets count as a whole. The secrets may be wiped meanwhile.
 */
export function redactorFor(
  given: Iterable<Secret>,
  { licenses: files = [], known = [] }: RedactorOptions = {},
): Redactor {
  const [secrets, licenses] = [listBytes(given), listBytes(files)]
  if (secrets.length + licenses.length === 0) return noSecrets
  const traces = createTraces([...secrets, ...licenses])
  const parts = collectParts({ secrets, licenses, isPublic: publicWords(known) })
  return rememberRedactor(text => redactOnce(text.slice(0, maxCharacters), { traces, parts }))
}

/** Further options of a redactor. */
export interface RedactorOptions {
  /** License files, of which only long pieces are secret. */
  readonly licenses?: Iterable<Secret>
  /** Texts of a manifest that are no secret, so that words of them stay. */
  readonly known?: readonly string[]
}

/** The redactor for what a request is made with. */
export function redactorForAll(secrets: SecretsToSend): Redactor {
  const isLicense = (pointer: string) => pointer.startsWith('/spec/license/')
  // A file that is too large to be in memory is longer than any answer.
  const entries = [...secrets].flatMap(([pointer, one]) =>
    one instanceof Secret ? [[pointer, one] as const] : [],
  )
  return redactorFor(
    entries.flatMap(([pointer, secret]) => (isLicense(pointer) ? [] : [secret])),
    { licenses: entries.flatMap(([pointer, secret]) => (isLicense(pointer) ? [secret] : [])) },
  )
}

/** No text is longer than an answer. */
function listBytes(secrets: Iterable<Secret>): readonly Buffer[] {
  return [...secrets]
    .map(({ bytes }) => bytes)
    .filter(({ byteLength }) => byteLength >= fewestBytes && byteLength <= defaultMaxBytes)
}

interface RememberedText {
  readonly traces: Traces
  readonly parts: SecretParts
}

function redactOnce(text: string, { parts, traces }: RememberedText): string {
  const hasPiece = (one: string) =>
    parts.hasPiece(Buffer.from(one)) || isInDecoded(one, bytes => parts.hasPiece(bytes))
  if (hasPiece(text)) return mark
  const holds = (one: string) =>
    isInDecoded(one, bytes => traces.isIn(bytes) || parts.rangesIn(bytes).length > 0)
  const plain = removeParts(traces.without(text, mark), parts)
  if (!holds(plain)) return plain
  const rest = words.reduce(
    (before, word) => before.replaceAll(word, one => (holds(one) ? mark : one)),
    plain,
  )
  // Where that stands cannot be told, so none of it is.
  return holds(rest) ? mark : rest
}

function removeParts(text: string, parts: SecretParts): string {
  const bytes = Buffer.from(text)
  const ranges = parts.rangesIn(bytes)
  if (ranges.length === 0) return text
  const pieces: string[] = []
  let from = 0
  for (const [begin, end] of ranges) {
    pieces.push(bytes.toString('utf8', from, begin))
    from = end
  }
  return [...pieces, bytes.toString('utf8', from)].join(mark)
}

/** A site repeats the same text in poll after poll, sometimes at great length. Only a digest of it is kept. */
function rememberRedactor(redact: Redactor): Redactor {
  const key = randomBytes(32)
  const known = new Map<string, string>()
  let characters = 0
  return text => {
    const said = createHmac('sha256', key).update(text).digest('base64')
    const before = known.get(said)
    if (before !== undefined) return before
    const without = redact(text)
    characters += said.length + without.length
    if (characters > maxKnownCharacters) {
      known.clear()
      characters = 0
    }
    known.set(said, without)
    return without
  }
}
