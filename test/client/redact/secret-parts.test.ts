import { collectParts } from '../../../src/client/redact/secret-parts.js'

const secret = 'Zürich-4711'
const license = Array.from({ length: 12 }, (_, at) => `feature ${at}${'abcdefghijkl'[at]}`).join('\n')

function partsWith({
  secrets = [secret],
  licenses = [],
  isPublic = () => false,
}: {
  secrets?: readonly string[]
  licenses?: readonly string[]
  isPublic?: (part: string) => boolean
} = {}) {
  const bytes = (texts: readonly string[]) => texts.map(text => Buffer.from(text))
  return collectParts({ secrets: bytes(secrets), licenses: bytes(licenses), isPublic })
}

/** A text without the ranges that were found. */
function left(text: string, parts = partsWith()): string {
  const bytes = Buffer.from(text)
  let [rest, from] = ['', 0]
  for (const [begin, end] of parts.rangesIn(bytes)) {
    rest += `${bytes.toString('utf8', from, begin)}*`
    from = end
  }
  return rest + bytes.toString('utf8', from)
}

test.each([
  ['all of it', `is ${secret}.`, 'is *.'],
  ['twice', `${secret} ${secret}x`, '* *x'],
  ['its first six characters', 'is Zürich.', 'is *.'],
  ['its last six', 'is h-4711.', 'is *.'],
  ['six in the middle', 'is ürich-.', 'is *.'],
  ['backwards', 'is 1174-hcirüZ.', 'is *.'],
  ['without its signs', 'is ch4711.', 'is *.'],
  ['with others between', 'is c/h/4/7/1/1.', 'is *.'],
  ['up to the end of the text', 'xh-4711', 'x*'],
])('a part of a secret is found: %s', (_, text, rest) => {
  expect(left(text)).toBe(rest)
})

test.each(['is Züric.', 'is 14711.', 'is 4711.', '', 'Züric'])('five characters are no part: %j', text => {
  expect(left(text)).toBe(text)
})

test('parts that lie in one another are one range, and those that do not are several', () => {
  const parts = partsWith({ secrets: ['abcdefgh', 'efghijkl', 'uvwxyz'] })
  expect(parts.rangesIn(Buffer.from('.abcdefghijkl.abcdef uvwxyz'))).toEqual([
    [1, 13],
    [14, 20],
    [21, 27],
  ])
  // Letters alone reach further than all that shows.
  expect(parts.rangesIn(Buffer.from('abcdefg-h'))).toEqual([[0, 9]])
  // Letters alone may begin before all that shows.
  expect(parts.rangesIn(Buffer.from('a.b.c.d.e.f uvwxyz'))).toEqual([
    [0, 11],
    [12, 18],
  ])
  expect(parts.rangesIn(Buffer.from('abcdefuvwxyz'))).toEqual([[0, 12]])
})

test('what everybody knows is no part, however often it is there', () => {
  const asked: string[] = []
  const isPublic = (part: string) => asked.push(part) > 0 && part === 'zurich'
  expect(left('Zürich, ürich-, ZÜRICH', partsWith({ isPublic }))).toBe('Zürich, *, ZÜRICH')
  expect(new Set(asked)).toEqual(new Set(['zurich', 'urich-']))
})

test('what somebody may know is asked for by no more than 256 characters', () => {
  const long = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
  const asked: string[] = []
  partsWith({ secrets: [long], isPublic: part => asked.push(part) > 0 }).rangesIn(Buffer.from(long))
  expect(asked).toEqual([long.slice(0, 256), long.slice(0, 256)])
})

test('of a license only long pieces are found, wherever one begins', () => {
  const parts = partsWith({ secrets: [], licenses: [license] })
  const flat = license.replaceAll(/\s/g, '')
  const pieces = Array.from({ length: flat.length - 46 }, (_, at) => flat.slice(at, at + 47))
  expect(pieces.filter(piece => !parts.hasPiece(Buffer.from(piece)))).toEqual([])
  expect(parts.hasPiece(Buffer.from(flat.slice(0, 24)))).toBe(true)
  expect(parts.hasPiece(Buffer.from(flat.slice(0, 23)))).toBe(false)
  expect(parts.hasPiece(Buffer.from(flat.slice(1, 40)))).toBe(false)
  expect(parts.rangesIn(Buffer.from(flat))).toEqual([])
  expect(parts.hasPiece(Buffer.from([...flat].join('-')))).toBe(true)
})

test('a secret is no license, and without a license nothing is a piece of one', () => {
  const parts = partsWith({ secrets: [license] })
  expect(parts.hasPiece(Buffer.from(license))).toBe(false)
  expect(left(license, parts)).toBe('*')
})

test('of a secret of more than 256 KiB there are no parts', () => {
  const of = (length: number) => left('xx-yy-zz', partsWith({ secrets: ['xx-yy-zz'.padEnd(length, '\0')] }))
  expect([of(256 * 1024), of(256 * 1024 + 1)]).toEqual(['*', 'xx-yy-zz'])
})

test('the secrets are needed no more', () => {
  const bytes = Buffer.from(secret)
  const parts = collectParts({ secrets: [bytes], licenses: [], isPublic: () => false })
  bytes.fill(0)
  expect(left(secret, parts)).toBe('*')
})
