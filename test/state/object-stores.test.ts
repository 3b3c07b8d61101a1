import { type AzureRequest, azureStore } from '../../src/state/azure-store.js'
import type { StorageAnswer } from '../../src/state/folder-store.js'
import { kubernetesStore } from '../../src/state/kubernetes-store.js'
import { openObjects } from '../../src/state/object-backend.js'
import { type S3Request, s3Store } from '../../src/state/s3-store.js'

/** Returns the responses in order, and records the requests. */
function answering<R, A extends object>(answers: readonly A[]) {
  const asked: R[] = []
  const send = async (request: R) => {
    const value = answers[asked.push(request) - 1]
    if (value === undefined) throw new Error('more requests than responses')
    return { ok: true, value } as const
  }
  return { send, asked }
}

const text = (value: string | object) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8')
const written = { text: '{"n":1}', run: 'run-1' }
const yes = { ok: true, value: true }
const no = { ok: true, value: false }
const nothing = { ok: true, value: undefined }

describe('the responses of an API server', () => {
  const failure = (cause: string | number, said?: string) => ({
    ok: false,
    error: { kind: 'kubernetes', cause, ...(said !== undefined && { said }) },
  })
  const status = (reason: unknown) => ({ kind: 'Status', reason })
  const open = (...answers: readonly (readonly [status: number, body: string | object])[]) => {
    const { send, asked } = answering<Parameters<Parameters<typeof kubernetesStore>[1]>[0], object>(
      answers.map(([code, body]) => ({ status: code, bytes: text(body) })),
    )
    return { store: kubernetesStore('gis', send as Parameters<typeof kubernetesStore>[1]), asked }
  }
  const key = 'gis-example-org-0123456789ab'
  const name = `landform-${key}-000001`

  test.each<[number, string | object, object]>([
    [201, {}, yes],
    [409, status('AlreadyExists'), no],
    // The object is being deleted, or a quota or a gateway is the cause: the version may exist.
    [409, status('Conflict'), failure('busy', 'Conflict')],
    [409, {}, failure('busy', 'HTTP 409')],
    [410, status('AlreadyExists'), failure('busy', 'AlreadyExists')],
    [404, status('NotFound'), failure('no-namespace', 'NotFound')],
    [404, status('Gone'), failure(404, 'Gone')],
    [404, '<html>', failure('not-kubernetes', 'HTTP 404')],
    [403, status('NotFound'), failure('access-denied', 'create secrets: NotFound')],
    [413, status('RequestEntityTooLarge'), failure('too-large', 'RequestEntityTooLarge')],
    [413, 'too large', failure('too-large', 'HTTP 413')],
    [422, status('Invalid'), failure('too-large', 'Invalid')],
    [422, status('Other'), failure(422, 'Other')],
    [400, status('Invalid'), failure(400, 'Invalid')],
    [400, [], failure('not-kubernetes', 'HTTP 400')],
    [400, 'null', failure('not-kubernetes', 'HTTP 400')],
    [400, { kind: 'Other', reason: 'BadRequest' }, failure('not-kubernetes', 'HTTP 400')],
    [400, status(7), failure('not-kubernetes', 'HTTP 400')],
    // The reason is text of the server; it is shown only if it is a single word.
    [400, status('two words'), failure(400, 'HTTP 400')],
    [400, status(' BadRequest'), failure(400, 'HTTP 400')],
    [400, status('BadRequest!'), failure(400, 'HTTP 400')],
    [500, status('InternalError'), failure('busy', 'InternalError')],
    [429, '', failure('busy', 'HTTP 429')],
    [401, status('Unauthorized'), failure('wrong-credentials', 'Unauthorized')],
  ])('to a create request: %d %j', async (code, body, reply) => {
    expect(await open([code, body]).store.create(name, written)).toEqual(reply)
  })

  test.each<[number, string | object, object]>([
    [200, { data: { state: 'eyJuIjoxfQ==', run: 'cnVuLTE=' } }, { ok: true, value: written }],
    [200, { data: { state: 'eyJuIjoxfQ==' } }, failure('not-kubernetes', 'HTTP 200')],
    [200, { data: { run: 'cnVuLTE=' } }, failure('not-kubernetes', 'HTTP 200')],
    [203, { data: { state: 'eyJuIjoxfQ==', run: 'cnVuLTE=' } }, failure('not-kubernetes', 'HTTP 203')],
    [404, status('NotFound'), nothing],
    [404, status('Gone'), failure(404, 'Gone')],
    [410, status('NotFound'), failure('busy', 'NotFound')],
  ])('to a read request: %d %j', async (code, body, reply) => {
    expect(await open([code, body]).store.read(name)).toEqual(reply)
  })

  test('to a list request: names of other objects have no number, and there may be more pages', async () => {
    const named = (...names: readonly unknown[]) => ({
      items: names.map(one => ({ metadata: { name: one } })),
    })
    const { store, asked } = open(
      [200, { ...named(name, `landform-${key}-000012`), metadata: { continue: 'next' } }],
      [
        200,
        named(`landform-${key}-x000003`, `landform-${key}-000004x`, 'other', `x-landform-${key}-000005`, 7),
      ],
    )
    expect(await store.listSerials(key)).toEqual({ ok: true, value: [1, 12, 0, 0] })
    const queries = asked.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])))
    const query = { labelSelector: 'landform-state=0123456789ab', limit: '500' }
    expect(queries).toEqual([query, { ...query, continue: 'next' }])
    expect(
      asked.every(({ accept }) => accept.startsWith('application/json;as=PartialObjectMetadataList')),
    ).toBe(true)
  })

  test.each([
    [200, { items: null }, { ok: true, value: [] }],
    [200, { items: {} }, failure('not-kubernetes', 'HTTP 200')],
    [200, '<html>', failure('not-kubernetes', 'HTTP 200')],
    [206, { items: [] }, failure('not-kubernetes', 'HTTP 206')],
    [410, status('Expired'), failure('busy', 'Expired')],
  ])('to a list request: %d %j', async (code, body, reply) => {
    expect(await open([code, body]).store.listSerials(key)).toEqual(reply)
  })

  test('an object has the digest of its site as its label, and that of the probe has the label probe', async () => {
    const { store, asked } = open([201, {}], [201, {}], [201, {}])
    await store.create(name, written)
    await store.create(store.probeName, written)
    await store.create(`${key}x`, written)
    const labels = asked.map(({ body = '' }) => JSON.parse(body).metadata.labels['landform-state'])
    expect(labels).toEqual(['0123456789ab', 'probe', 'probe'])
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/gis/secrets',
      accept: 'application/json',
    })
  })
})

describe('the responses of object storage', () => {
  const failure = (cause: string | number, said?: string) => ({
    ok: false,
    error: { kind: 's3', cause, ...(said !== undefined && { said }) },
  })
  const error = (code: string) => `<?xml version="1.0"?><Error a="b"><Code>${code}</Code></Error>`
  const open = (
    prefix: string,
    ...answers: readonly (readonly [status: number, body: string, run?: string])[]
  ) => {
    const { send, asked } = answering<S3Request, StorageAnswer>(
      answers.map(([status, body, run]) => ({
        status,
        bytes: text(body),
        ...(run !== undefined && { run }),
      })),
    )
    return { store: s3Store(prefix, send), asked }
  }
  const key = 'gis.example.org-0123456789ab'
  const list = (inner: string) => `<ListBucketResult>${inner}</ListBucketResult>`

  test.each<[number, string, object]>([
    [200, '', yes],
    [412, error('PreconditionFailed'), no],
    [204, '', failure('not-object-storage', 'HTTP 204')],
    [501, '', failure('no-conditions', 'HTTP 501')],
    [400, error('NotImplemented'), failure('no-conditions', 'NotImplemented')],
    [429, '', failure('busy', 'HTTP 429')],
    [500, '', failure('busy', 'HTTP 500')],
    [499, '', failure('not-object-storage', 'HTTP 499')],
    [299, '', failure('not-object-storage', 'HTTP 299')],
    [300, '', failure('other-region', 'HTTP 300')],
    [399, '', failure('other-region', 'HTTP 399')],
    [401, '', failure('access-denied', 'HTTP 401')],
    [403, error('AccessDenied'), failure('access-denied', 'AccessDenied')],
    [403, error('ExpiredToken'), failure('expired-credentials', 'ExpiredToken')],
    [403, error('InvalidAccessKeyId'), failure('wrong-credentials', 'InvalidAccessKeyId')],
    [403, error('SignatureDoesNotMatch'), failure('wrong-credentials', 'SignatureDoesNotMatch')],
    [403, error('RequestTimeTooSkewed'), failure('wrong-clock', 'RequestTimeTooSkewed')],
    [404, error('NoSuchBucket'), failure('no-bucket', 'NoSuchBucket')],
    [301, error('PermanentRedirect'), failure('other-region', 'PermanentRedirect')],
    [400, error('AuthorizationHeaderMalformed'), failure('other-region', 'AuthorizationHeaderMalformed')],
    [503, error('SlowDown'), failure('busy', 'SlowDown')],
    [409, error('ConditionalRequestConflict'), failure('busy', 'ConditionalRequestConflict')],
    [400, error('Unknown'), failure(400, 'Unknown')],
    [400, error('not a code'), failure('not-object-storage', 'HTTP 400')],
    [
      400,
      '<ErrorResponse x="y"><Error><Code>ExpiredTokenException</Code>',
      failure('expired-credentials', 'ExpiredTokenException'),
    ],
    [400, error('TokenRefreshRequired'), failure('expired-credentials', 'TokenRefreshRequired')],
    [400, error('InvalidToken'), failure('wrong-credentials', 'InvalidToken')],
    [400, error('TemporaryRedirect'), failure('other-region', 'TemporaryRedirect')],
    [
      400,
      error('IllegalLocationConstraintException'),
      failure('other-region', 'IllegalLocationConstraintException'),
    ],
    [400, error('OperationAborted'), failure('busy', 'OperationAborted')],
    [400, error('RequestTimeout'), failure('busy', 'RequestTimeout')],
  ])('to a create request: %d %s', async (code, body, reply) => {
    expect(await open('', [code, body]).store.create('a', written)).toEqual(reply)
  })

  test('a create request is conditional, and has the run as metadata', async () => {
    const { store, asked } = open('', [200, ''])
    await store.create('a', written)
    expect(asked[0]).toMatchObject({
      method: 'PUT',
      headers: {
        'if-none-match': '*',
        'content-type': 'application/json',
        'x-amz-meta-landform-run': 'run-1',
      },
    })
  })

  test.each<[number, string, string | undefined, object]>([
    [200, 'text', 'run-1', { ok: true, value: { text: 'text', run: 'run-1' } }],
    [200, 'text', undefined, { ok: true, value: { text: 'text', run: '' } }],
    [404, error('NoSuchKey'), undefined, nothing],
    [404, error('NoSuchBucket'), undefined, failure('no-bucket', 'NoSuchBucket')],
    [410, error('NoSuchKey'), undefined, failure(410, 'NoSuchKey')],
  ])('to a read request: %d %s', async (code, body, run, reply) => {
    expect(await open('', [code, body, run as string]).store.read('a')).toEqual(reply)
  })

  test('to a list request: other names have no number, and there may be more pages', async () => {
    const { store, asked } = open(
      'a/b',
      [
        200,
        list(
          `<IsTruncated> true </IsTruncated><Contents><Key>a/b/${key}/000001.json</Key></Contents><NextContinuationToken>&lt;&gt;&amp;&quot;&apos;</NextContinuationToken>`,
        ),
      ],
      [
        200,
        list(
          ['000012.json', 'x000003.json', '000004.jsonx', 'other']
            .map(one => `<Key>a/b/${key}/${one}</Key>`)
            .join(''),
        ),
      ],
    )
    expect(await store.listSerials(key)).toEqual({ ok: true, value: [1, 12, 0, 0, 0] })
    const query = { 'list-type': '2', prefix: `a/b/${key}/` }
    expect(asked.map(one => one.query)).toEqual([query, { ...query, 'continuation-token': `<>&"'` }])
  })

  test.each<[string, object]>([
    [list('<IsTruncated>true</IsTruncated>'), failure('not-object-storage')],
    [
      list('<IsTruncated>false</IsTruncated><NextContinuationToken>a</NextContinuationToken>'),
      { ok: true, value: [] },
    ],
    ['<Other/>', failure('not-object-storage')],
  ])('to a list request: %s', async (body, reply) => {
    expect(await open('', [200, body]).store.listSerials(key)).toEqual(reply)
  })

  test('an object is in the folder of its site', () => {
    const { store } = open('')
    expect(store.nameOf(key, 3)).toBe(`${key}/000003.json`)
    expect(
      s3Store('a', async () => ({ ok: false, error: { kind: 's3', cause: 'busy' } })).nameOf(key, 3),
    ).toBe(`a/${key}/000003.json`)
  })
})

describe('the responses of blob storage', () => {
  const failure = (cause: string | number, said?: string, retryAfterMs?: number) => ({
    ok: false,
    error: {
      kind: 'azblob',
      cause,
      ...(said !== undefined && { said }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  })
  // Some responses begin with a byte order mark.
  const error = (code: string) => `\ufeff<?xml version="1.0"?><Error><Code>${code}</Code></Error>`
  const open = (...answers: readonly (readonly [status: number, body: string, more?: object])[]) => {
    const { send, asked } = answering<AzureRequest, StorageAnswer>(
      answers.map(([status, body, more]) => ({ status, bytes: text(body), ...more })),
    )
    return { store: azureStore('a/b', send), asked }
  }
  const key = 'gis.example.org-0123456789ab'
  const list = (inner: string) => `<EnumerationResults ContainerName="c">${inner}</EnumerationResults>`

  test.each<[number, string, object]>([
    [201, '', yes],
    [409, error('BlobAlreadyExists'), no],
    [412, error('ConditionNotMet'), no],
    [412, error('LeaseIdMissing'), no],
    [409, error('ContainerBeingDeleted'), failure('no-container', 'ContainerBeingDeleted')],
    [409, error('BlobImmutableDueToPolicy'), no],
    [409, error('LeaseAlreadyPresent'), failure(409, 'LeaseAlreadyPresent')],
    [403, error('BlobAlreadyExists'), failure('access-denied', 'BlobAlreadyExists')],
    [409, '', failure('not-blob-storage', 'HTTP 409')],
    [200, '', failure('not-blob-storage', 'HTTP 200')],
    [302, '', failure('not-blob-storage', 'HTTP 302')],
    [401, error('InvalidAuthenticationInfo'), failure('wrong-credentials', 'InvalidAuthenticationInfo')],
    [401, '', failure('wrong-credentials', 'HTTP 401')],
    [403, error('AuthenticationFailed'), failure('wrong-credentials', 'AuthenticationFailed')],
    [403, error('AuthorizationFailure'), failure('network-denied', 'AuthorizationFailure')],
    [403, '', failure('access-denied', 'HTTP 403')],
    [404, error('ContainerNotFound'), failure('no-container', 'ContainerNotFound')],
    [413, error('RequestBodyTooLarge'), failure('too-large', 'RequestBodyTooLarge')],
    [429, '', failure('busy', 'HTTP 429')],
    [500, error('OperationTimedOut'), failure('busy', 'OperationTimedOut')],
    [503, error('ServerBusy'), failure('busy', 'ServerBusy')],
    [400, error('InvalidHeaderValue'), failure(400, 'InvalidHeaderValue')],
  ])('to a create request: %d %s', async (status, body, reply) => {
    expect(await open([status, body]).store.create('a', written)).toEqual(reply)
  })

  test('may request a pause', async () => {
    const { store } = open([503, error('ServerBusy'), { retryAfterMs: 4000 }])
    expect(await store.create('a', written)).toEqual(failure('busy', 'ServerBusy', 4000))
  })

  test('a create request is conditional, and has the run as metadata', async () => {
    const { store, asked } = open([201, ''])
    await store.create('a', written)
    expect(asked[0]).toMatchObject({
      method: 'PUT',
      headers: { 'if-none-match': '*', 'x-ms-blob-type': 'BlockBlob', 'x-ms-meta-landformrun': 'run-1' },
    })
  })

  test.each<[number, string, object | undefined, object]>([
    [200, 'text', { run: 'run-1' }, { ok: true, value: { text: 'text', run: 'run-1' } }],
    [200, 'text', undefined, { ok: true, value: { text: 'text', run: '' } }],
    [404, error('BlobNotFound'), undefined, nothing],
    [404, error('ContainerNotFound'), undefined, failure('no-container', 'ContainerNotFound')],
    [410, error('BlobNotFound'), undefined, failure(410, 'BlobNotFound')],
  ])('to a read request: %d %s', async (status, body, more, reply) => {
    expect(await open([status, body, more ?? {}]).store.read('a')).toEqual(reply)
  })

  test('to a list request: other names have no number, and there may be more pages', async () => {
    const { store, asked } = open(
      [
        200,
        list(
          `<Blobs><Blob><Name>a/b/${key}/000001.json</Name></Blob></Blobs><NextMarker>2!&amp;==</NextMarker>`,
        ),
      ],
      [200, list(`<Blobs><Blob><Name>a/b/${key}/x</Name></Blob></Blobs><NextMarker />`)],
    )
    expect(await store.listSerials(key)).toEqual({ ok: true, value: [1, 0] })
    const query = { restype: 'container', comp: 'list', prefix: `a/b/${key}/` }
    expect(asked.map(one => one.query)).toEqual([query, { ...query, marker: '2!&==' }])
  })

  test.each(['<Other/>', '<EnumerationResults><Blobs>'])('to a list request: %s is invalid', async body => {
    expect(await open([200, body]).store.listSerials(key)).toEqual(failure('not-blob-storage'))
  })
})

test.each<[string, readonly boolean[], number]>([
  ['never responded is requested once', [false], 1],
  ['responded before is requested again', [true, false, true], 3],
])('a server behind a failing proxy that %s', async (_what, answers, requests) => {
  let asked = 0
  const call = async () => {
    const ok = answers[asked] ?? false
    asked += 1
    return ok
      ? ({ ok, value: [] } as const)
      : ({ ok, error: { kind: 's3', cause: 'unreachable', byProxy: true } } as const)
  }
  const store = s3Store('', async () => ({ ok: false, error: { kind: 's3', cause: 'busy' } }))
  const objects = openObjects('s3:bucket', store, async () => undefined)
  while (asked < requests) await objects.ask('unreadable', call)
  expect(asked).toBe(requests)
})

test('a server that requests a pause gets it, up to half a minute', async () => {
  const pauses: number[] = []
  const answers = [{}, { retryAfterMs: 3_000 }, { retryAfterMs: 300_000 }]
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const store = s3Store('', async () => ({ ok: false, error: { kind: 's3', cause: 'busy' } }))
  const call = async () => {
    const asked = answers.shift()
    return asked === undefined
      ? ({ ok: true, value: 1 } as const)
      : ({ ok: false, error: { kind: 's3', cause: 'busy', ...asked } } as const)
  }
  const reply = await openObjects('s3:bucket', store, pause).ask('unreadable', call)
  expect([reply, pauses]).toEqual([{ ok: true, value: 1 }, [200, 3_000, 30_000]])
})
