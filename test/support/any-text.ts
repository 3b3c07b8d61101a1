import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/** Any code point except surrogates, as `binary` of fast-check, but without its table of a million entries. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(at => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count))

/** Generates text of any characters, printable or not. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...constraints })
}
