// Packs what npm publishes, from what was built, and writes the paths of the tarballs, the program first: `npm run pack`, which
// builds first. `node scripts/pack.mjs [FOLDER]` puts them there.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { products } from './delivery/products.mjs'
import { stage } from './delivery/stage.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const destination = resolve(process.argv[2] ?? root)
const folder = mkdtempSync(join(tmpdir(), 'landform-pack-'))
try {
  for (const [at, product] of products.entries()) pack(product, join(folder, `${at}`))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function pack(product, place) {
  const { name, version } = stage(root, product, place)
  const command = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', destination]
  const { status } = spawnSync('npm', command, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
  const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  if (status === 0) process.stdout.write(`${join(destination, tarball)}\n`)
  else process.exitCode = status ?? 1
}
