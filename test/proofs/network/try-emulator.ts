import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { landform } from '../../support/landform.js'
import { rawRequest } from '../../support/raw-client.js'
import type { Canaries } from './canaries.js'
import { ownSpellings, routesOf, type Spelling, type Stand, written } from './emulator-spellings.js'

export function standOf(url: string): Stand {
  const { port, pathname } = new URL(url)
  return { port: Number(port), base: pathname }
}

const originOf = ({ port }: Stand) => `http://127.0.0.1:${port}`

/** The status of an answer; streams of events are left after their head. */
async function statusOf(text: string, stand: Stand): Promise<number> {
  const { text: answer } = await rawRequest(originOf(stand), text, /^HTTP\/1\.1 200 [\s\S]*event-stream/)
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0)
}

/** Asks every route in a way that is wrong: which of them answer all the same. */
export async function turnedAwayComplaints(
  spelling: Spelling,
  methods: readonly string[],
  stand: Stand,
): Promise<{ readonly asked: number; readonly complaints: readonly string[] }> {
  const complaints: string[] = []
  let asked = 0
  for (const path of routesOf(stand))
    for (const method of methods) {
      const status = await statusOf(written({ method, path }, spelling, stand), stand)
      asked += 1
      // 0 is a connection that was closed without a word.
      if (![400, 403, 421, 0].includes(status))
        complaints.push(`${method} ${path.replace(stand.base, '…')}: ${status}`)
    }
  return { asked, complaints }
}

/** The same in the ways that are right: a door that is shut for all is none. */
export async function letInComplaints(stand: Stand): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const spelling of ownSpellings)
    for (const path of routesOf(stand)) {
      const status = await statusOf(written({ method: 'GET', path }, spelling, stand), stand)
      if (![200, 404, 405].includes(status)) complaints.push(`${spelling.what}, ${path}: ${status}`)
    }
  return complaints
}

/** How many requests the emulator says it has had. */
export async function recordedBy(stand: Stand): Promise<number> {
  const answer = await fetch(`${originOf(stand)}/_emulator/requests.json`)
  return ((await answer.json()) as { readonly requests: readonly unknown[] }).requests.length
}

/** The addresses by which other machines reach this one. */
export function outerAddresses(): readonly string[] {
  return Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all
      .filter(({ internal }) => !internal)
      .map(({ address }) => (address.startsWith('fe80:') ? `${address}%${name}` : address)),
  )
}

export async function isReachable(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address)
  const result = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return result
}

/** Whether an address is reachable where somebody does listen on all of them. */
export async function isReachableAtAll(address: string): Promise<boolean> {
  const server = createServer().listen(0, '::')
  await once(server, 'listening')
  const bound = server.address()
  const reached = await isReachable(address, typeof bound === 'object' && bound !== null ? bound.port : 0)
  server.close()
  return reached
}

const wider: readonly (readonly string[])[] = [
  ...['--host', '--hostname', '--listen', '--address', '--bind'].flatMap(option =>
    ['0.0.0.0', '::'].map(address => [option, address]),
  ),
  ...['0.0.0.0:0', '::', '[::]:0', '*:0'].map(port => ['--port', port]),
  ['0.0.0.0'],
]

/** No word makes an emulator listen for other machines. */
export async function widerComplaints(): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const words of wider) {
    const { exitCode } = await landform(['emulate', ...words])
    if (exitCode !== 64) complaints.push(`emulate ${words.join(' ')} ends with ${exitCode}`)
  }
  return complaints
}

/** Sends secrets in every place that a request has: in which of what is shown or kept they are. */
export async function shownComplaints(
  url: string,
  { environment, license, foundIn }: Canaries,
  folder: string,
): Promise<readonly string[]> {
  const stand = standOf(url)
  const form = new FormData()
  for (const [name, value] of Object.entries(environment)) form.append(name, value)
  form.append('licenseFile', new File([license], 'license.json'))
  const before = await recordedBy(stand)
  await fetch(`${url}/configure`, { method: 'POST', body: form })
  for (const path of ['/exportSite', '/system/upgrades/config/update', '/nowhere'])
    await fetch(`${url}${path}?token=${environment['LANDFORM_TOKEN']}`, {
      method: 'POST',
      body: new URLSearchParams(environment),
    })
  const pages = await Promise.all(
    ['', 'state.json', 'requests.json'].map(async name =>
      (await fetch(`${originOf(stand)}/_emulator/${name}`)).text(),
    ),
  )
  const files = filesIn(folder)
  return [
    ...pages.flatMap(text => foundIn(text)).map(name => `it shows ${name}`),
    ...files.flatMap(file => foundIn(readFileSync(file, 'latin1')).map(name => `${file} holds ${name}`)),
    ...files
      .filter(file => (statSync(file).mode & 0o077) !== 0)
      .map(file => `others may read ${file.slice(folder.length)}`),
    ...((await recordedBy(stand)) === before + 4 ? [] : ['it does not show that it was asked at all']),
  ]
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

/** Requests with bytes that are wrong, and bytes that are no request. */
export function garbage(stand: Stand, { seed, times }: { readonly seed: number; readonly times: number }) {
  const whole = routesOf(stand).flatMap(path =>
    ['GET', 'POST'].map(method => Buffer.from(written({ method, path }, ownSpelling, stand))),
  )
  const harmed = fc
    .tuple(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
    )
    .map(([bytes, changes]) => {
      const copy = Buffer.from(bytes)
      for (const [at, byte] of changes) copy[at % copy.byteLength] = byte
      return copy
    })
  const noise = fc.uint8Array({ maxLength: 2000 }).map(bytes => Buffer.from(bytes))
  return fc.sample(fc.oneof({ weight: 3, arbitrary: harmed }, { weight: 1, arbitrary: noise }), {
    seed,
    numRuns: times,
  })
}

const [ownSpelling] = ownSpellings as readonly [Spelling]

/** Sends bytes and goes away, whatever comes back. */
export async function thrown(bytes: Uint8Array, { port }: Stand): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.once('data', () => socket.destroy())
  socket.end(bytes)
  // A stream of events that was asked for by accident would stay.
  socket.setTimeout(2000, () => socket.destroy())
  await closed
}

/** Connections that begin a request and never end it; `close` lets go of them. */
export async function held(times: number, { port }: Stand) {
  const sockets = Array.from({ length: times }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const [index, socket] of sockets.entries())
    socket.write(
      index % 2 === 0 ? 'GET / HTTP/1.1\r\nX-' : `POST / HTTP/1.1\r\n${own}Content-Length: 9\r\n\r\nx`,
    )
  return {
    /** How many are still open. */
    open: () => sockets.filter(socket => !socket.destroyed).length,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const own = 'Host: localhost\r\n'
