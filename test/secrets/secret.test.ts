import { Console } from 'node:console'
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { format, inspect } from 'node:util'
import { computeDigest } from '../../src/manifest/digest.js'
import { openJailed } from '../../src/secrets/file-jail.js'
import { pieceBytes, Secret, SecretFile } from '../../src/secrets/secret.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

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
  ['a template literal', secret => `${secret}`],
  ['concatenation', secret => `a${secret}` + `${secret}b`],
  ['joining', secret => [secret, secret].join()],
  ['JSON', secret => JSON.stringify(secret)],
  ['JSON at some depth', secret => JSON.stringify({ a: [{ secret }] })],
  ['inspect', secret => inspect(secret)],
  [
    'inspect with all options',
    secret => inspect({ a: { secret } }, { showHidden: true, depth: null, getters: true }),
  ],
  [
    'inspect without the custom inspection',
    secret => inspect(secret, { customInspect: false, showHidden: true }),
  ],
  ['format %s', secret => format('%s', secret)],
  ['format %o', secret => format('%o', secret)],
  ['format %O', secret => format('%O', secret)],
  ['format %j', secret => format('%j', secret)],
  ['format without a placeholder', secret => format('a', secret, { secret })],
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
])('%s shows a placeholder instead', (_what, show) => {
  expect(show(aSecret())).toBe('[secret]')
})

test('the bytes are those that were passed, not a copy', () => {
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

const opened: SecretFile[] = []

afterEach(async () => {
  for (const one of opened.splice(0)) one.wipe()
  await removeTemporaryFolders()
})

async function aFile(content: Buffer, reads: Promise<number>[] = []) {
  const folder = await temporaryFolder()
  const path = join(folder, 'license.json')
  writeFileSync(path, content)
  const reply = await openJailed(folder, 'license.json', { maxBytes: 100_000_000, wholeBytes: 0 })
  if (reply.kind !== 'opened') throw new Error(reply.kind)
  const { file: source } = reply
  const read: typeof source.read = (into, from) => {
    const reading = source.read(into, from)
    reads.push(reading)
    return reading
  }
  const file = new SecretFile({ ...source, read })
  opened.push(file)
  return { path, file }
}

/** Copies the pieces, as the network does: each piece overwrites the one before. */
async function readAll(file: SecretFile, between: (count: number) => void = () => undefined) {
  const pieces: Buffer[] = []
  for await (const piece of file.pieces()) {
    pieces.push(Buffer.from(piece))
    between(pieces.length)
  }
  return Buffer.concat(pieces)
}

describe('a large file to be sent', () => {
  test.each([1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes, 5 * pieceBytes + 7])(
    'is complete, in pieces, any number of times: %d bytes',
    async length => {
      const content = randomBytes(length)
      const { file } = await aFile(content)
      expect(file.byteLength).toBe(length)
      expect((await readAll(file)).equals(content)).toBe(true)
      expect((await readAll(file)).equals(content)).toBe(true)
      expect(await file.computeDigest()).toBe(computeDigest(content))
    },
  )

  test('is never shown', async () => {
    const { file } = await aFile(Buffer.from('Tr0ub4dor&3'))
    for (const text of [String(file), JSON.stringify({ file }), inspect({ file })])
      expect(text).toContain('[secret]')
    expect(inspect(file, { customInspect: false, showHidden: true })).not.toContain('Tr0ub')
  })

  test('leaves none of its pieces in memory, even if it is not read to the end', async () => {
    const { file } = await aFile(Buffer.alloc(4 * pieceBytes, 7))
    const pieces: Buffer[] = []
    for await (const piece of file.pieces()) {
      pieces.push(piece)
      if (pieces.length === 3) break
    }
    expect(pieces.every(piece => piece.every(byte => byte === 0))).toBe(true)
  })

  test.each<[string, (path: string) => void]>([
    ['is written to', path => appendFileSync(path, 'more')],
    ['is truncated', path => truncateSync(path, pieceBytes)],
    ['gets other bytes of the same length', path => writeFileSync(path, Buffer.alloc(3 * pieceBytes, 2))],
    [
      'gets other bytes and its old modification time',
      path => {
        writeFileSync(path, Buffer.alloc(3 * pieceBytes, 2))
        utimesSync(path, 1, 1)
      },
    ],
  ])('is sent without its last piece if it %s in the meantime', async (_, change) => {
    const { path, file } = await aFile(Buffer.alloc(3 * pieceBytes, 1))
    utimesSync(path, 1, 1)
    let count = 0
    const reading = readAll((await again(path)) ?? file, pieces => {
      count = pieces
      if (pieces === 1) change(path)
    })
    await expect(reading).rejects.toMatchObject({ code: 'FILE_CHANGED' })
    expect(count).toBeLessThan(3)
  })

  test('ends no process if it changes while a piece is still being sent', async () => {
    const reads: Promise<number>[] = []
    const { path, file } = await aFile(Buffer.alloc(2 * pieceBytes, 1), reads)
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const pieces = file.pieces()
    truncateSync(path, pieceBytes)
    await pieces.next()
    // Node reports unhandled rejections before the next turn.
    expect(await reads[1]).toBe(0)
    await setImmediate()
    await expect(pieces.next()).rejects.toMatchObject({ code: 'FILE_CHANGED' })
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  test('has no digest if it changes in the meantime', async () => {
    const { path, file } = await aFile(Buffer.alloc(3 * pieceBytes, 1))
    appendFileSync(path, 'more')
    expect(await file.computeDigest()).toBeUndefined()
  })

  test('has readable ends', async () => {
    const { file, path } = await aFile(Buffer.from(`{${'a'.repeat(10_000)}}`))
    const [first, last] = await file.readEnds(100)
    expect([first.at(0), last.at(-1), readFileSync(path).byteLength]).toEqual([0x7b, 0x7d, 10_002])
  })

  test('is closed when it is wiped', async () => {
    const { file } = await aFile(Buffer.from('{}'))
    file.wipe()
    file.wipe()
    await expect(readAll(file)).rejects.toThrow()
  })
})

/** Opens a file again, after its times were set. */
async function again(path: string): Promise<SecretFile | undefined> {
  const limits = { maxBytes: 100_000_000, wholeBytes: 0 }
  const reply = await openJailed(join(path, '..'), 'license.json', limits)
  if (reply.kind !== 'opened') return undefined
  const file = new SecretFile(reply.file)
  opened.push(file)
  return file
}
