// One run of `apply` in its own process. Before and after each effect, it writes the name of the point to file descriptor 3,
// and waits for a byte on descriptor 4, so it can be killed or suspended there.
import { readFileSync, readSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { siteWriter } from '../../../src/client/site-writer.js'
import { loadManifest } from '../../../src/manifest/load-manifest.js'
import { secretSource } from '../../../src/secrets/secret-source.js'
import { createTokenProvider } from '../../../src/secrets/token-provider.js'
import { liveness, thisProcess } from '../../../src/state/machine.js'
import type { StateBackend } from '../../../src/state/series.js'
import { stateStore } from '../../../src/state/state-store.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { oneRun } from '../sim/one-run.js'
import type { Place } from './landform-process.js'
import { openState } from './open-state.js'

const [kind = 'file', file = '', url = '', location = ''] = process.argv.slice(2)
const loaded = loadManifest({ name: basename(file), bytes: readFileSync(file) })
if (!loaded.ok) throw new Error('the manifest is not valid')
const manifest = { ...loaded.value, site: { ...loaded.value.site, url } }

const told = async <T>(what: string, perform: () => Promise<T>): Promise<T> => {
  pass(`before ${what}`)
  const done = await perform()
  pass(`after ${what}`)
  return done
}

function pass(point: string): void {
  writeSync(3, `${point}\n`)
  readSync(4, Buffer.alloc(1))
}

const folder = dirname(file)
const kept = await openState[kind as Place['kind']](
  kind === 'file' ? `${folder}/.landform` : folder,
  location,
)
const { addTogether } = kept
const backend: StateBackend = {
  ...kept,
  ...(addTogether && {
    addTogether: added => told(`add ${added.length} together`, () => addTogether(added)),
  }),
  series(site) {
    const series = kept.series(site)
    return {
      ...series,
      newest: () => told('newest', series.newest),
      add: version => told(`add ${version.serial}`, () => series.add(version)),
    }
  },
}

const writer = siteWriter(url)
const client: typeof writer = {
  ...writer,
  observe: (...args) => told('look', () => writer.observe(...args)),
  update: (...args) => told('update', () => writer.update(...args)),
  async openConfigure(...args) {
    const opened = await told('connect', () => writer.openConfigure(...args))
    if (!opened.ok) return opened
    const call = opened.value
    return { ok: true, value: { ...call, send: signal => told('send', () => call.send(signal)) } }
  },
}

const started = performance.now()
const clock = {
  ...virtualClock(),
  now: Date.now,
  monotonicMs: () => performance.now() - started,
  sleep: (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds)),
}
const secrets = secretSource(process.env, folder)
const provideToken = createTokenProvider(manifest.site.token, secrets)
let nonces = 0
const ports = {
  now: Date.now,
  nonce() {
    nonces += 1
    return `nonce-${process.pid}-${Date.now()}-${nonces}`
  },
  self: thisProcess,
  liveness,
  tool: 'landform/proof',
}
// The program records the same path: relative to the repository, or absolute.
const site = { url, name: manifest.name, file: kind === 'git' ? basename(file) : file }
const end = await oneRun(
  { client, state: stateStore(backend, site, ports), clock, provideToken },
  { pollMs: 50, timeoutMs: 60_000 },
  { manifest, secrets },
)
process.stdout.write(`${JSON.stringify(end)}\n`)
process.exitCode = end.exitCode
