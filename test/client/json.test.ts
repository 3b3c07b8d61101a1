import * as fc from 'fast-check'
import { decode } from '../../src/client/decode.js'
import { decodeRoot } from '../../src/client/decode-root.js'
import { parseJson } from '../../src/client/json.js'

const parsed = (text: string) => parseJson(Buffer.from(text))

describe('an answer is no JSON', () => {
  test.each([
    ['nothing', ''],
    ['two values', '{"a":1}{"a":1}'],
    ['two lines of values', '{"a":1}\n{"a":2}'],
    ['a value and a comma', '{"a":1},'],
    ['a page', '<!doctype html><html></html>'],
    ['half a value', '{"status":"succ'],
    ['a comment', '{"a":1} // done'],
    ['a number that is none', '{"a":NaN}'],
  ])('with %s', (_what, text) => {
    expect(parsed(text)).toBeUndefined()
  })

  test('with bytes that are no UTF-8, in a name or in a value', () => {
    expect(parseJson(Buffer.from('{"a":"\xff"}', 'latin1'))).toBeUndefined()
    expect(parseJson(Buffer.from('{"\xc3":1}', 'latin1'))).toBeUndefined()
  })
})

describe('an answer is JSON', () => {
  test.each([
    '{"a":{"a":[{"a":1},{"a":1}]},"b":"a"}',
    '["a","a",{"a":"a:"}]',
    '{"a":"\\"a\\":1,","b":"\\\\"}',
    ' "text" ',
    'null',
  ])('though names come again elsewhere: %s', text => {
    expect(parsed(text)).toEqual(JSON.parse(text))
  })

  test('whatever value it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (value, space) => {
        expect(parsed(JSON.stringify(value, null, space))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('a hundred thousand levels deep, and it is no answer of the service', () => {
    const deep = 100_000
    const [lists, objects] = [
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    ]
    for (const text of [lists, objects]) {
      const bytes = Buffer.from(text)
      expect(decodeRoot({ status: 200, bytes })).toMatchObject({ error: { kind: 'not-understood' } })
      const error = Buffer.from(`{"status":"error","messages":[${text}]}`)
      expect(decodeRoot({ status: 200, bytes: error })).toMatchObject({ error: { kind: 'refused' } })
      const root = Buffer.from(`{"fullVersion":"11.2","resources":["orgs"],"status":{},"more":${text}}`)
      expect(decodeRoot({ status: 200, bytes: root }).ok).toBe(true)
    }
  })

  test('with names that are special to JavaScript, which do no harm', () => {
    const text =
      '{"status":"success","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
    const reply = decode('done', { status: 200, bytes: Buffer.from(text) })
    expect(reply.ok).toBe(true)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(reply.ok && (reply.value as { polluted?: unknown }).polluted).toBeFalsy()
  })
})
