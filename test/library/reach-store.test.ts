import { sendToStorage } from '../../src/library/reach-store.js'
import { httpDouble } from '../support/http-double.js'

test('an answer of object storage has the write that made an object, and the pause that the server asks for', async () => {
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
