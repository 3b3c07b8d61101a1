import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { send } from '../../src/client/connection.js'
import { decode } from '../../src/client/decode.js'
import type { HttpRequest } from '../../src/client/message.js'
import { siteReader } from '../../src/client/site-reader.js'
import { tool } from '../../src/version.js'
import { aCertificate } from '../support/certificate.js'
import { freePort, http, httpDouble, type Reply, withoutCacheBuster } from '../support/http-double.js'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

function aPost(url: string, changes: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'POST',
    url,
    path: '/configure',
    body: { contentType: 'text/plain', bytes: Buffer.from('the-whole-body') },
    deadlineMs: 5_000,
    signal: new AbortController().signal,
    ...changes,
  }
}

/** Servers that reply to each whole request, and to the first bytes of a connection. */
const toRequests = (reply: Reply) => httpDouble([{ reply }])
const toBytes = (reply: Reply) => httpDouble([{ on: 'bytes', reply }])

describe('a request', () => {
  test('is sent once, whole, over HTTP/1.1, and accepts only plain JSON', async () => {
    const server = await toRequests(ok)
    const reply = await send(aPost(`http://127.0.0.1:${server.port}/arcgis/admin`))
    expect(reply).toEqual({ ok: true, value: { status: 200, bytes: Buffer.from('{}') } })
    expect(server.received.length).toBe(1)
    const [head = '', body] = server.received[0]?.split('\r\n\r\n') ?? []
    expect(body).toBe('the-whole-body')
    const [first, ...headers] = head.toLowerCase().split('\r\n')
    expect(first).toBe('post /arcgis/admin/configure http/1.1')
    expect(headers).toEqual(
      expect.arrayContaining([
        'content-type: text/plain',
        'content-length: 14',
        'accept: application/json',
        'accept-encoding: identity',
        `user-agent: ${tool}`,
      ]),
    )
    expect(head.toLowerCase()).not.toContain('expect:')
  })

  test.each([
    ['', '/?f=json'],
    ['/', '/?f=json'],
    ['/arcgis/admin', '/arcgis/admin?f=json'],
    ['/arcgis/admin/', '/arcgis/admin?f=json'],
    ['/arcgis/admin//', '/arcgis/admin?f=json'],
  ])('for the root of a site below "%s" has the path %s', async (basePath, target) => {
    const server = await toRequests(http(503, ''))
    const url = `http://127.0.0.1:${server.port}${basePath}`
    const reply = await siteReader(url).observe(new AbortController().signal)
    expect(reply).toEqual({ ok: false, error: { kind: 'trouble', status: 503, cause: 'unavailable' } })
    expect(withoutCacheBuster(server.received[0]?.split(' HTTP/1.1\r\n')[0] ?? '')).toBe(`GET ${target}`)
  })

  test('has a connection of its own, even if the server would keep one', async () => {
    const server = await toRequests([ok])
    const url = `http://127.0.0.1:${server.port}`
    for (let count = 1; count <= 3; count += 1) {
      expect((await send(aPost(url))).ok).toBe(true)
      expect(server.received.length).toBe(count)
    }
    expect(server.received.map(text => text.split('POST ').length - 1)).toEqual([1, 1, 1])
  })

  test.each([200, 204, 400, 404, 500, 503])(
    'that gets HTTP %i has a response, which is decoded elsewhere',
    async status => {
      const server = await toRequests(`HTTP/1.1 ${status} Word\r\ncontent-length: 0\r\n\r\n`)
      const reply = await send(aPost(`http://127.0.0.1:${server.port}`))
      const sent = status >= 400 && { sentBytes: 14 }
      expect(reply).toEqual({ ok: true, value: { status, bytes: Buffer.alloc(0), ...sent } })
      expect(server.received.length).toBe(1)
    },
  )
})

describe('a response', () => {
  const success = JSON.stringify({ status: 'success' })
  const compressed = (status: number, encoding: string, content: Buffer) => {
    const head = `HTTP/1.1 ${status} Word\r\ncontent-encoding: ${encoding}\r\n`
    return Buffer.concat([Buffer.from(`${head}content-length: ${content.byteLength}\r\n\r\n`), content])
  }

  test.each([
    ['gzip', gzipSync(success)],
    ['X-GZIP', gzipSync(success)],
    ['deflate', deflateSync(success)],
    ['br', brotliCompressSync(success)],
  ])('that is compressed by %s, though not requested, is decoded', async (encoding, content) => {
    const server = await toRequests(compressed(200, encoding, content))
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`))
    expect(reply).toEqual({ ok: true, value: { status: 200, bytes: Buffer.from(success) } })
  })

  test.each([
    ['zstd', 'zstd', gzipSync(success)],
    ['gzip, br', 'gzip, br', gzipSync(success)],
    ['gzip', 'gzip', Buffer.from(success)],
    ['GZIP', 'gzip', gzipSync(Buffer.alloc(100_000))],
  ])(
    'that cannot be decoded, or is too large then, is reported (case %#: %s)',
    async (sent, named, content) => {
      const server = await toRequests(compressed(200, sent, content))
      const reply = await send({ ...aPost(`http://127.0.0.1:${server.port}`), maxAnswerBytes: 50_000 })
      expect(reply).toEqual({ ok: true, value: { status: 200, bytes: Buffer.alloc(0), encoding: named } })
      if (reply.ok)
        expect(decode('done', reply.value)).toEqual({
          ok: false,
          error: {
            kind: 'not-understood',
            status: 200,
            reason: 'compressed',
            message: `content-encoding: ${named}`,
          },
        })
    },
  )

  test('that is compressed is a temporary failure by its status', async () => {
    const server = await toRequests(compressed(503, 'zstd', gzipSync(success)))
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`))
    if (!reply.ok) throw new Error(reply.error.kind)
    expect(decode('done', reply.value)).toEqual({
      ok: false,
      error: { kind: 'trouble', status: 503, cause: 'unavailable' },
    })
  })

  const provisional = 'HTTP/1.1 100 Continue\r\n\r\n'
  const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
  test.each<[string, readonly string[]]>([
    ['100 Continue', [provisional + final]],
    ['100 Continue in a packet of its own', [provisional, final]],
    ['100 Continue byte by byte', [...provisional, final]],
    [
      'two of them with a header, in odd pieces',
      [`HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTT`, 'P/1.1 10', `0 \r\n\r\n${final}`],
    ],
    ['103 Early Hints', [`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n`, provisional, final]],
    ['only a response in pieces', ['HT', 'TP/1.1 2', final.slice(10)]],
  ])('is read after unsolicited interim responses: %s', async (_what, pieces) => {
    const server = await toRequests([...pieces, { close: 'end' }])
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`))
    expect(reply).toEqual({ ok: true, value: { status: 200, bytes: Buffer.from('{}') } })
  })

  test('with an unknown encoding is read', async () => {
    const plain = 'HTTP/1.1 200 OK\r\ncontent-encoding: Identity\r\ncontent-length: 2\r\n\r\n{}'
    const server = await toRequests(plain)
    expect(await send(aPost(`http://127.0.0.1:${server.port}`))).toMatchObject({
      ok: true,
      value: { bytes: Buffer.from('{}') },
    })
  })

  test.each([
    [503, 'Retry-After: 7', 7_000],
    [429, 'retry-after: 0', 1_000],
    [503, 'date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:50:37 GMT', 60_000],
    [503, 'Retry-After: soon', undefined],
  ])(
    'HTTP %i with %j is a temporary failure, with the requested pause',
    async (status, header, retryAfterMs) => {
      const text = `HTTP/1.1 ${status} Word\r\n${header}\r\ncontent-length: 0\r\n\r\n`
      const server = await toRequests(text)
      const url = `http://127.0.0.1:${server.port}`
      expect(await siteReader(url).observe(new AbortController().signal)).toEqual({
        ok: false,
        error: {
          kind: 'trouble',
          status,
          cause: 'unavailable',
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        },
      })
    },
  )

  const kilobytes = Buffer.alloc(64 * 1024, 'x')
  test.each([
    ['in one piece', { bytes: kilobytes }],
    ['in many pieces', { pieces: Array.from({ length: 800 }, () => kilobytes) }],
  ])('before the end of the request, %s, counts if it is whole', async (_what, content) => {
    const server = await httpDouble([{ on: 'head', reply: http(413, '') }])
    const body = { contentType: 'text/plain', ...content }
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`, { body }))
    expect(reply).toMatchObject({ ok: true, value: { status: 413 } })
  })
})

describe('nothing is sent', () => {
  test('if no server listens', async () => {
    expect(await send(aPost(`http://127.0.0.1:${await freePort()}`))).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', cause: 'connection', reason: 'ECONNREFUSED' },
    })
  })

  test('if the host name is unknown', async () => {
    // A label of 64 characters is too long for a DNS query, so no name server is contacted.
    expect(await send(aPost(`http://${'a'.repeat(64)}.invalid/admin`))).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', cause: 'name' },
    })
  })

  test('if the run was interrupted before: no connection is made', async () => {
    const server = await toRequests(ok)
    const url = `http://127.0.0.1:${server.port}`
    const reply = await send(aPost(url, { signal: AbortSignal.abort() }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'stopped' } })
    // An abandoned connection would have arrived before this one.
    await send(aPost(url))
    expect(server.received).toHaveLength(1)
  })

  test('if the server does not use TLS: no byte of the request is sent', async () => {
    const server = await toBytes(http(400, ''))
    const reply = await send(aPost(`https://127.0.0.1:${server.port}`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'tls' } })
    expect(server.received.length).toBe(1)
    expect(server.received.join('')).not.toMatch(/POST|configure|the-whole-body/)
  })

  test('if the server has no certificate', async () => {
    const server = await httpDouble([{ on: 'bytes', reply: ok }], {})
    const reply = await send(aPost(`https://127.0.0.1:${server.port}`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'tls' } })
    expect(server.received.join('')).toBe('')
  })

  test.each(['itself', 'an unknown authority'] as const)(
    'if the certificate of the server is signed by %s',
    async signedBy => {
      const server = await httpDouble([{ on: 'bytes', reply: ok }], aCertificate(signedBy))
      const reply = await send(aPost(`https://127.0.0.1:${server.port}`))
      expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'tls' } })
      expect(server.received.join('')).toBe('')
    },
  )

  test('if the server closes the connection during the handshake', async () => {
    const server = await toBytes({ close: 'destroy' })
    const reply = await send(aPost(`https://127.0.0.1:${server.port}`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'connection' } })
    expect(server.received.join('')).not.toMatch(/POST|configure|the-whole-body/)
  })

  // Without a limit of its own, a connection attempt would end only after ten seconds.
  test('if the handshake does not end in time', async () => {
    const server = await httpDouble([])
    const reply = await send(aPost(`https://127.0.0.1:${server.port}`, { deadlineMs: 80 }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'connection' } })
    expect(server.received.join('')).not.toMatch(/POST|configure|the-whole-body/)
  }, 4_000)

  test('if the run is interrupted during the handshake', async () => {
    const stop = new AbortController()
    const abort = () => {
      stop.abort()
      return []
    }
    const server = await httpDouble([{ on: 'bytes', reply: abort }])
    const reply = await send(aPost(`https://127.0.0.1:${server.port}`, { signal: stop.signal }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-sent', cause: 'stopped' } })
    expect(server.received.join('')).not.toMatch(/POST|configure|the-whole-body/)
  }, 4_000)
})

describe('there is no complete response', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const large = 4 * 1024 * 1024

  test.each<[string, Reply]>([
    ['closes without a response', { close: 'destroy' }],
    ['resets the connection', { close: 'reset' }],
    ['ends in the status line', 'HTTP/1.1 2'],
    ['ends in the headers', `${head}content-le`],
    ['ends after the headers', `${head}content-length: 20\r\n\r\n`],
    ['ends in the middle of the body', `${head}content-length: 20\r\n\r\n{"status":`],
    ['ends between two chunks', `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`],
    ['does not send HTTP', '220 smtp.example.org ESMTP\r\n'],
    [
      'announces more than 4 MiB, and sends it',
      `${head}content-length: ${large + 1}\r\n\r\n${' '.repeat(large + 1)}`,
    ],
    [
      'sends more than 4 MiB in chunks',
      `${head}transfer-encoding: chunked\r\n\r\n${(large + 1).toString(16)}\r\n${' '.repeat(large + 1)}\r\n0\r\n\r\n`,
    ],
  ])('if the server %s, and the request is not sent again', async (_what, behaviour) => {
    const server = await toRequests(behaviour)
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'no-answer' } })
    expect(server.received.length).toBe(1)
    expect(server.received.join('').split('POST ').length - 1).toBe(1)
  })

  test('unless it has exactly 4 MiB', async () => {
    const server = await toRequests(`${head}content-length: ${large}\r\n\r\n${' '.repeat(large)}`)
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`))
    expect(reply.ok && reply.value.bytes.byteLength).toBe(large)
  })

  test.each<[string, Reply]>([
    ['sends nothing', []],
    ['stops after the headers', [`${head}content-length: 20\r\n\r\n`]],
    ['stops in the body', [`${head}content-length: 20\r\n\r\n{`]],
    ['sends interim responses again and again', [{ drip: 'HTTP/1.1 102 Processing\r\n\r\n' }]],
    ['sends headers without end, one by one', [head, { drip: 'x-more: 1\r\n' }]],
    ['sends a body without end, byte by byte', [`${head}content-length: 4000000\r\n\r\n`, { drip: ' ' }]],
    [
      'sends chunks without end, one by one',
      [`${head}transfer-encoding: chunked\r\n\r\n`, { drip: '1\r\n \r\n' }],
    ],
  ])('if the server %s until the deadline', async (_what, behaviour) => {
    const server = await toRequests(behaviour)
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`, { deadlineMs: 400 }))
    expect(reply).toEqual({ ok: false, error: { kind: 'no-answer', reason: 'TIMEOUT' } })
    expect(server.received.join('').split('POST ').length - 1).toBe(1)
  })

  test('if the run is interrupted while the server works', async () => {
    const stop = new AbortController()
    const abort = () => {
      stop.abort()
      return []
    }
    const server = await httpDouble([{ reply: abort }])
    const reply = await send(aPost(`http://127.0.0.1:${server.port}`, { signal: stop.signal }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'no-answer' } })
    expect(server.received.join('').split('POST ').length - 1).toBe(1)
  })

  test('and the reason quotes nothing that was sent or received', async () => {
    const server = await toRequests('S3cret-answer\r\n')
    const reply = await send(aPost(`http://127.0.0.1:${server.port}/S3cret-path`))
    expect(reply.ok).toBe(false)
    expect(JSON.stringify(reply)).not.toMatch(/S3cret|the-whole-body/)
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    'HTTP %i is a response, and its target receives nothing',
    async status => {
      const elsewhere = await toRequests(ok)
      const location = `http://127.0.0.1:${elsewhere.port}/configure`
      const server = await toRequests(http(status, '', `location: ${location}\r\n`))
      const url = `http://127.0.0.1:${server.port}/admin`
      expect(await send(aPost(url))).toMatchObject({ ok: true, value: { status } })
      expect(await siteReader(url).observe(new AbortController().signal)).toEqual({
        ok: false,
        error: { kind: 'redirected', status, cause: 'moved', to: 'elsewhere', target: location },
      })
      expect(server.received.length).toBe(2)
      expect(elsewhere.received.length).toBe(0)
    },
  )
})
