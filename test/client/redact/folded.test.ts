import { fold, wipeFolded } from '../../../src/client/redact/folded.js'

const textOf = (codes: Uint32Array) => String.fromCodePoint(...codes)

/** What is left of a text: all that shows, and of that the letters and digits. */
function folded(text: string | Uint8Array): readonly [string, string] {
  const [visible, letters] = fold(Buffer.from(text as string))
  return [textOf(visible.codes), textOf(letters.codes)]
}

test.each([
  ['case', 'aBc', 'abc', 'abc'],
  ['case that changes the length', 'Straße', 'strasse', 'strasse'],
  ['accents', 'Zürich é', 'zuriche', 'zuriche'],
  ['accents of their own', 'Zu\u0308rich', 'zurich', 'zurich'],
  ['width', 'Ａｂ１', 'ab1', 'ab1'],
  ['a font', '𝐚𝐛', 'ab', 'ab'],
  ['what is written as one letter', 'ﬁ', 'fi', 'fi'],
  ['the end of a Greek word', 'ΟΔΟΣ', 'οδοσ', 'οδοσ'],
  ['blanks', 'a b\tc\nd\u00a0e\u2003f\u2800g', 'abcdefg', 'abcdefg'],
  ['what nobody sees', 'a\0b\bc\u200bd\u00ade\u202ef\u{e0061}g', 'abcdefg', 'abcdefg'],
  ['the plus of a form', 'a+b', 'ab', 'ab'],
  ['signs only among letters', 'a-b_c.d/e%f"g', 'a-b_c.d/e%f"g', 'abcdefg'],
  ['signs beyond ASCII only among letters', 'a→b€c漢🗺', 'a→b€c漢🗺', 'abc漢'],
  ['digits not at all', '0189', '0189', '0189'],
])('%s count for nothing', (_, text, visible, letters) => {
  expect(folded(text)).toEqual([visible, letters])
})

test('every sign of ASCII is folded as its wide form is', () => {
  for (let code = 0x21; code < 0x7f; code += 1)
    expect(folded(String.fromCodePoint(code))).toEqual(folded(String.fromCodePoint(code + 0xfee0)))
})

test('of each character it says where it begins and ends', () => {
  const [visible, letters] = fold(Buffer.from('a é-漢🗺ﬁ'))
  expect(textOf(visible.codes)).toBe('ae-漢🗺fi')
  expect([...visible.starts]).toEqual([0, 2, 4, 5, 8, 12, 12])
  expect([...visible.ends]).toEqual([1, 4, 5, 8, 12, 15, 15])
  expect(textOf(letters.codes)).toBe('ae漢fi')
  expect([...letters.starts]).toEqual([0, 2, 5, 12, 12])
  expect([...letters.ends]).toEqual([1, 4, 8, 15, 15])
})

test.each([
  ['a byte that only goes on', [0x61, 0x80, 0xbf, 0x62]],
  ['a letter that ends too soon', [0x61, 0xc3, 0x62]],
  ['a long one that ends too soon', [0x61, 0xf0, 0x9f, 0x97, 0x62]],
  ['one that the text ends in', [0x61, 0x62, 0xe6, 0xbc]],
  ['half of a pair', [0x61, 0xed, 0xa0, 0x80, 0x62]],
  ['the last half of a pair', [0x61, 0xed, 0xbf, 0xbf, 0x62]],
  ['a number of no character', [0x61, 0xf4, 0x90, 0x80, 0x80, 0x62]],
])('%s is left out, and nothing beside it', (_, bytes) => {
  expect(folded(Uint8Array.from(bytes))).toEqual(['ab', 'ab'])
})

test.each(['\u0800', '\ud7ff', '\ue000', '\u{10ffff}', '\u{10000}'])(
  'a character beside those that are none: %j',
  one => {
    expect(folded(`a${one}b`)[0].replace(one, '')).toBe('ab')
  },
)

test('a text may get much longer', () => {
  expect(folded('\ufdfa'.repeat(200))[0]).toBe('صلىاللهعليهوسلم'.repeat(200))
})

test('what was folded can be overwritten', () => {
  const views = fold(Buffer.from('Key-4711'))
  wipeFolded(views)
  expect(views.flatMap(({ codes }) => [...new Set(codes)])).toEqual([0, 0])
})
