// Bundles the program with the library, and the package for fleets, each with its SBOM. `make-ready` runs this.
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleFleet } from './delivery/fleet.mjs'
import { libraryBundle, writeLibrary } from './delivery/library.mjs'
import { writeParts } from './delivery/parts.mjs'
import { replaceFolder } from './delivery/replace-folder.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'dist')
const compiled = path => join(output, 'src', path)

/** Packages that take tens of milliseconds to load, and the module that replaces each. */
const aliases = {
  'string-width': join(root, 'scripts', 'delivery', 'string-width.cjs'),
  undici: join(root, 'scripts', 'delivery', 'undici.cjs'),
  // The ES module takes three times as long to load.
  'js-yaml': join(root, 'node_modules', 'js-yaml', 'dist', 'js-yaml.cjs.js'),
}

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  alias: aliases,
  // Everything is in the bundle, and a real `import()` of a Node.js module would load the whole ES module loader.
  supported: { 'dynamic-import': false },
  banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href` },
  define: {
    'import.meta.url': 'bundleUrl',
    // yargs reads it while it loads. Node.js then opens the stream, after which writes to a pipe no longer block.
    'process.stdout.columns': 'undefined',
  },
}

const built = await replaceFolder(join(output, 'bin'), async bundles => {
  const outfile = name => join(bundles, `${name}.cjs`)
  const start = await build({
    ...options,
    entryPoints: [compiled('cli/start.js')],
    outfile: outfile('landform'),
    banner: { js: '#!/usr/bin/env node' },
  })
  chmodSync(outfile('landform'), 0o755)
  const check = await build({
    ...options,
    entryPoints: [compiled('cli/main-check.js')],
    outfile: outfile('check'),
  })
  const main = await build({
    ...options,
    stdin: { resolveDir: compiled(''), contents: libraryBundle },
    outfile: outfile('main'),
    // Node.js prints the source line of an uncaught exception, which must not be the whole file.
    lineLimit: 400,
  })
  return [start, check, main]
})
writeLibrary(root)
writeParts(root, '.', output, built)
await bundleFleet(root, options)
