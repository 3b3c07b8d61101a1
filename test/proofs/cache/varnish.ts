import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runsHere } from '../../support/program.js'

/** The settings of a cache, beside those that Varnish comes with: it keeps an answer for two minutes, whatever a request says. */
export const caches = {
  'its own settings': '',
  'a day': 'sub vcl_backend_response { set beresp.ttl = 1d; }',
  'a day, without the query':
    'sub vcl_recv { set req.url = regsub(req.url, "&_=.*$", ""); } sub vcl_backend_response { set beresp.ttl = 1d; }',
  /** No client can see it. */
  'a day, without the query, hidden':
    'sub vcl_recv { set req.url = regsub(req.url, "&_=.*$", ""); } sub vcl_backend_response { set beresp.ttl = 1d; } sub vcl_deliver { unset resp.http.age; }',
} as const
export type Cache = keyof typeof caches

/** True where Varnish, and the compiler that it translates its settings with, run here. */
export function hasVarnish(): Promise<boolean> {
  return runsHere(['varnishd', '-C', '-b', '127.0.0.1:9'])
}

export interface Varnish {
  /** The address of the site behind it. */
  readonly url: string
  close(): Promise<void>
}

/** Starts Varnish in front of an emulator, which is a site like others to whoever asks through it. */
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

/** Asks Varnish for its port until it has one. */
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
