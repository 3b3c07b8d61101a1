// Packs what npm publishes from the built files, and prints the paths of the tarballs, the program first. `npm run pack` builds
// before. `node scripts/pack.mjs [FOLDER [NAME...]]` packs into a folder, or only the packages with these names.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { products, readPackageManifest } from './delivery/products.mjs'
import { stage } from './delivery/stage.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [place = root, ...names] = process.argv.slice(2)
const destination = resolve(place)
const folder = mkdtempSync(join(tmpdir(), 'landform-pack-'))
try {
  const wanted = products.filter(
    product => names.length === 0 || names.includes(readPackageManifest(root, product).name),
  )
  if (wanted.length < names.length) throw new Error(`there are no packages ${names.join(', ')}`)
  const staged = wanted.map((product, at) => {
    const place = join(folder, `${at}`)
    return { place, ...stage(root, product, place) }
  })
  // All at once: npm takes longer to start than to pack.
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', destination]
  const { status } = spawnSync('npm', ['pack', ...options, ...staged.map(({ place }) => place)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const { name, version } of status === 0 ? staged : [])
    process.stdout.write(
      `${join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)}\n`,
    )
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
