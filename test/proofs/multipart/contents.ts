import fc from 'fast-check'
import { anyText } from '../../support/any-text.js'
import { wireTexts } from '../../support/wire-texts.js'

const boundaries = fc
  .uint8Array({ minLength: 24, maxLength: 24 })
  .map(bytes => `----${Buffer.from(bytes).toString('hex')}`)

/** What stands in the place of a boundary in a text, and nearly is one. */
const nearly = (text: string) => ['--', '\r\n--', '\n--'].map(before => `${before}${text.slice(0, -1)}`)

/**
 * Any text that could stand in a manifest. A byte order mark at its start is left out: the parser of the platform
 * takes that away.
 */
function texts(near: string): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...wireTexts, ...nearly(near)) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 2, arbitrary: anyText({ maxLength: 20 }) },
  )
  return fc
    .oneof(
      { weight: 8, arbitrary: fc.array(piece, { maxLength: 4 }).map(pieces => pieces.join('')) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(piece, fc.integer({ min: 1, max: 3000 }))
          .map(([text, times]) => text.repeat(times)),
      },
    )
    .filter(text => !text.startsWith('\ufeff') && !text.includes(near))
}

/** The bytes of a license: few and random, or a random piece again and again up to a size where buffers end. */
function files(near: string): fc.Arbitrary<Buffer> {
  const small = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
  const edge = fc.constantFrom(1, 4096, 8192, 65_536, 262_144)
  const size = fc.tuple(edge, fc.integer({ min: -1, max: 1 })).map(([bytes, off]) => bytes + off)
  const piece = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 97 }).map(bytes => Buffer.from(bytes)),
    fc.constantFrom('\r', '\n', '\r\n', '\0', '\r\n--', ...nearly(near)).map(text => Buffer.from(text)),
  )
  const large = fc.tuple(size, piece).map(([bytes, fill]) => Buffer.alloc(bytes, fill))
  return fc.oneof({ weight: 6, arbitrary: small }, { weight: 1, arbitrary: large })
}

/** What one body is made of: each call hands out the next text, or the next file. */
export interface Contents {
  readonly boundary: string
  readonly text: () => string
  readonly bytes: () => Buffer
}

/** The contents of any body. */
export const contents: fc.Arbitrary<Contents> = boundaries.chain(boundary =>
  fc
    .tuple(
      fc.array(texts(boundary), { minLength: 40, maxLength: 40 }),
      fc.array(files(boundary), { minLength: 2, maxLength: 2 }),
    )
    .map(([allTexts, allFiles]) => {
      const [nextText, nextFile] = [allTexts.values(), allFiles.values()]
      return {
        boundary,
        text: () => nextText.next().value ?? '',
        bytes: () => nextFile.next().value ?? Buffer.alloc(0),
      }
    }),
)
