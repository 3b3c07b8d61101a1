import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runsHere } from '../../support/program.js'

/** Varnish settings, added to its defaults, which cache a response for two minutes whatever the request headers are. */
export const caches = {
  'its own settings': '',
  'a day': 'sub vcl_backend_response { set beresp.ttl = 1d; }',
  'a day, without the query':
    'sub vcl_recv { set req.url = regsub(req.url, "&_=.*$", ""); } sub vcl_backend_response { set beresp.ttl = 1d; }',
  /** Without the `Age` header, a client cannot detect the cache. */
  'a day, without the query, hidden':
    'sub vcl_recv { set req.url = regsub(req.url, "&_=.*$", ""); } sub vcl_backend_response { set beresp.ttl = 1d; } sub vcl_deliver { unset resp.http.age; }',
} as const
export type Cache = keyof typeof caches

/** Tests whether Varnish runs here, and the compiler that translates its settings. */
export function hasVarnish(): Promise<boolean> {
  return runsHere(['varnishd', '-C', '-b', '127.0.0.1:9'])
}

export interface Varnish {
  /** The address of the site behind it. */
  readonly url: string
  close(): Promise<void>
}

/** Starts Varnish in front of an emulator, and removes the response header that identifies the emulator. */
export async function startVarnish(folder: string, site: string, cache: Cache): Promise<Varnish> {
  mkdirSync(folder, { recursive: true })
  const { host, hostname, port, pathname } = new URL(site)
  const file = join(folder, 'cache.vcl')
  writeFileSync(
    file,
    `vcl 4.1;
    backend site { .host = "${hostname}"; .port = "${port}"; }
    sub vcl_backend_fetch { set bereq.http.host = "${host}"; }
    sub vcl_backend_response { unset beresp.http.landform-emulator; }
    ${caches[cache]}`,
  )
  const name = join(folder, 'varnish')
  const words = ['-F', '-j', 'none', '-n', name, '-a', '127.0.0.1:0', '-f', file, '-s', 'malloc,16m']
  const child = spawn('varnishd', words, { stdio: 'ignore' })
  const kill = () => child.kill()
  process.on('exit', kill)
  const exited = once(child, 'exit')
  return {
    url: `http://127.0.0.1:${await readPort(name)}${pathname}`,
    async close() {
      process.off('exit', kill)
      child.kill()
      await exited
    },
  }
}

/** Polls Varnish until it reports its port. Throws after half a minute. */
async function readPort(name: string): Promise<string> {
  for (let tries = 0; tries < 150; tries += 1) {
    const shown = await promisify(execFile)('varnishadm', ['-n', name, 'debug.listen_address']).catch(
      () => undefined,
    )
    const [, port] = /^\S+ 127\.0\.0\.1 ([1-9]\d*)/m.exec(shown?.stdout ?? '') ?? []
    if (port !== undefined) return port
    await setTimeout(200)
  }
  throw new Error('Varnish did not start within half a minute')
}
