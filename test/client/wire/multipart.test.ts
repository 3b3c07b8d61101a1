import fc from 'fast-check'
import { encodeMultipart, type MultipartPart } from '../../../src/client/wire/multipart.js'
import { anyText } from '../../support/any-text.js'
import { wireTexts } from '../../support/wire-texts.js'

const boundary = `----${'0123456789abcdef'.repeat(3)}`

function encode(parts: readonly MultipartPart[], end = boundary) {
  const { contentType, pieces } = encodeMultipart(parts, new Set(), end)
  return { contentType, bytes: Buffer.concat(pieces) }
}

/** Reads a body with the platform's parser, which shares no code with the encoder. */
async function decode(parts: readonly MultipartPart[]) {
  const { contentType, bytes } = encode(parts)
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  const fields = [...form].filter(([name]) => name !== '_charset_')
  return Promise.all(
    fields.map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, text: value }
        : { name, fileName: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) },
    ),
  )
}

const nasty = [
  ...wireTexts,
  '\r\n----0123456789abcdef',
  `\r\n--${boundary.slice(0, -1)}`,
  `\r\n--${boundary.slice(0, -1)}X--\r\n`,
]

// Firewalls reject a `charset` in the type of a body, which RFC 7578 does not define; some do so for parts as well.
test.each([
  ['in ASCII, as curl sends it', 'siteadmin', []],
  [
    'beyond ASCII, with its encoding first (RFC 7578 §4.6)',
    'site\u00e4dmin',
    ['--a-boundary', 'Content-Disposition: form-data; name="_charset_"', '', 'UTF-8'],
  ],
])('a small body %s consists of exactly these bytes', (_, username, encoding) => {
  const body = encode(
    [
      { kind: 'text', name: 'username', value: Buffer.from(username) },
      { kind: 'file', name: 'licenseFile', fileName: 'license.json', value: Buffer.from([0x00, 0xff]) },
    ],
    'a-boundary',
  )
  expect(body.contentType).toBe('multipart/form-data; boundary=a-boundary')
  expect(body.bytes.toString('latin1')).toBe(
    [
      ...encoding,
      '--a-boundary',
      'Content-Disposition: form-data; name="username"',
      '',
      Buffer.from(username).toString('latin1'),
      '--a-boundary',
      'Content-Disposition: form-data; name="licenseFile"; filename="license.json"',
      'Content-Type: application/octet-stream',
      '',
      '\u0000\u00ff',
      '--a-boundary--',
      '',
    ].join('\r\n'),
  )
})

test.each(nasty)('the text %j is unchanged after decoding, also between others', async text => {
  const part = (name: string, value: string): MultipartPart => ({
    kind: 'text',
    name,
    value: Buffer.from(value),
  })
  expect(await decode([part('a', 'first'), part('b', text), part('c', 'last')])).toEqual([
    { name: 'a', text: 'first' },
    { name: 'b', text },
    { name: 'c', text: 'last' },
  ])
})

test('a name can neither end its quotes nor its line', () => {
  const part: MultipartPart = { kind: 'text', name: 'a"; filename="b\r\nX: y', value: Buffer.from('text') }
  expect(encode([part], 'a-boundary').bytes.toString('latin1')).toContain(
    'form-data; name="a%22; filename=%22b%0D%0AX: y"\r\n\r\ntext\r\n',
  )
})

test('any texts are unchanged after decoding', async () => {
  // Without a byte order mark at the start, which the platform's parser removes.
  const text = fc
    .oneof(anyText(), fc.constantFrom(...nasty), fc.string({ unit: 'grapheme' }))
    .filter(value => !value.startsWith('\ufeff'))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 6 }), async texts => {
      const parts = texts.map(
        (value, index): MultipartPart => ({
          kind: 'text',
          name: `name${index}`,
          value: Buffer.from(value),
        }),
      )
      // The platform's parser rejects a form without parts.
      const last: MultipartPart = { kind: 'text', name: 'f', value: Buffer.from('json') }
      expect(await decode([...parts, last])).toEqual([
        ...texts.map((value, index) => ({ name: `name${index}`, text: value })),
        { name: 'f', text: 'json' },
      ])
    }),
  )
})

test('any bytes of a file are unchanged after decoding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async bytes => {
      const value = Buffer.from(bytes)
      expect(await decode([{ kind: 'file', name: 'licenseFile', fileName: 'license.json', value }])).toEqual([
        { name: 'licenseFile', fileName: 'license.json', type: 'application/octet-stream', bytes: value },
      ])
    }),
  )
})

test('any bytes are in the body unchanged, even if they are not UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), bytes => {
      const value = Buffer.from(bytes)
      const body = encode([{ kind: 'text', name: 'password', value }])
      const start = body.bytes.indexOf('name="password"\r\n\r\n') + 'name="password"'.length + 4
      expect(body.bytes.subarray(start, start + value.byteLength)).toEqual(value)
      expect(body.bytes.subarray(start + value.byteLength).toString()).toBe(`\r\n--${boundary}--\r\n`)
    }),
  )
})

describe('a body with a large value', () => {
  const small = Buffer.from('small')
  const large = Buffer.alloc(2400 * 1024, 'l')
  const made = Buffer.alloc(2400 * 1024, 'm')
  const parts = [small, made, large, small].map(
    (value, at): MultipartPart => ({ kind: 'text', name: `n${at}`, value }),
  )
  const { pieces, wipe } = encodeMultipart(parts, new Set([small, large]), boundary)

  test('sends the borrowed value in pieces without copying it, and copies everything else together', () => {
    expect(Buffer.concat(pieces).equals(encode(parts).bytes)).toBe(true)
    expect(pieces.map(({ byteLength }) => byteLength >> 10)).toEqual([2400, 1024, 1024, 352, 0])
    expect(pieces.map(piece => piece.buffer === large.buffer)).toEqual([false, true, true, true, false])
  })

  test('wipes its copies, but no borrowed value', () => {
    wipe()
    expect(pieces.map(piece => piece.every(byte => byte === 0))).toEqual([true, false, false, false, true])
    expect([small.toString(), large.every(byte => byte === 0x6c)]).toEqual(['small', true])
  })
})

test('has a random boundary by default', () => {
  const types = [0, 1].map(() => encodeMultipart([]).contentType)
  expect(types[0]).toMatch(/^multipart\/form-data; boundary=----[0-9a-f]{48}$/)
  expect(types[0]).not.toBe(types[1])
})
