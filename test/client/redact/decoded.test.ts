import { isInDecoded } from '../../../src/client/redact/decoded.js'

/** All writings that a text may be. */
function writingsOf(text: string): readonly string[] {
  const found: string[] = []
  isInDecoded(text, bytes => {
    found.push(bytes.toString())
    return false
  })
  return found
}

const hex = (text: string | Uint8Array) => Buffer.from(text as string).toString('hex')
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test.each([
  ['an address', 'a%41%42b', 'aABb'],
  ['an address in small letters', '%c3%a9', 'é'],
  ['an address in Latin-1', '%e9t%E9', 'été'],
  ['bytes of a language', '\\x41\\xC3\\xA9', 'Aé'],
  ['bytes in octal', '\\101\\303\\251\\001', 'Aé\x01'],
  ['bytes that are escaped in several ways', '%41\\x42\\103', 'ABC'],
  ['octal that is more than a byte, as a letter behind a stroke', '\\401', '401'],
  ['units of an address', '%u0041%U00e9', 'Aé'],
  ['units of JSON', '\\u0041\\U00E9', 'Aé'],
  ['characters by number', '\\u{41}\\u{1F600}\\u{10ffff}', 'A😀\u{10ffff}'],
  ['characters that are none', 'a\\u{110000}b', 'ab'],
  ['letters behind a stroke', 'a\\nb\\rc\\td\\be\\ff\\0g\\"h\\\\i', 'a\nb\rc\td\be\ff\0g"h\\i'],
  ['entities by name', '&amp;&lt;&gt;&quot;&apos;&AMP;', `&<>"'&`],
  ['entities that nobody knows', '&amp;&nosuch;', '&&nosuch;'],
  ['entities by number', '&#65;&#x42;&#X43;&#0000068;', 'ABCD'],
  ['numbers of no character', 'a&#1114112;b&#x110000;c', 'abc'],
  ['quoted-printable', '=41=C3=A9', 'Aé'],
  ['quoted-printable in small letters', 'x=c3=a9', 'xé'],
  ['quoted-printable in Latin-1', '=E9', 'é'],
  ['quoted-printable in lines', 'a=\nb=\r\nc', 'abc'],
  ['quoted-printable in short lines', 'a=\nb', 'ab'],
  ['with colours', 'a\x1b[31mb\x1b[1;4mc\x1b[0 qd\x1b[Ke', 'abcde'],
  ['hexadecimal', '414243444546', 'ABCDEF'],
  ['hexadecimal in capitals', '4a4B4c4D4e4F', 'JKLMNO'],
  ['hexadecimal behind another digit', '74142434445467', 'ABCDEF'],
  ['hexadecimal with 0x', '0x41,0x42,0x43,0x44,0x45,0x46', 'ABCDEF'],
  ['hexadecimal with strokes', '\\x41\\x42\\x43\\x44\\x45\\x46', 'ABCDEF'],
  ['hexadecimal with signs before', '%41=42%43=44%45=46', 'ABCDEF'],
  ['hexadecimal with signs between', '41,42;43:44.45_46-47', 'ABCDEFG'],
  ['hexadecimal with blanks', '41 42\t43\n44\u200b45\u00ad46', 'ABCDEF'],
  ['decimal', '65,66,67,68,69,70', 'ABCDEF'],
  ['decimal with other signs', '65; 66 67\n68,\t69 ;70', 'ABCDEF'],
  ['decimal of one and three digits', '9,195,169,7,65,66', '\té\x07AB'],
  ['base64', 'QUJDREVG', 'ABCDEF'],
  ['base64 of addresses', 'w7_Dv8O_', 'ÿÿÿ'],
  ['base64 of files', 'w7/Dv8O/', 'ÿÿÿ'],
  ['base64 with a plus', 'fn5+fn5+', '~~~~~~'],
  ['base64 behind one letter', 'xQUJDREVG', 'ABCDEF'],
  ['base64 behind two letters', 'xxQUJDREVG', 'ABCDEF'],
  ['base64 behind three letters', 'xxxQUJDREVG', 'ABCDEF'],
  ['base64 in lines', 'QUJD\r\nREVG', 'ABCDEF'],
  ['base64 behind a word', 'token QUJDREVG', 'ABCDEF'],
  ['UTF-16 in base64', base64(utf16('Zürich')), 'Zürich'],
  ['UTF-16 of the other order in base64', base64(utf16('Zürich').swap16()), 'Zürich'],
  ['UTF-16 in hexadecimal, with half a unit', hex(Buffer.concat([utf16('Zürich'), Buffer.of(65)])), 'Zürich'],
])('a text is read as %s', (_, text, writing) => {
  expect(writingsOf(text)).toContain(writing)
})

test.each([
  ['a word', 'token'],
  ['a sentence', 'it is up: 3, 4'],
  ['five decimal numbers', '65,66,67,68,69'],
  ['seven letters', 'QUJDREV'],
  ['an equals sign', 'a=xyz'],
  ['a bracket', 'a[31mb'],
])('%s is read as nothing else', (_, text) => {
  expect(writingsOf(text)).toEqual([])
})

test('five bytes in hexadecimal are none', () => {
  expect(writingsOf('41 42 43 44 45')).not.toContain('ABCDE')
})

test('each writing is looked at once', () => {
  expect(writingsOf('to: %2541.')).toEqual(['to: %41.', 'to: A.'])
  expect(writingsOf('to: &amp;amp;')).toEqual(['to: &amp;', 'to: &'])
  expect(writingsOf('100 % sure')).toEqual(['100 % sure'])
  expect(writingsOf('to: %25.')).toEqual(['to: %.', 'to: %.'])
})

test('what is found ends the search', () => {
  const found: string[] = []
  const isIn = isInDecoded('a%2541', bytes => found.push(bytes.toString()) === 1)
  expect([isIn, found]).toEqual([true, ['a%41']])
  expect(isInDecoded('a%2541', () => false)).toBe(false)
})

test('one writing may lie in another four times, and no deeper', () => {
  const wrapped = (times: number): string => (times === 0 ? 'Zürich-4711' : base64(wrapped(times - 1)))
  expect([1, 2, 3, 4, 5].map(times => writingsOf(wrapped(times)).includes('Zürich-4711'))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
})

describe('a writing is read again', () => {
  const isReadAgain = (bytes: Uint8Array) => writingsOf(hex(bytes)).some(one => one.startsWith('AB'))
  const inner = Buffer.from('%41%42')
  const withThree = (code: number) => Buffer.concat([inner, Buffer.alloc(3, code)])

  test.each([0x09, 0x0d, 0x20, 0x7e, 0x41])('where %d is printable', code => {
    expect(isReadAgain(withThree(code))).toBe(true)
  })

  test.each([0x08, 0x0e, 0x1f, 0x7f])('and not where %d is none of four bytes that are', code => {
    expect(isReadAgain(withThree(code))).toBe(false)
    expect(isReadAgain(withThree(code).subarray(0, 8))).toBe(true)
  })

  test('without the zeros of UTF-16, and only from six letters on', () => {
    expect(isReadAgain(utf16('%41%42'))).toBe(true)
    expect(isReadAgain(utf16('\\x41B'))).toBe(false)
  })
})
