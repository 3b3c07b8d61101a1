import * as fc from 'fast-check'
import { decode as decodeAnswer, parseJson } from '../../src/client/decode.js'
import { decodeRoot } from '../../src/client/decode-root.js'
import { isForeignAnswer } from '../../src/client/failure.js'
import type { HttpAnswer } from '../../src/client/message.js'

/** Decodes a response to an operation, or to a poll. */
const decode = (name: 'root' | 'done' | 'exportResult', answer: HttpAnswer) =>
  name === 'root' ? decodeRoot(answer) : decodeAnswer(name, answer)

const root = { fullVersion: '11.2.0', currentVersion: 11.2, status: { state: 'ready' } }
const error = (code: number, message = 'No.') => ({ error: { code, message, details: null } })

function answer(body: unknown, status = 200) {
  return { status, bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }
}

describe('a response in the documented form', () => {
  test.each([
    ['done', { status: 'success' }],
    ['done', { success: true }],
    ['done', { success: true, status: 'success' }],
    ['done', { status: 'success', more: 1 }],
    ['exportResult', { status: 'success' }],
    ['exportResult', { status: 'success', location: '/x.portalsite' }],
    ['exportResult', { status: 'success with warning', location: '/x', messages: ['missing'] }],
  ] as const)('%s: %j is a value', (name, body) => {
    expect(decode(name, answer(body))).toEqual({ ok: true, value: body })
  })

  test('to an export may have other capitals in its status, and one text as its messages', () => {
    const body = { status: 'Success With Warning', location: '/X', messages: 'Missing' }
    expect(decode('exportResult', answer(body))).toEqual({
      ok: true,
      value: { status: 'success with warning', location: '/X', messages: ['Missing'] },
    })
    expect(decode('done', answer({ status: 'SUCCESS' })).ok).toBe(true)
  })

  test('may begin with a byte order mark and be pretty-printed', () => {
    const text = `\ufeff${JSON.stringify(root, null, 2)}\n`
    expect(decode('root', answer(text))).toMatchObject({ ok: true, value: { kind: 'ready' } })
  })

  test.each([200, 201, 202, 299])('counts with HTTP %i', status => {
    expect(decode('done', answer({ status: 'success' }, status)).ok).toBe(true)
  })
})

describe('an error body', () => {
  test.each([100, 200, 400, 404, 409, 418, 500, 502])(
    'is a rejection with HTTP %i, with the message of the service',
    status => {
      const failure = { kind: 'refused', status, code: 500, message: 'It cannot be written.' }
      const body = error(500, 'It cannot be written.')
      expect(decode('exportResult', answer(body, status))).toEqual({ ok: false, error: failure })
    },
  )

  test.each([401, 403, 498, 499])('with the code %i is about the token, whatever the HTTP status', code => {
    for (const status of [200, 401, 403, 499, 500]) {
      expect(decode('done', answer(error(code, 'Token'), status))).toEqual({
        ok: false,
        error: { kind: 'unauthorized', status, code, message: 'Token' },
      })
    }
  })

  test.each([408, 425, 429, 503])(
    'with HTTP %i is a temporary failure: the same request may succeed later',
    status => {
      expect(decode('done', { ...answer(error(400), status), retryAfterMs: 7_000 })).toEqual({
        ok: false,
        error: { kind: 'trouble', status, code: 400, message: 'No.', retryAfterMs: 7_000 },
      })
      expect(decode('done', answer(error(498), status))).toMatchObject({ error: { kind: 'unauthorized' } })
    },
  )

  test('counts even next to the fields of a success', () => {
    const body = { ...root, status: 'success', ...error(400) }
    expect(decode('root', answer(body))).toMatchObject({ ok: false, error: { kind: 'refused', code: 400 } })
    expect(decode('done', answer(body))).toMatchObject({ ok: false, error: { kind: 'refused', code: 400 } })
  })

  const undocumented = { isUndocumented: true }
  test.each<[unknown, readonly string[] | undefined, object]>([
    [null, undefined, {}],
    ['', undefined, {}],
    [[], undefined, {}],
    [{}, undefined, undocumented],
    ['License expired on 2024-01-01', ['License expired on 2024-01-01'], {}],
    [['a', null, ' ', 'b', 7], ['a', 'b', '7'], undocumented],
    [{ a: 1 }, ['{"a":1}'], undocumented],
    [Array(500).fill('x'), Array(20).fill('x'), {}],
  ])('has its details: %j', (details, told, form) => {
    expect(decode('done', answer({ error: { code: 400, message: 'No.', details } }))).toEqual({
      ok: false,
      error: {
        kind: 'refused',
        status: 200,
        code: 400,
        message: 'No.',
        ...(told && { details: told }),
        ...form,
      },
    })
  })

  test.each<[object, object]>([
    [{ message: 'bad license' }, { message: 'bad license' }],
    [{ code: null, message: 'x' }, { message: 'x' }],
    [{ code: 'LICENSE', message: 'x' }, { message: 'x' }],
    [{ code: 1.5, message: 'x' }, { message: 'x' }],
    [
      { code: '500', message: 'x' },
      { code: 500, message: 'x' },
    ],
    [{ code: 500 }, { code: 500, message: '' }],
    [
      { code: 500, message: { a: 1 } },
      { code: 500, message: '{"a":1}' },
    ],
    [{ details: ['why'] }, { message: '', details: ['why'] }],
  ])('is a rejection with any code or none, and with any message: %j', (body, told) => {
    const failure = { kind: 'refused', status: 200, ...told, ...undocumented }
    expect(decode('done', answer({ error: body }))).toEqual({ ok: false, error: failure })
  })

  test.each([407, 408, 421, 425, 429, 501, 502, 503, 504, 599])(
    'with the code %i is that of a gateway: a temporary failure, with its message',
    code => {
      expect(decode('root', answer(error(code, 'Busy')))).toEqual({
        ok: false,
        error: { kind: 'trouble', status: 200, code, message: 'Busy' },
      })
    },
  )

  test.each([
    { error: null },
    { error: 'no' },
    { error: {} },
    { error: { code: null, message: ' ' } },
    { error: { message: { a: 1 } } },
    { error: [] },
  ])('in another form is not understood: %j', body => {
    expect(decode('done', answer(body))).toMatchObject({
      ok: false,
      error: { kind: 'not-understood', status: 200 },
    })
  })
})

describe('a body with the status of an error', () => {
  test.each([
    [{ status: 'error', messages: ['One.', 'Two.'], code: 409 }, 409, 'One. Two.'],
    [{ status: 'error', messages: ['One.'] }, undefined, 'One.'],
    [{ status: 'error', messages: ['a: x', 'b'] }, undefined, 'a: x; b'],
    [{ status: 'error' }, undefined, ''],
    [{ status: 'ERROR', message: 'One.' }, undefined, 'One.'],
    [{ status: 'failed', code: 500 }, 500, ''],
    [{ status: 'failed', statusMessage: 'bad license' }, undefined, 'bad license'],
    [{ status: 'failure', statusMessage: '{"a":1}', code: 7 }, 7, '{"a":1}'],
    [{ status: 'error', messages: 'One.', code: 400 }, 400, 'One.'],
  ])('%j is a rejection', (body, code, message) => {
    for (const status of [200, 400, 500]) {
      expect(decode('done', answer(body, status))).toEqual({
        ok: false,
        error: {
          kind: 'refused',
          status,
          ...(code !== undefined && { code }),
          message,
          isUndocumented: true,
        },
      })
    }
  })

  test('may have details', () => {
    const body = { status: 'error', messages: ['One.'], details: ['Two.'] }
    expect(decode('done', answer(body))).toMatchObject({ error: { message: 'One.', details: ['Two.'] } })
  })

  test.each([498, 499])('with the code %i is about the sign-in', code => {
    expect(decode('done', answer({ status: 'error', messages: ['Token'], code }))).toEqual({
      ok: false,
      error: { kind: 'unauthorized', status: 200, code, message: 'Token', isUndocumented: true },
    })
  })

  test.each([
    '{"status":"error","code":{"valueOf":1,"toString":1}}',
    '{"status":"error","code":"many"}',
    '{"status":"error","code":[[[]]]}',
    '{"status":"error","code":1,"messages":[{"toString":1,"valueOf":1}]}',
    `{"status":"error","messages":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`,
  ])('in any form is a rejection with a text (case %#)', text => {
    const reply = decode('done', answer(text))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'refused' } })
    const { code = 0, message } = (reply as { error: { code?: unknown; message: unknown } }).error
    expect(Number.isInteger(code)).toBe(true)
    expect(typeof message).toBe('string')
  })

  test('is not that of the service if it is from a Kubernetes API', () => {
    const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'forbidden', code: 403 }
    expect(decode('done', answer(body, 403))).toEqual({
      ok: false,
      error: { kind: 'unauthorized', status: 403, message: 'forbidden', cause: 'denied' },
    })
  })
})

test.each([
  [{ code: 400, message: 'No.' }, 'refused'],
  [{ code: 500, message: 'No.' }, 'refused'],
  [{ code: 3, message: 'No.' }, 'not-understood'],
  [{ code: 400, message: 7 }, 'not-understood'],
])('a code and a message at the top, %j, are %s', (body, kind) => {
  expect(decode('done', answer(body))).toMatchObject({ error: { kind } })
})

describe('a response that is not JSON of the service', () => {
  const page = '<!DOCTYPE html><html><body>Sign in</body></html>'

  test.each([
    ['nothing', ''],
    ['a web page', page],
    ['half an object', '{"status":"succ'],
    ['two objects', '{"status":"success"}{"status":"success"}'],
    ['a list', '[{"status":"success"}]'],
    ['a text', '"success"'],
    ['a number', '1'],
    ['null', 'null'],
    ['true', 'true'],
    ['a call', 'callback({"status":"success"})'],
  ])('%s is not understood', (_what, text) => {
    for (const status of [200, 201, 404]) {
      expect(decode('done', answer(text, status))).toMatchObject({
        ok: false,
        error: { kind: 'not-understood', status },
      })
    }
  })

  test('with bytes that are not UTF-8 is not understood', () => {
    const bytes = Buffer.from('{"status":"success","x":"\xff"}', 'latin1')
    expect(decode('done', { status: 200, bytes })).toMatchObject({ error: { kind: 'not-understood' } })
  })

  test.each([401, 403])('with HTTP %i and a web page means that access was denied', status => {
    expect(decode('done', answer(page, status))).toEqual({
      ok: false,
      error: { kind: 'unauthorized', status, message: 'Sign in', cause: 'denied' },
    })
  })

  test.each([429, 500, 502, 503, 504, 599])('with HTTP %i and a web page is a temporary failure', status => {
    expect(decode('root', answer(page, status))).toEqual({
      ok: false,
      error: { kind: 'trouble', status, message: 'Sign in', cause: 'unavailable' },
    })
  })

  test.each([
    [
      '<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>',
      '413 Request Entity Too Large',
    ],
    ['\ufeff<html><body><h1>Bad\n  Gateway</h1><p>Try later.</p></body></html>', 'Bad Gateway Try later.'],
    ['upstream connect error', 'upstream connect error'],
    [`<title>${'a'.repeat(500)}</title>`, 'a'.repeat(500)],
    ['<'.repeat(100_000), '<'.repeat(2000)],
    ['', undefined],
    ['callback({})', 'callback({})'],
    ['{"a":1,\n "b":', '{"a":1, "b":'],
  ])('that is a page has its first words in the failure (case %#)', (text, message) => {
    const reply = decode('done', answer(text, 413))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-understood', status: 413 } })
    expect(reply.ok ? '' : 'message' in reply.error ? reply.error.message : undefined).toBe(message)
  })

  test.each([500, 503])('HTTP %i is a temporary failure even with the body of a success', status => {
    expect(decode('root', answer(root, status))).toEqual({
      ok: false,
      error: { kind: 'trouble', status, cause: 'unavailable' },
    })
  })

  test.each([400, 404, 410])('HTTP %i is not a success even with the body of one', status => {
    expect(decode('done', answer({ status: 'success' }, status))).toMatchObject({
      ok: false,
      error: { kind: 'not-understood', status },
    })
  })

  const tomcat = (text: string) =>
    `<!doctype html><html lang="en"><head><title>HTTP Status 500 – Internal Server Error</title></head><body><p>${text}</p></body></html>`
  const large = { sentBytes: 300_000 }
  const small = { sentBytes: 900 }
  test.each<readonly [string, number, string, object, object | undefined]>([
    ['a 413 page', 413, page, large, { kind: 'not-understood', ...large }],
    ['a 500 page for a large request', 500, tomcat('Unexpected'), large, { kind: 'trouble', ...large }],
    ['an empty 502 for a large request', 502, '', large, { kind: 'trouble', ...large }],
    [
      'a 500 page that mentions the size of a small one',
      500,
      tomcat('FileSizeLimitExceededException: The field license exceeds its maximum permitted size'),
      small,
      { kind: 'trouble', ...small },
    ],
    [
      'a 400 text that mentions the size',
      400,
      'the request was rejected because its size (1) exceeds the configured maximum (0)',
      small,
      { kind: 'not-understood', ...small },
    ],
    ['a 500 page for a small request', 500, tomcat('Unexpected'), small, undefined],
    ['a 502 page for a large request', 502, page, large, undefined],
    ['an empty 502 without a body', 502, '', {}, undefined],
    ['a 500 in JSON for a large request', 500, '{"status":"x"}', large, undefined],
  ])('%s is checked for a hint at the size of the request', (_, status, body, sent, hint) => {
    const reply = decode('done', { ...answer(body, status), ...sent })
    if (hint !== undefined) expect(reply).toMatchObject({ error: { cause: 'too-large', ...hint } })
    else expect(reply).toMatchObject({ error: { kind: 'trouble', cause: 'unavailable' } })
  })

  test.each<readonly [string, number, string, object, string | undefined]>([
    ['an error body', 403, JSON.stringify(error(403)), {}, undefined],
    ['a 401 in JSON', 401, '{"message":"no"}', {}, undefined],
    ['a 403 in JSON without a token', 403, '{"message":"no"}', {}, 'denied'],
    ['a 403 in JSON with a token', 403, '{"message":"no"}', { hadToken: true }, undefined],
    ['an empty 401 without a token', 401, '', {}, 'denied'],
    ['an empty 401 with a token', 401, '', { hadToken: true }, undefined],
    ['a 401 page with a token', 401, page, { hadToken: true }, 'denied'],
    ['a 401 page with a realm', 401, page, { realm: '' }, 'proxy-account'],
    ['an error body with a realm', 401, JSON.stringify(error(401)), { realm: '' }, undefined],
    ['a 405 page', 405, page, {}, 'page'],
    ['an empty 405', 405, '', {}, 'page'],
    ['a 405 in JSON', 405, '{"message":"no"}', {}, undefined],
    ['a page', 200, page, {}, 'page'],
    ['nothing', 200, '', {}, undefined],
    ['a redirect', 308, '', {}, 'moved'],
  ])('%s is checked for signs that the service itself sent it', (_, status, body, more, cause) => {
    const reply = decode('done', { ...answer(body, status), ...more })
    if (reply.ok) throw new Error('a success')
    expect('cause' in reply.error ? reply.error.cause : undefined).toBe(cause)
    expect(isForeignAnswer(reply.error)).toBe(cause !== undefined)
  })

  test.each([
    ['{"a":1,"b":x}', 1, 12],
    ['{"a":\n [1,\n 2}', 3, 3],
    ['{"a":"x', 1, 8],
    ['callback({})', undefined, undefined],
    ['Not found', undefined, undefined],
  ])('%j is not JSON, with the position of the error', (text, line, column) => {
    const place = line === undefined ? undefined : { line, column }
    const reply = decode('done', answer(text))
    expect(!reply.ok && 'place' in reply.error ? reply.error.place : undefined).toEqual(place)
  })

  test('half a JSON value is not a JSON object', () => {
    expect(decode('done', answer('['))).toMatchObject({ error: { reason: 'not-a-json-object' } })
  })

  test.each([
    ['a title', '<html><head><title>Sign In</title></head></html>'],
    ['a password field', '<html><form><input name="p" type="password"></form></html>'],
  ])('a page with %s for signing in is a sign-in page with HTTP 200, 401, 403 and 404', (_, html) => {
    for (const status of [200, 401, 403, 404])
      expect(decode('root', answer(html, status))).toMatchObject({
        error: { kind: 'unauthorized', cause: 'sign-in' },
      })
    expect(decode('root', answer(html, 503))).toMatchObject({ error: { kind: 'trouble' } })
  })

  test.each([300, 301, 302, 303, 304, 307, 308, 399])(
    'HTTP %i is a redirect, whatever its body is',
    status => {
      for (const body of [page, '', root, { status: 'success' }]) {
        expect(decode('root', answer(body, status))).toEqual({
          ok: false,
          error: { kind: 'redirected', status, cause: 'moved' },
        })
      }
    },
  )
})

describe('a response with wrong types', () => {
  test.each([
    ['root', {}],
    ['root', { ...root, status: {} }],
    ['done', { status: 'success with warning' }],
    ['done', { status: true }],
    ['done', { success: false }],
    ['done', { success: 'true' }],
    ['done', { success: true, status: 'partial' }],
    ['exportResult', { success: true }],
    ['exportResult', { status: 'success', location: 1 }],
    ['exportResult', { status: 'success', messages: { a: 'x' } }],
    ['exportResult', { status: 'succeeded' }],
  ] as const)('%s: %j is not understood', (name, body) => {
    expect(decode(name, answer(body))).toMatchObject({
      ok: false,
      error: { kind: 'not-understood', status: 200 },
    })
  })

  test('is described without quoting it', () => {
    const reply = decode('root', answer({ ...root, fullVersion: ['S3cret'], S3cret: 1 }))
    expect(JSON.stringify(reply)).not.toContain('S3cret')
  })
})

const parsed = (text: string) => parseJson(Buffer.from(text))

describe('a response is not JSON', () => {
  test.each([
    ['nothing', ''],
    ['two values', '{"a":1}{"a":1}'],
    ['two lines of values', '{"a":1}\n{"a":2}'],
    ['a value and a comma', '{"a":1},'],
    ['a page', '<!doctype html><html></html>'],
    ['half a value', '{"status":"succ'],
    ['a comment', '{"a":1} // done'],
    ['an invalid number', '{"a":NaN}'],
    ['two numbers in one', '{"a":1.5.}'],
  ])('with %s', (_what, text) => {
    expect(parsed(text)).toBeUndefined()
  })

  test('with bytes that are not UTF-8, in a name or in a value', () => {
    expect(parseJson(Buffer.from('{"a":"\xff"}', 'latin1'))).toBeUndefined()
    expect(parseJson(Buffer.from('{"\xc3":1}', 'latin1'))).toBeUndefined()
  })
})

describe('a response is JSON', () => {
  test.each([
    '{"a":{"a":[{"a":1},{"a":1}]},"b":"a"}',
    '["a","a",{"a":"a:"}]',
    '{"a":"\\"a\\":1,","b":"\\\\"}',
    ' "text" ',
    'null',
  ])('with the same names in different objects: %s', text => {
    expect(parsed(text)).toEqual(JSON.parse(text))
  })

  test('whatever value it has', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (value, space) => {
        expect(parsed(JSON.stringify(value, null, space))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('if it is nested 100,000 levels deep, but is no response of the service', () => {
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

  test('with names that are special in JavaScript, which are harmless', () => {
    const text =
      '{"status":"success","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
    const reply = decode('done', { status: 200, bytes: Buffer.from(text) })
    expect(reply.ok).toBe(true)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(reply.ok && (reply.value as { polluted?: unknown }).polluted).toBeFalsy()
  })
})
