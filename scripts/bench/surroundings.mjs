// What every measurement shares: where things are, what the programs see of the environment, and what was found.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The secrets of the manifests; the password follows the rules of the service. */
const secrets = {
  LANDFORM_ADMIN_PASSWORD: 'Correct-horse-1',
  LANDFORM_SECURITY_ANSWER: 'lighthouse keeper',
  LANDFORM_TOKEN: 'token-of-the-bench',
}

/** The folder of the project. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** The folder of the measurements; removed at exit. */
export const folder = mkdtempSync(join(tmpdir(), 'landform-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const { NODE_EXTRA_CA_CERTS: _, CI: __, ...inherited } = process.env
/**
 * What every program sees. The variable that is left out makes Node's own start several times slower, which would flatter
 * every ratio; and in CI nothing keeps compiled code.
 */
export const environment = { ...inherited, ...secrets }

/** The command line of Landform. */
export const own = (...args) => [process.execPath, join(root, 'dist', 'bin', 'landform.cjs'), ...args]
/** The command line of a script of this folder, which runs in a process of its own. */
export const scriptHere = (name, ...args) => [process.execPath, join(root, 'scripts', 'bench', name), ...args]

/** All samples by name. */
export const figures = {}
/** The reason that the others have none. */
export const notMeasured = {}

/** Keeps samples. */
export function found(name, ...samples) {
  figures[name] = [...(figures[name] ?? []), ...samples.map(one => Math.round(one * 100) / 100)]
}

/** Says and keeps why there are none. */
export function skipped(name, because) {
  notMeasured[name] = because
  said(`NOT MEASURED: ${name}: ${because}`)
}

/** Prints progress to stderr; only figures go to stdout. */
export function said(line) {
  process.stderr.write(`${line}\n`)
}
