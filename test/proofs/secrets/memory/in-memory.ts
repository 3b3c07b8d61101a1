import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { closeDoubles, connectProxy } from '../../../support/http-double.js'
import { mutualTls } from '../channels/guarded.js'
import { idle, polled } from '../channels/overseen.js'
import type { Place } from '../channels/place.js'
import type { Scene } from '../channels/scene.js'
import { writableMemory } from './process-memory.js'

/** A slow site, and secrets in files, because a process keeps its environment in memory. */
export const plain = {
  sources: 'files',
  emulator: ({ canaries: { token } }: Place) => ({ token, stageMs: 60_000 }),
} as const

/** The same over TLS with a client certificate, and tokens from sign-in. */
export const overTls = {
  sources: 'files',
  emulator: () => ({ stageMs: 60_000 }),
  tls: mutualTls,
} as const

/** Searches the memory of a run that waits for its site. */
export async function inMemory(scene: Scene): Promise<void> {
  const site = scene.place.write('site.yaml', { url: scene.front.url, token: scene.reference('token') })
  await looked(scene, site, 'of a wait')
  await withLeaks(scene)
}

/** Does the same over TLS, through a proxy, with sign-in. The client key is exempt, because the connection needs it. */
export async function inMemoryOverTls(scene: Scene): Promise<void> {
  const { place, front } = scene
  const proxy = await connectProxy({ toPort: front.port })
  const client = { certificate: 'tls/client.pem', privateKey: scene.reference('clientKey') }
  const url = `https://gis.example.org${new URL(front.url).pathname}`
  const tls = { caFile: 'tls/authority.pem', client }
  const site = place.write('site.yaml', { url, tls, signIn: { as: 'administrator' } })
  await looked(scene, site, 'of a wait over TLS', { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  await closeDoubles()
}

async function looked(
  scene: Scene,
  site: string,
  what: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { place, ledger, run } = scene
  const during = async (child: ChildProcess) => {
    await polled(scene)
    await idle(child)
    seeMemory(scene, child, `writable memory ${what}`)
    ledger.skim(`a heap snapshot ${what}`, await snapshot(place.folder, child), scene.scan)
    child.kill('SIGKILL')
  }
  const node = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${place.folder}`]
  await run(['apply', site, '--yes'], { node, environment, during, channel: what })
}

/** Plants a secret as a string in a process, where the same search must find it. */
async function withLeaks(scene: Scene): Promise<void> {
  const { place, run } = scene
  const keeping = join(place.folder, 'keeping.cjs')
  writeFileSync(
    keeping,
    `const text = require('node:fs').readFileSync('secrets/password', 'utf8')
globalThis.kept = [text + ' kept', Buffer.from(text)]\n`,
  )
  const unseen: string[] = []
  const during = async (child: ChildProcess) => {
    await setTimeout(700)
    const isIn = (bytes: Buffer) => scene.scan(bytes).some(({ canary }) => canary === 'password')
    const inMemory = [...writableMemory(child.pid ?? 0)].filter(isIn)
    if (inMemory.length === 0) unseen.push('memory')
    if (!isIn(await snapshot(place.folder, child))) unseen.push('a heap snapshot')
    child.kill()
    await once(child, 'exit')
  }
  const node = ['--require', keeping, '--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${place.folder}`]
  await run(['emulate', '--base-path', '/leaks'], { node, during, channel: 'of a wait' })
  for (const where of unseen) scene.report(`the planted password was not found in ${where}`)
}

function seeMemory({ ledger, scan, report }: Scene, { pid = 0 }: ChildProcess, channel: string): void {
  let pieces = 0
  for (const bytes of writableMemory(pid)) {
    pieces += 1
    ledger.skim(channel, bytes, scan)
  }
  if (pieces === 0) report(`${channel} could not be read`)
}

/** Makes Node.js write a heap snapshot, and waits for its last line. */
async function snapshot(folder: string, child: ChildProcess): Promise<Buffer> {
  const there = () => readdirSync(folder).filter(name => name.endsWith('.heapsnapshot'))
  const before = there().length
  child.kill('SIGUSR2')
  for (let looks = 0; looks < 600; looks += 1) {
    await setTimeout(100)
    const names = there()
    if (names.length === before) continue
    const bytes = readFileSync(join(folder, names.sort().at(-1) ?? ''))
    if (bytes.subarray(-4).toString().trimEnd().endsWith('}')) return bytes
  }
  throw new Error('Node.js wrote no heap snapshot')
}
