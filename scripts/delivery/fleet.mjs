// The published package for fleets: one bundle with the library code that it uses, its SBOM, and the lock file of an image.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { entries } from './library.mjs'
import { writeParts } from './parts.mjs'
import { writeProductionLock } from './production-lock.mjs'
import { replaceFolder } from './replace-folder.mjs'

const product = 'packages/fleet'

/** Bundles the package. Its dependencies come from npm, because its engine cannot be bundled. */
export async function bundleFleet(root, options) {
  const library = Object.keys(entries).map(path => [
    `landform${path === 'index' ? '' : path.slice('entry'.length)}`,
    join(root, 'dist', 'src', `${path}.js`),
  ])
  await replaceFolder(join(root, product, 'dist'), async folder => {
    const bundle = await build({
      ...options,
      entryPoints: [join(root, 'dist', product, 'src', 'index.js')],
      // Bundles the compiled and tested files, not the sources, to which `paths` in tsconfig.json leads.
      tsconfigRaw: {},
      alias: { ...options.alias, ...Object.fromEntries(library) },
      outfile: join(folder, 'index.cjs'),
      external: ['@dbos-inc/dbos-sdk', 'pg', 'prom-client'],
      lineLimit: 500,
    })
    writeParts(root, product, folder, [bundle])
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    writeProductionLock(lock, product, join(folder, 'locked'))
  })
}
