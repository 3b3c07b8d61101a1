import { bodyLimitBytes, parseBody, parseQuery, readBytes } from '../../../src/emulator/http/read-body.js'

const bytes = (text: string) => new TextEncoder().encode(text)

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield bytes(text)
}

test('a body is read up to its limit, which is 256 MiB', async () => {
  expect(await readBytes(chunks('ab', 'cd'), 4)).toEqual(Buffer.from('abcd'))
  expect(await readBytes(chunks(), 4)).toHaveLength(0)
  expect(bodyLimitBytes).toBe(268_435_456)
})

test('a body beyond its limit is read to the end and discarded', async () => {
  let rest = 3
  async function* counted() {
    for (; rest > 0; rest--) yield bytes('abc')
  }
  expect(await readBytes(counted(), 4)).toBeUndefined()
  expect(rest).toBe(0)
  expect(await parseBody('multipart/form-data; boundary=b', undefined)).toMatchObject({
    encoding: 'unreadable',
    problem: 'The body is too large.',
  })
})

test('a form is read with plus signs, percent signs, repetitions and empty values', async () => {
  const type = 'Application/X-WWW-Form-Urlencoded; charset=utf-8'
  expect(await parseBody(type, bytes('a=1+2%2B3&a=%C3%BC&b='))).toEqual({
    encoding: 'form',
    parts: [
      { kind: 'text', name: 'a', text: '1 2+3' },
      { kind: 'text', name: 'a', text: 'ü' },
      { kind: 'text', name: 'b', text: '' },
    ],
  })
})

// RFC 7578 §4.6: the part names the encoding, and is not a parameter.
test('a part for the encoding is not a parameter', async () => {
  const part = (name: string, text: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  const body = Buffer.from(`${part('_charset_', 'UTF-8')}${part('name', 'Zoë')}--b--\r\n`)
  expect(await parseBody('multipart/form-data; boundary=b', body)).toEqual({
    encoding: 'multipart',
    parts: [{ kind: 'text', name: 'name', text: 'Zoë' }],
  })
})

test('multipart form data distinguishes texts and files, byte for byte', async () => {
  const form = new FormData()
  form.append('name', 'Zoë "Z" 🗺')
  form.append(
    'license',
    new File([new Uint8Array([0, 13, 10, 45, 45, 255])], 'lizenz ü.json', { type: 'text/x' }),
  )
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: form })
  const type = request.headers.get('content-type') ?? ''
  expect(await parseBody(type, new Uint8Array(await request.arrayBuffer()))).toEqual({
    encoding: 'multipart',
    parts: [
      { kind: 'text', name: 'name', text: 'Zoë "Z" 🗺' },
      {
        kind: 'file',
        name: 'license',
        fileName: 'lizenz ü.json',
        contentType: 'text/x',
        bytes: new Uint8Array([0, 13, 10, 45, 45, 255]),
      },
    ],
  })
})

describe('a body has at most ten thousand parameters', () => {
  const form = 'application/x-www-form-urlencoded'
  const multipart = 'multipart/form-data; boundary="b"'
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'

  test.each([
    ['form', form, `${'a=&'.repeat(9999)}a=`, 10_000],
    ['multipart', multipart, `${part.repeat(10_000)}--b--\r\n`, 10_000],
  ])('a %s body of type %s with that number is read', async (encoding, type, body, count) => {
    const read = await parseBody(type, bytes(body))
    expect([read.encoding, read.parts.length]).toEqual([encoding, count])
  })

  test.each([
    [form, 'a=&'.repeat(10_001)],
    [form, '&'.repeat(10_001)],
    [multipart, `${part.repeat(10_001)}--b--\r\n`],
    ['multipart/form-data; boundary=b', `${part.repeat(10_001)}--b--\r\n`],
  ])('one of type %s with more is unreadable', async (type, body) => {
    expect(await parseBody(type, bytes(body))).toMatchObject({
      encoding: 'unreadable',
      problem: 'The body has too many parameters.',
    })
  })
})

test('an empty form is a form without parameters', async () => {
  const read = await parseBody('application/x-www-form-urlencoded; charset=utf-8', new Uint8Array())
  expect(read).toEqual({ encoding: 'form', parts: [] })
})

test.each(['', 'multipart/form-data; boundary=b', 'application/json'])(
  'an empty body of type "%s" has no encoding',
  async type => {
    expect(await parseBody(type, new Uint8Array())).toEqual({ encoding: 'none', parts: [] })
  },
)

test.each([
  ['application/json', '{}'],
  ['', 'a=1'],
  ['text/plain', 'a=1'],
  ['multipart/mixed; boundary=b', '--b--'],
])('a body of type "%s" is unreadable', async (type, body) => {
  expect(await parseBody(type, bytes(body))).toMatchObject({
    encoding: 'unreadable',
    problem: expect.stringMatching(/neither form-encoded nor multipart/),
  })
})

test('a query is read into texts', () => {
  expect(parseQuery('f=pjson&a=b%20c+d')).toEqual([
    { kind: 'text', name: 'f', text: 'pjson' },
    { kind: 'text', name: 'a', text: 'b c d' },
  ])
  expect(parseQuery('')).toEqual([])
})

describe('a legal but unusual body is read like any other', () => {
  const part = (disposition: string, text: string) =>
    `--b\r\nContent-Disposition: ${disposition}\r\n\r\n${text}\r\n`
  const name = part('form-data; name="name"', 'a\r\n--B; name=x\r\n')
  const file = 'content-type: application/octet-stream\r\n'
  test.each([
    ['text before it', `Hello\r\n--bb\r\n\r\n${name}--b--\r\n`.replace('--bb', 'b')],
    ['text after it', `${name}--b--\r\nBye\r\n--b\r\n`],
    ['space after a boundary', `${name.replace('--b', '--b \t')}--b-- \r\n`],
    [
      'other capitals',
      `${name.replace('Content-Disposition: form-data; name', 'CONTENT-disposition: Form-Data; NAME')}--b--`,
    ],
    ['a name without quotes', `${part('form-data;name=name', 'a\r\n--B; name=x\r\n')}--b--`],
  ])('%s', async (_what, text) => {
    expect(await parseBody('multipart/form-data; boundary="b"', bytes(text))).toEqual({
      encoding: 'multipart',
      parts: [{ kind: 'text', name: 'name', text: 'a\r\n--B; name=x\r\n' }],
    })
  })

  test.each([
    ['filename=l.json', 'l.json'],
    ['FileName="l.json"', 'l.json'],
    ["filename*=UTF-8''l%C3%A4%22.json", 'lä".json'],
    [`filename="l; name=x.json"; filename*=utf-8''%e2%82%ac`, '€'],
  ])('%s', async (words, fileName) => {
    const text = part(`form-data; name=license; ${words}`, '{}').replace('\r\n\r\n', `\r\n${file}\r\n`)
    expect(await parseBody('multipart/form-data; boundary=b', bytes(`${text}--b--\r\n`))).toMatchObject({
      parts: [{ kind: 'file', name: 'license', fileName, bytes: new Uint8Array(bytes('{}')) }],
    })
  })

  test.each([
    ['multipart/form-data', `${name}--b--\r\n`, 'names no boundary'],
    ['multipart/form-data; boundary=c', `${name}--b--\r\n`, 'does not end with the boundary'],
    ['multipart/form-data; boundary=b', name, 'does not end with the boundary'],
    ['multipart/form-data; boundary=b', '--b\r\nno header--b--', 'malformed'],
    ['multipart/form-data; boundary=b', '--bx\r\n\r\n--b--', 'malformed'],
  ])('an invalid body is still rejected: %s %j', async (type, text, words) => {
    const body = await parseBody(type, bytes(text))
    expect(body).toMatchObject({ encoding: 'unreadable', problem: expect.stringContaining(words) })
  })
})
