import { getEventListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import { receive } from '../../src/client/connection.js'

const request = { method: 'GET', path: '/' } as const
const headers = { 'content-type': 'application/json' }

/** A request whose response the test sends piece by piece. */
function sent(maxBytes = 100) {
  const stop = new AbortController()
  const aborted: unknown[] = []
  const controller = {
    abort: (reason: unknown) => aborted.push(reason),
    pause: () => aborted.push('paused'),
  } as unknown as Dispatcher.DispatchController
  let handler: Dispatcher.DispatchHandler = {}
  const client = {
    dispatch(_: unknown, given: Dispatcher.DispatchHandler) {
      handler = given
      return true
    },
  } as unknown as Dispatcher
  let begun = 0
  const begin = () => {
    begun += 1
  }
  const answer = receive(client, request, { signal: stop.signal, maxBytes, begin })
  return {
    answer,
    aborted,
    stop,
    begun: () => begun,
    listeners: () => getEventListeners(stop.signal, 'abort').length,
    start: () => handler.onRequestStart?.(controller, undefined),
    head: (status: number, more = {}) =>
      handler.onResponseStart?.(controller, status, { ...headers, ...more }),
    piece: (bytes: Buffer) => handler.onResponseData?.(controller, bytes),
    end: () => handler.onResponseEnd?.(controller, {}),
    fail: (error: Error) => handler.onResponseError?.(controller, error),
  }
}

test('a response is complete, and its pieces are wiped', async () => {
  const { answer, listeners, start, head, piece, end } = sent()
  const pieces = [Buffer.from('{"token":'), Buffer.from('"secret"}')]
  start()
  head(103)
  head(200)
  for (const one of pieces) piece(one)
  end()
  expect(await answer).toEqual({ status: 200, headers, bytes: Buffer.from('{"token":"secret"}') })
  expect(Buffer.concat(pieces).every(byte => byte === 0)).toBe(true)
  expect(listeners()).toBe(0)
})

test('the pieces of a response that is cut off are wiped as well', async () => {
  const { answer, listeners, start, head, piece, fail } = sent()
  const half = Buffer.from('{"token":"sec')
  start()
  head(200)
  piece(half)
  fail(new Error('over'))
  await expect(answer).rejects.toThrow('over')
  expect(half.every(byte => byte === 0)).toBe(true)
  expect(listeners()).toBe(0)
})

test('a request is aborted when it is interrupted, or at its start if it was interrupted before', () => {
  const early = sent()
  early.stop.abort('early')
  expect(early.aborted).toEqual([])
  early.start()
  expect(early.aborted).toEqual(['early'])
  expect(early.begun()).toBe(0)
  const late = sent()
  expect(late.begun()).toBe(0)
  late.start()
  expect(late.begun()).toBe(1)
  late.stop.abort('late')
  expect(late.aborted).toEqual(['late'])
})

test('a response that is too large is aborted', () => {
  const { aborted, start, head, piece } = sent(4)
  start()
  head(200)
  piece(Buffer.from('four'))
  expect(aborted).toEqual([])
  piece(Buffer.from('!'))
  expect(aborted).toMatchObject([{ code: 'ANSWER_TOO_LARGE' }])
})
