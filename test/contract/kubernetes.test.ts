import fc from 'fast-check'
import { hasForm, labelKeyForm, labelValueForm, subdomainForm } from '../../src/contract/kubernetes.js'
import { cases } from '../support/cases.js'

const a = (count: number) => 'a'.repeat(count)

describe('a DNS-1123 subdomain', () => {
  test.each(['a', '1', 'gp3', 'a-b', 'a--b', 'a.b', '0.0', 'a.b-c.d', `${'a.'.repeat(126)}a`, a(253)])(
    'may be %s',
    text => expect(hasForm(text, subdomainForm)).toBe(true),
  )
  test.each([
    '',
    'A',
    '-a',
    'a-',
    '.a',
    'a.',
    'a..b',
    'a.-b',
    'a-.b',
    'a_b',
    'a b',
    'a/b',
    'a\n',
    'ä',
    a(254),
  ])('is not %j', text => expect(hasForm(text, subdomainForm)).toBe(false))
})

describe('the key of a label', () => {
  test.each([
    ...['a', 'A', '1', 'a.b', 'a-b', 'a_b', 'a-.b', 'a..b', 'tier', 'arcgis/tier', 'kubernetes.io/arch'],
    ...['a-b.c/D_e', a(63), `b/${a(63)}`, `${a(253)}/${a(63)}`],
  ])('may be %s', text => expect(hasForm(text, labelKeyForm)).toBe(true))
  test.each([
    ...['', '-a', 'a-', '_a', 'a.', 'a b', 'a=b', 'a:b', 'ä', 'a\n', a(64), `b/${a(64)}`, `${a(254)}/b`],
    ...['/a', 'a/', 'a/b/c', 'A/b', 'a_b/c', '-a/b', 'a-/b', '.a/b', 'a./b', 'a..b/c', 'a.-b/c', 'a-.b/c'],
  ])('is not %j', text => expect(hasForm(text, labelKeyForm)).toBe(false))

  test('is a name, or a subdomain, a slash and a name', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', '.', '-', '_', '/'), maxLength: 9 })
    fc.assert(
      fc.property(text, key => {
        const [name = '', ...prefixes] = key.split('/').reverse()
        const isKey =
          name !== '' &&
          hasForm(name, labelValueForm) &&
          prefixes.length <= 1 &&
          prefixes.every(prefix => hasForm(prefix, subdomainForm))
        expect(hasForm(key, labelKeyForm)).toBe(isKey)
      }),
      { numRuns: cases(500) },
    )
  })
})

describe('the value of a label', () => {
  test.each(['', 'a', '1', 'true', 'a.b', 'a_b-c', 'Storage', a(63)])('may be %j', text =>
    expect(hasForm(text, labelValueForm)).toBe(true),
  )
  test.each(['-a', 'a-', '.', 'a b', ' ', 'a/b', 'a=b', 'ä', 'a\n', a(64)])('is not %j', text =>
    expect(hasForm(text, labelValueForm)).toBe(false),
  )
})
