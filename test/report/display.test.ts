import fc from 'fast-check'
import { display, displayJson, displayLine } from '../../src/report/display.js'
import { anyText } from '../support/any-text.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'

describe('a text that is displayed', () => {
  test.each(hostileTexts)('contains no unsafe character: %s', (_what, text) => {
    expect(text).toMatch(unprintable)
    expect(display(text)).not.toMatch(unprintable)
    expect(display(`before${text}after`)).toMatch(/^before.*after$/u)
    expect(displayLine(`before${text}after`)).not.toMatch(unprintable)
  })

  test.each([
    ['\u001b[31m', '\\x1b[31m'],
    ['a\nb', 'a\\x0ab'],
    ['a\0b', 'a\\x00b'],
    ['\u202e', '\\u{202e}'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\u{d800}'],
    ['a\u00a0b', 'a\\xa0b'],
    ['\u2003\u3000', '\\u{2003}\\u{3000}'],
    ['a\u2800b', 'a\\u{2800}b'],
    ['##[error]', '#\\x23[error]'],
    ['a ###vso[x]', 'a ##\\x23vso[x]'],
  ])('%j shows the escaped characters: %s', (text, shown) => {
    expect(display(text)).toBe(shown)
  })

  test.each([
    '',
    'plain text',
    'ÄÖÜ ß é',
    '漢字 かな',
    'עברית',
    'العربية',
    '🗺 🏔',
    '\\x1b',
    '`~!@#$%^&*()',
    '## heading, #[x] and ## [x]',
  ])('%j is unchanged', text => {
    expect(display(text)).toBe(text)
  })

  test('is safe, whatever the input', () => {
    const text = fc.oneof(
      anyText(),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)) }),
    )
    fc.assert(fc.property(text, value => expect(display(value)).not.toMatch(unprintable)))
  })

  test.each(hostileTexts)(
    'keeps its value in a JSON document, with all special characters escaped: %s',
    (_what, text) => {
      const document = { [text]: [text, `##[x]${text}##vso[x]`] }
      const json = displayJson(JSON.stringify(document, null, 2))
      expect(JSON.parse(json)).toEqual(document)
      for (const line of json.split('\n')) expect(line).not.toMatch(unprintable)
      expect(json).not.toMatch(/##\w*\[/)
    },
  )

  test('is truncated if it is too long, and half a surrogate pair is removed', () => {
    expect(display('x'.repeat(2000))).toBe('x'.repeat(2000))
    expect(display('x'.repeat(2001))).toBe(`${'x'.repeat(2000)}…`)
    expect(display('abcdef', 3)).toBe('abc…')
    expect(display('ab🗺', 3)).not.toMatch(unprintable)
  })

  test('has spaces instead of tabs in a source line, and escapes elsewhere', () => {
    expect(displayLine('\ta\tb')).toBe('  a  b')
    expect(display('\t')).not.toMatch(/[\t ]/)
  })
})
