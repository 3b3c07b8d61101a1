import fc from 'fast-check'
import { encodeForm, withForm } from '../../../src/client/wire/form.js'
import type { RequestBody } from '../../../src/client/wire/multipart.js'
import { anyText } from '../../support/any-text.js'
import { wireTexts } from '../../support/wire-texts.js'

const nasty = [...wireTexts, '\ufeff\u2028']

test('a small body consists of exactly these bytes', () => {
  const body = encodeForm([
    { name: 'upgradeConfig', value: Buffer.from('{"a": 1}') },
    { name: 'f', value: Buffer.from('json') },
    { name: 'token', value: Buffer.from('Az09-._*~+ä\n') },
  ])
  expect(body.contentType).toBe('application/x-www-form-urlencoded; charset=UTF-8')
  expect(body.bytes.toString('latin1')).toBe(
    'upgradeConfig=%7B%22a%22%3A%201%7D&f=json&token=Az09-._*%7E%2B%C3%A4%0A',
  )
})

test('without fields the body is empty', () => {
  expect(encodeForm([]).bytes.byteLength).toBe(0)
})

test.each(nasty)('the text %j is unchanged after decoding, also between others', text => {
  const fields = ['first', text, 'last'].map((value, index) => ({
    name: `n${index}`,
    value: Buffer.from(value),
  }))
  expect([...new URLSearchParams(encodeForm(fields).bytes.toString('latin1'))]).toEqual([
    ['n0', 'first'],
    ['n1', text],
    ['n2', 'last'],
  ])
})

test('any texts are unchanged after decoding', () => {
  const text = fc.oneof(anyText(), fc.constantFrom(...nasty))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), texts => {
      const fields = texts.map((value, index) => ({ name: `n${index}`, value: Buffer.from(value) }))
      const read = [...new URLSearchParams(encodeForm(fields).bytes.toString('latin1'))]
      expect(read).toEqual(texts.map((value, index) => [`n${index}`, value]))
    }),
  )
})

test('any bytes are unchanged after decoding, even if they are not UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const body = encodeForm([{ name: 'token', value: Buffer.from(bytes) }]).bytes.toString('latin1')
      expect(body).toMatch(/^token=(?:[A-Za-z0-9\-._*]|%[0-9A-F]{2})*$/)
      const text = body
        .slice('token='.length)
        .replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      expect(Buffer.from(text, 'latin1')).toEqual(Buffer.from(bytes))
    }),
  )
})

const fields = () => [{ name: 'token', value: Buffer.from('se+cret') }]
const isWiped = (bytes: Buffer | undefined) => bytes?.byteLength !== 0 && bytes?.every(byte => byte === 0)

test('a body is intact while it is in use, and then wiped together with its values', async () => {
  const values = fields()
  let body: RequestBody | undefined
  const text = await withForm(values, async borrowed => {
    body = borrowed
    expect(values.every(({ value }) => isWiped(value))).toBe(true)
    return borrowed.bytes.toString()
  })
  expect(text).toBe('token=se%2Bcret')
  expect(isWiped(body?.bytes)).toBe(true)
})

test('a body is wiped if its use fails', async () => {
  let body: RequestBody | undefined
  const failing = withForm(fields(), async borrowed => {
    body = borrowed
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(isWiped(body?.bytes)).toBe(true)
})
