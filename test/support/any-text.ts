import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/** Any code point but half of a pair: what fast-check calls `binary`, without the table of a million that it makes first. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(at => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count))

/** A text of any characters, shown or not. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...constraints })
}
