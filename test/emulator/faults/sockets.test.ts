import { once } from 'node:events'
import { connect } from 'node:net'
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { anUpgradeConfig, begin } from '../service/builders.js'
import { parts, rawGet, rawPost, rawRequest } from './raw-client.js'

const running: Emulator[] = []
const start = async (faults: readonly string[], options: EmulatorOptions = {}) => {
  const emulator = await startEmulator({
    now: () => begin,
    configured: true,
    ...options,
    faults: parseBuiltInRules(faults),
  })
  running.push(emulator)
  return emulator
}
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

const update = (url: string) =>
  rawPost(url, '/system/upgrades/config/update', {
    upgradeConfig: JSON.stringify(anUpgradeConfig()),
    token: 't',
  })
/** The response without a fault. */
const success = '{"status":"success"}'
const whole = /\r\n\r\n[\s\S]*\}/

/** Sends one update with a fault and one without; returns the response, and how the service counted the first. */
async function answered(word: string, until?: RegExp, options: EmulatorOptions = {}) {
  const emulator = await start([`update@1=${word}`], options)
  const reply = await rawRequest(emulator.url, update(emulator.url), until)
  const counter = emulator.world().counters.update
  const next = await rawRequest(emulator.url, update(emulator.url), whole)
  return { ...reply, ...parts(reply.text), counter, nextBody: parts(next.text).body }
}

const notCarriedOut = { received: 1, accepted: 0 }
const carriedOut = { received: 1, accepted: 1 }

describe('a connection that ends without a response', () => {
  test.each([
    ['drop-before', 'closed', notCarriedOut],
    ['drop-after', 'closed', carriedOut],
    ['reset-before', 'reset', notCarriedOut],
    ['reset-after', 'reset', carriedOut],
  ])('%s: it is %s, and no byte was sent', async (word, end, counter) => {
    expect(await answered(word)).toMatchObject({ text: '', end, counter, nextBody: success })
  })
})

describe("a response that is not the service's", () => {
  test.each([
    ['html', 'HTTP/1.1 200 OK', /^<!DOCTYPE html>/, notCarriedOut],

    ['status:413', 'HTTP/1.1 413 Payload Too Large', /<h1>413 Request Entity Too Large<\/h1>/, notCarriedOut],
    ['html-after:504', 'HTTP/1.1 504 Gateway Timeout', /<h1>504 Gateway Time-out<\/h1>/, carriedOut],
    ['status:503,json', 'HTTP/1.1 503 Service Unavailable', /^\{"error":\{"code":503,/, notCarriedOut],
    ['status-after:500,json', 'HTTP/1.1 500 Internal Server Error', /^\{"error":\{"code":500,/, carriedOut],
    [
      'error:498,message:Gone.',
      'HTTP/1.1 200 OK',
      /^\{"error":\{"code":498,"message":"Gone\.",/,
      notCarriedOut,
    ],
    ['error-after:500', 'HTTP/1.1 200 OK', /^\{"error":\{"code":500,/, carriedOut],
    ['wrong-shape', 'HTTP/1.1 200 OK', /^\{"fullVersion":11,.*\}$/, carriedOut],
    ['duplicate-first', 'HTTP/1.1 200 OK', /^\{"status":"success"\}$/, { received: 2, accepted: 2 }],
  ])('%s: it is complete', async (word, status, body, counter) => {
    const reply = await answered(word, /\}$|<\/h1>\n$/)
    expect(reply).toMatchObject({ status, end: 'open', counter, nextBody: success })
    expect(reply.body).toMatch(body)
    expect(reply.headers['content-length']).toBe(String(reply.body.length))
    expect(reply.headers['content-type']).toMatch(
      reply.body.startsWith('<') ? /^text\/html/ : /^application\/json/,
    )
  })

  test('a status may have an empty body, and the time for the next attempt', async () => {
    const reply = await answered('status:429,retry-after:7,empty', /\r\n\r\n/)
    expect(reply).toMatchObject({
      status: 'HTTP/1.1 429 Too Many Requests',
      body: '',
      counter: notCarriedOut,
    })
    expect(reply.headers).toMatchObject({ 'retry-after': '7', 'content-length': '0' })
  })

  test.each([301, 302, 303, 307, 308])('a redirect with %d stays on this machine', async status => {
    const reply = await answered(`redirect:${status},location:/elsewhere`, /\r\n\r\n/)
    expect(reply.status).toMatch(`HTTP/1.1 ${status} `)
    expect(reply).toMatchObject({ headers: { location: '/elsewhere' }, counter: notCarriedOut })
  })

  test('a redirect to another host leads to the root path, even if the rule was never text', async () => {
    const fault = {
      kind: 'redirect',
      point: 'before',
      httpStatus: 302,
      location: 'https://evil.example',
    } as const
    const emulator = await startEmulator({
      faults: [{ on: 'root', when: { calls: { kind: 'every' } }, fault }],
    })
    running.push(emulator)
    const { text } = await rawRequest(emulator.url, rawGet(emulator.url), /\r\n\r\n/)
    expect(parts(text).headers['location']).toBe('/')
  })
})

describe('an incomplete response', () => {
  test.each([0, 1, 7, success.length - 1])(
    'truncate:%d: the whole length is announced, and the rest is missing',
    async bytes => {
      const reply = await answered(`truncate:${bytes}`)
      expect(reply).toMatchObject({ body: success.slice(0, bytes), end: 'closed', counter: carriedOut })
      expect(reply.headers['content-length']).toBe(String(success.length))
    },
  )

  test('a response that is shorter than the limit is complete', async () => {
    expect(await answered('truncate:9999', whole)).toMatchObject({ body: success, end: 'open' })
  })

  test('garbage is not JSON, and its length is right', async () => {
    const reply = await answered('garbage', /\r\n\r\n.+/)
    expect(reply).toMatchObject({ end: 'open', counter: carriedOut })
    expect(reply.headers['content-length']).toBe(String(reply.body.length))
    expect(() => JSON.parse(reply.body)).toThrow()
  })

  test.each([
    [10, '30'],
    [-10, '10'],
  ])('a length that is wrong by %d ends the connection after the real body', async (by, announced) => {
    const reply = await answered(`length:${by > 0 ? '+' : ''}${by}`)
    expect(reply).toMatchObject({ body: success, end: 'closed', counter: carriedOut })
    expect(reply.headers['content-length']).toBe(announced)
  })
})

describe('a slow response', () => {
  /** Waits that end at once, and their durations. */
  const waits = () => {
    const passed: number[] = []
    return { passed, wait: async (milliseconds: number) => void passed.push(milliseconds) }
  }

  test('hang: nothing is sent, and the connection stays open', async () => {
    for (const [word, counter] of [
      ['hang-before', notCarriedOut],
      ['hang-after', carriedOut],
    ] as const) {
      const emulator = await start([`update@1=${word}`])
      const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      const ended = once(socket, 'close')
      socket.write(update(emulator.url))
      const next = await rawRequest(emulator.url, rawGet(emulator.url), whole)
      expect(parts(next.text).status).toBe('HTTP/1.1 200 OK')
      expect(emulator.world().counters.update).toEqual(counter)
      expect([socket.readyState, socket.bytesRead]).toEqual(['open', 0])
      await emulator.close()
      await ended
    }
  })

  test('a request is carried out after the delay, although the client has disconnected', async () => {
    let carryOn: () => void = () => undefined
    let arrived: () => void = () => undefined
    const waiting = new Promise<void>(resolve => {
      arrived = resolve
    })
    const emulator = await start(['update@1=delay:1h'], {
      wait: () =>
        new Promise(resolve => {
          arrived()
          carryOn = resolve
        }),
    })
    const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1')
    socket.write(update(emulator.url))
    await waiting
    expect(emulator.world().counters.update).toEqual({ received: 0, accepted: 0 })
    socket.destroy()
    await once(socket, 'close')
    carryOn()
    await rawRequest(emulator.url, rawGet(emulator.url), whole)
    expect(emulator.world().counters.update).toEqual(carriedOut)
  })

  test('a delay after it is carried out changes only the time', async () => {
    const { passed, wait } = waits()
    expect(await answered('delay-after:90s', whole, { wait })).toMatchObject({
      body: success,
      counter: carriedOut,
    })
    expect(passed).toEqual([90_000])
  })

  test('a delay longer than the maximum of a timer is limited to that', async () => {
    const { passed, wait } = waits()
    await answered('delay:1000h', whole, { wait })
    expect(passed).toEqual([2 ** 31 - 1])
  })

  test('a slow body is sent in pieces, a tenth of a second apart', async () => {
    const { passed, wait } = waits()
    expect(await answered('slow:50', whole, { wait })).toMatchObject({ body: success, end: 'open' })
    // 20 bytes in pieces of 5.
    expect(passed).toEqual([100, 100, 100])
  })

  test('a trickle sends one byte each second', async () => {
    const { passed, wait } = waits()
    await answered('slow:1', whole, { wait })
    expect(passed).toEqual(Array.from({ length: success.length - 1 }, () => 1000))
  })

  test('interim responses come before the final one', async () => {
    const { passed, wait } = waits()
    const { text } = await answered('interim:3,every:1s', /success"\}$/, { wait })
    expect(text.match(/HTTP\/1\.1 102 Processing\r\n\r\n/g)).toHaveLength(3)
    expect(text).toMatch(/102 Processing\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    expect(passed).toEqual([1000, 1000, 1000])
  })

  test('a long series of interim responses ends with the final one', async () => {
    const emulator = await start(['root@1=interim:200000'])
    const { text } = await rawRequest(emulator.url, rawGet(emulator.url), /\r\n\r\n\{[^}]*\}/)
    expect(text.split('102 Processing')).toHaveLength(200_001)
    expect(text).toContain('HTTP/1.1 200 OK')
  })

  test('a series of interim responses ends when the client disconnects', async () => {
    const emulator = await start(['root@1=interim:100000000'])
    const flood = await rawRequest(emulator.url, rawGet(emulator.url), /^[\s\S]{27000}/)
    expect(flood.text).not.toContain('200 OK')
    const next = await rawRequest(emulator.url, rawGet(emulator.url), whole)
    expect(parts(next.text).status).toBe('HTTP/1.1 200 OK')
  })
})

describe('a huge response', () => {
  test.each([1, 13, 65_536, 65_537, 200_000])('is JSON of %d bytes', async bytes => {
    const emulator = await start([`root=huge:${bytes}`])
    const body = await (await fetch(emulator.url)).text()
    expect(body).toHaveLength(bytes)
    if (bytes >= 13) expect(JSON.parse(body)).toEqual({ filler: 'a'.repeat(bytes - 13) })
  })

  test('waits for its reader: a gigabyte uses the memory of one piece', async () => {
    const emulator = await start(['root=huge:1GiB'])
    const before = process.memoryUsage()
    const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(rawGet(emulator.url))
    await once(socket, 'readable')
    socket.pause()
    for (let look = 0; look < 20; look++) await fetch(`${emulator.url}/nowhere`)
    const now = process.memoryUsage()
    expect(now.arrayBuffers - before.arrayBuffers).toBeLessThan(32 * 1024 * 1024)
    socket.destroy()
  })
})

test('the emulator survives clients that disconnect at any byte of any response', async () => {
  const words = [
    'interim:50,every:1ms',
    'slow:1',
    'huge:64MiB',
    'delay-after:1ms',
    'truncate:10',
    'length:+5',
  ]
  for (const word of words) {
    const emulator = await start([`root@1-12=${word}`])
    for (let bytes = 1; bytes <= 12; bytes++) {
      const { text } = await rawRequest(emulator.url, rawGet(emulator.url), new RegExp(`^[\\s\\S]{${bytes}}`))
      expect(text.length).toBeGreaterThanOrEqual(bytes)
    }
    const { status } = parts((await rawRequest(emulator.url, rawGet(emulator.url), whole)).text)
    expect(status).toBe('HTTP/1.1 200 OK')
  }
})

test('the log names the fault, and a request that the service did not receive is not accepted', async () => {
  const emulator = await start(['update@1=drop-before', 'update@2=drop-after'])
  for (let call = 1; call <= 3; call++) await rawRequest(emulator.url, update(emulator.url), whole)
  expect(emulator.requests.map(({ fault, accepted }) => [fault, accepted])).toEqual([
    ['drop', false],
    ['drop', true],
    [undefined, true],
  ])
})
