// Bundles the compiled program: a small launcher, the check of manifests, and everything. `make-ready` runs it.
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { commands } from '../dist/src/cli/commands.js'
import { overview } from '../dist/src/cli/help.js'
import { version } from '../dist/src/version.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist', 'src', 'cli')
const bundles = join(root, 'dist', 'bin')

const commonJs = createRequire(import.meta.url).resolve

const common = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  charset: 'ascii',
  legalComments: 'none',
  // Everything is in the bundle; a true `import()` would look for files.
  // The launcher reads bundles byte for byte, and tagged templates would keep characters that are not ASCII.
  supported: { 'dynamic-import': false, 'template-literal': false },
  // The CommonJS builds: the other one of js-yaml is three times slower on Node 20, that of tinyglobby asks for the
  // address of a module, which a bundle has not.
  alias: { 'js-yaml': commonJs('js-yaml'), tinyglobby: commonJs('tinyglobby') },
}

/**
 * Leaves every command out but the ones named, and what asks a person: the launcher never asks this bundle for the
 * others.
 */
const only = names => ({
  name: 'only-some-commands',
  setup(chosen) {
    chosen.onResolve({ filter: /^\.\/(?:commands\/[\w-]+|prompt)\.js$/ }, ({ path }) =>
      names.includes(path.slice('./commands/'.length, -'.js'.length)) ? undefined : { path, external: true },
    )
  },
})

const entry = join(program, 'main.js')
await build({
  ...common,
  entryPoints: [entry],
  outfile: join(bundles, 'check.cjs'),
  plugins: [only(['validate'])],
})
await build({ ...common, entryPoints: [entry], outfile: join(bundles, 'main.cjs') })

const digest = createHash('sha256')
for (const name of ['check', 'main']) digest.update(readFileSync(join(bundles, `${name}.cjs`)))
await build({
  ...common,
  entryPoints: [join(program, 'launch.js')],
  outfile: join(bundles, 'landform.cjs'),
  banner: { js: '#!/usr/bin/env node' },
  define: {
    LANDFORM_VERSION: JSON.stringify(version),
    LANDFORM_HELP: JSON.stringify(overview(commands)),
    LANDFORM_DIGEST: JSON.stringify(digest.digest('hex').slice(0, 16)),
  },
})
chmodSync(join(bundles, 'landform.cjs'), 0o755)
