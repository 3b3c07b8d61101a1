// What every measurement shares: where things are, what the programs see of the environment, and what was found.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { someSecrets } from '../../dist/test/support/some-secrets.js'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const folder = mkdtempSync(join(tmpdir(), 'landform-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

// The one makes Node's own start several times slower, which would flatter every ratio; the cache is of this run alone.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
export const environment = { ...inherited, ...someSecrets, XDG_CACHE_HOME: join(folder, 'cache') }

export const own = (...args) => [process.execPath, join(root, 'dist', 'bin', 'landform.cjs'), ...args]
export const helper = (name, ...args) => [process.execPath, join(root, 'scripts', 'bench', name), ...args]

/** All samples by name, and why others have none. */
export const figures = {}
export const notMeasured = {}

export function found(name, ...samples) {
  figures[name] = [...(figures[name] ?? []), ...samples.map(one => Math.round(one * 100) / 100)]
}

export function skipped(name, because) {
  notMeasured[name] = because
  said(`NOT MEASURED: ${name}: ${because}`)
}

export function said(line) {
  process.stderr.write(`${line}\n`)
}

export function machine() {
  const [{ model }] = cpus()
  const node = `${process.version} (${process.platform} ${process.arch})`
  return { date: new Date().toISOString().slice(0, 10), cores: cpus().length, processor: model, node }
}
