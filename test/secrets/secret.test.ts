import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { format, inspect } from 'node:util'
import { Secret } from '../../src/secrets/secret.js'

const value = 'Tr0ub4dor&3'
const aSecret = () => new Secret(Buffer.from(value))

function printed(print: (console: Console) => void): string {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  print(new Console({ stdout: stream, stderr: stream }))
  return text
}

test.each<[string, (secret: Secret) => string]>([
  ['String', secret => String(secret)],
  ['a template', secret => `${secret}`],
  ['adding to a text', secret => `a${secret}` + `${secret}b`],
  ['joining', secret => [secret, secret].join()],
  ['JSON', secret => JSON.stringify(secret)],
  ['JSON at depth', secret => JSON.stringify({ a: [{ secret }] })],
  ['inspect', secret => inspect(secret)],
  [
    'inspect with all options',
    secret => inspect({ a: { secret } }, { showHidden: true, depth: null, getters: true }),
  ],
  ['inspect without its own say', secret => inspect(secret, { customInspect: false, showHidden: true })],
  ['format %s', secret => format('%s', secret)],
  ['format %o', secret => format('%o', secret)],
  ['format %O', secret => format('%O', secret)],
  ['format %j', secret => format('%j', secret)],
  ['format without a mark', secret => format('a', secret, { secret })],
  ['an error message', secret => String(new Error(`bad: ${secret}`))],
  ['the stack of an error with a cause', secret => inspect(new Error('bad', { cause: { secret } }))],
  ['console.log', secret => printed(console => console.log(secret, { secret }))],
  ['console.error', secret => printed(console => console.error('%s %o', secret, secret))],
  ['console.dir', secret => printed(console => console.dir({ secret }, { showHidden: true, depth: null }))],
  ['console.table', secret => printed(console => console.table([{ secret }]))],
  ['its keys', secret => JSON.stringify([Object.keys(secret), Object.entries(secret), { ...secret }])],
  ['a clone', secret => inspect(structuredClone(secret), { showHidden: true })],
])('%s does not show a secret', (_what, show) => {
  const text = show(aSecret())
  expect(text).not.toContain(value)
  expect(text).not.toContain(Buffer.from(value).toString('hex'))
  expect(text).not.toContain(Buffer.from(value).toString('hex').match(/../g)?.join(' ') ?? '')
  expect(text).not.toContain(Buffer.from(value).toString('base64'))
  expect(text).not.toContain([...Buffer.from(value)].join(','))
})

test.each<[string, (secret: Secret) => string]>([
  ['String', secret => String(secret)],
  ['JSON', secret => JSON.parse(JSON.stringify(secret))],
  ['inspect', secret => inspect(secret)],
])('%s shows a mark in its place', (_what, show) => {
  expect(show(aSecret())).toBe('[secret]')
})

test('the bytes are those that were given, not a copy', () => {
  const bytes = Buffer.from(value)
  expect(new Secret(bytes).bytes).toBe(bytes)
})

test('wiping overwrites every byte in place', () => {
  const bytes = Buffer.from(value)
  const secret = new Secret(bytes)
  secret.wipe()
  expect([...bytes]).toEqual(Array.from({ length: value.length }, () => 0))
  expect(secret.bytes.every(byte => byte === 0)).toBe(true)
})
