// Packs what npm publishes, from what was built, and writes the path of the tarball: `npm run pack`, which builds first.
// `node scripts/pack.mjs [FOLDER]` puts it there.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stage } from './delivery/stage.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const destination = resolve(process.argv[2] ?? root)
const folder = mkdtempSync(join(tmpdir(), 'landform-pack-'))
try {
  const { name, version } = stage(root, folder)
  const command = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', destination]
  const { status } = spawnSync('npm', command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status === 0) process.stdout.write(`${join(destination, `${name}-${version}.tgz`)}\n`)
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
