import { decode } from '../../src/client/decode.js'

const root = { fullVersion: '11.2.0', currentVersion: 11.2, status: { state: 'ready' } }
const error = (code: number, message = 'No.') => ({ error: { code, message, details: null } })

function answer(body: unknown, status = 200) {
  return { status, bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }
}

describe('an answer of the documented shape', () => {
  test.each([
    ['root', root],
    ['root', { ...root, resources: ['orgs'], info: { build: '1' }, status: {} }],
    [
      'root',
      { ...root, new: { field: [] }, status: { state: 'x', stages: [{ name: 'a', state: 'b', c: 1 }] } },
    ],
    ['done', { status: 'success' }],
    ['done', { status: 'success', more: 1 }],
    ['exportResult', { status: 'success' }],
    ['exportResult', { status: 'success', location: '/x.portalsite' }],
    ['exportResult', { status: 'success with warning', location: '/x', messages: ['missing'] }],
  ] as const)('%s: %j is a value', (name, body) => {
    expect(decode(name, answer(body))).toEqual({ ok: true, value: body })
  })

  test('may begin with a byte order mark and be pretty', () => {
    const text = `\ufeff${JSON.stringify(root, null, 2)}\n`
    expect(decode('root', answer(text))).toEqual({ ok: true, value: root })
  })

  test.each([200, 201, 202, 299])('counts under HTTP %i', status => {
    expect(decode('done', answer({ status: 'success' }, status)).ok).toBe(true)
  })
})

describe('an error body', () => {
  test.each([100, 200, 400, 404, 409, 418, 500, 502])(
    'is a refusal under HTTP %i, in the words of the service',
    status => {
      const failure = { kind: 'refused', status, code: 500, message: 'It cannot be written.' }
      const body = error(500, 'It cannot be written.')
      expect(decode('exportResult', answer(body, status))).toEqual({ ok: false, failure })
    },
  )

  test.each([401, 403, 498, 499])('with the code %i is about the sign-in, whatever the HTTP status', code => {
    for (const status of [200, 401, 403, 499, 500]) {
      expect(decode('done', answer(error(code, 'Token'), status))).toEqual({
        ok: false,
        failure: { kind: 'unauthorized', status, code, message: 'Token' },
      })
    }
  })

  test.each([429, 503])('under HTTP %i is trouble, for the same request may be taken later', status => {
    expect(decode('done', { ...answer(error(400), status), retryAfterMs: 7_000 })).toEqual({
      ok: false,
      failure: { kind: 'trouble', status, retryAfterMs: 7_000 },
    })
    expect(decode('done', answer(error(498), status))).toMatchObject({ failure: { kind: 'unauthorized' } })
  })

  test('counts even beside the fields of a success', () => {
    const body = { ...root, status: 'success', ...error(400) }
    expect(decode('root', answer(body))).toMatchObject({ ok: false, failure: { kind: 'refused', code: 400 } })
    expect(decode('done', answer(body))).toMatchObject({ ok: false, failure: { kind: 'refused', code: 400 } })
  })

  test('may carry details of any kind', () => {
    for (const details of [null, 'text', ['a'], { a: 1 }]) {
      const body = { error: { code: 400, message: 'No.', details } }
      expect(decode('done', answer(body))).toMatchObject({ failure: { kind: 'refused', code: 400 } })
    }
  })

  test.each([
    { error: null },
    { error: 'no' },
    { error: {} },
    { error: { code: '500', message: 'x' } },
    { error: { code: 500 } },
    { error: { code: 1.5, message: 'x' } },
    { error: { code: 500, message: { a: 1 } } },
    { error: [] },
  ])('of another shape is not understood: %j', body => {
    expect(decode('done', answer(body))).toMatchObject({
      ok: false,
      failure: { kind: 'not-understood', status: 200 },
    })
  })
})

describe('a body whose status is an error', () => {
  test.each([
    [{ status: 'error', messages: ['One.', 'Two.'], code: 409 }, 409, 'One. Two.'],
    [{ status: 'error', messages: ['One.'] }, 0, 'One.'],
    [{ status: 'error' }, 0, ''],
    [{ status: 'failed', code: 500 }, 500, ''],
    [{ status: 'error', messages: 'One.', code: 400 }, 400, ''],
  ])('%j is a refusal', (body, code, message) => {
    for (const status of [200, 400, 500]) {
      expect(decode('done', answer(body, status))).toEqual({
        ok: false,
        failure: { kind: 'refused', status, code, message },
      })
    }
  })

  test.each([498, 499])('with the code %i is about the sign-in', code => {
    expect(decode('done', answer({ status: 'error', messages: ['Token'], code }))).toEqual({
      ok: false,
      failure: { kind: 'unauthorized', status: 200, code, message: 'Token' },
    })
  })

  test.each([
    '{"status":"error","code":{"valueOf":1,"toString":1}}',
    '{"status":"error","code":"many"}',
    '{"status":"error","code":[[[]]]}',
    '{"status":"error","code":1,"messages":[{"toString":1,"valueOf":1}]}',
    `{"status":"error","messages":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`,
  ])('of any make is a refusal with a number and a text (case %#)', text => {
    const reply = decode('done', answer(text))
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'refused' } })
    const { code, message } = (reply as { failure: { code: unknown; message: unknown } }).failure
    expect(Number.isInteger(code)).toBe(true)
    expect(typeof message).toBe('string')
  })
})

describe('an answer that is no JSON of the service', () => {
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
        failure: { kind: 'not-understood', status },
      })
    }
  })

  test('bytes that are no UTF-8 are not understood', () => {
    const bytes = Buffer.from('{"status":"success","x":"\xff"}', 'latin1')
    expect(decode('done', { status: 200, bytes })).toMatchObject({ failure: { kind: 'not-understood' } })
  })

  test.each([401, 403])('HTTP %i with a web page is about the sign-in', status => {
    expect(decode('done', answer(page, status))).toEqual({
      ok: false,
      failure: { kind: 'unauthorized', status, code: status, message: '' },
    })
  })

  test.each([429, 500, 502, 503, 504, 599])('HTTP %i with a web page is trouble', status => {
    expect(decode('root', answer(page, status))).toEqual({ ok: false, failure: { kind: 'trouble', status } })
  })

  test.each([500, 503])('HTTP %i is trouble even with the body of a success', status => {
    expect(decode('root', answer(root, status))).toEqual({ ok: false, failure: { kind: 'trouble', status } })
  })

  test.each([400, 404, 410])('HTTP %i is no success even with the body of one', status => {
    expect(decode('done', answer({ status: 'success' }, status))).toMatchObject({
      ok: false,
      failure: { kind: 'not-understood', status },
    })
  })

  test.each([300, 301, 302, 303, 304, 307, 308, 399])(
    'HTTP %i is a redirect, whatever it carries',
    status => {
      for (const body of [page, '', root, { status: 'success' }]) {
        expect(decode('root', answer(body, status))).toEqual({
          ok: false,
          failure: { kind: 'redirected', status },
        })
      }
    },
  )
})

describe('an answer with the wrong types', () => {
  test.each([
    ['root', {}],
    ['root', { ...root, fullVersion: 11.2 }],
    ['root', { ...root, currentVersion: '11.2' }],
    ['root', { ...root, status: 'ready' }],
    ['root', { ...root, status: null }],
    ['root', { ...root, status: { state: 1 } }],
    ['root', { ...root, status: { message: {} } }],
    ['root', { ...root, status: { warnings: 'none' } }],
    ['root', { ...root, status: { stages: {} } }],
    ['root', { ...root, status: { stages: ['License validation'] } }],
    ['root', { ...root, status: { stages: [{ name: 'a' }] } }],
    ['root', { ...root, status: { stages: [{ name: 1, state: 'completed' }] } }],
    ['root', { ...root, status: { stages: [{ name: 'a', state: 'b', startTime: '0' }] } }],
    ['root', { ...root, status: { stages: [{ name: 'a', state: 'b', lastUpdated: 1.5 }] } }],
    ['done', { status: 'success with warning' }],
    ['done', { status: 'SUCCESS' }],
    ['done', { status: true }],
    ['done', { success: true }],
    ['exportResult', { status: 'success', location: 1 }],
    ['exportResult', { status: 'success', messages: 'x' }],
  ] as const)('%s: %j is not understood', (name, body) => {
    expect(decode(name, answer(body))).toMatchObject({
      ok: false,
      failure: { kind: 'not-understood', status: 200 },
    })
  })

  test('is described without a word of it', () => {
    const reply = decode('root', answer({ ...root, fullVersion: ['S3cret'], S3cret: 1 }))
    expect(JSON.stringify(reply)).not.toContain('S3cret')
  })
})
