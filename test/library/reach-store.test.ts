import { sendToStorage } from '../../src/library/reach-store.js'
import { httpDouble } from '../support/http-double.js'

test('a response of object storage has the run that wrote the object, and the requested pause', async () => {
  const head =
    'HTTP/1.1 503 Busy\r\nx-ms-meta-landformrun: run-1\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\n'
  const server = await httpDouble([{ reply: `${head}no` }])
  const url = `http://${server.host}`
  const message = {
    method: 'GET',
    url,
    path: '/a',
    headers: {},
    answerHeader: 'x-ms-meta-landformrun',
  } as const
  expect(await sendToStorage(message, {})).toEqual({
    ok: true,
    value: { status: 503, bytes: Buffer.from('no'), run: 'run-1', retryAfterMs: 7_000 },
  })
  await server.close()
  expect(await sendToStorage(message, {})).toMatchObject({ ok: false, error: { cause: 'unreachable' } })
})
