// Bundles what is delivered: the program, the library, the package for fleets, and the list of parts of both. `make-ready` runs it.
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

/** Packages that take tens of milliseconds, with the module in place of each. */
const aliases = {
  'string-width': join(root, 'scripts', 'delivery', 'string-width.cjs'),
  undici: join(root, 'scripts', 'delivery', 'undici.cjs'),
  // Its ES module takes three times as long.
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
  // Everything is in the bundle: a true `import()` of a module of Node would load the whole loader of ES modules.
  supported: { 'dynamic-import': false },
  banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href` },
  define: {
    'import.meta.url': 'bundleUrl',
    // yargs asks for it when it is loaded, and Node then opens the stream, after which a pipe blocks no more.
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
    // Node shows the line of an exception that a program did not expect, which must not be the whole file.
    lineLimit: 400,
  })
  return [start, check, main]
})
writeLibrary(root)
writeParts(root, '.', output, built)
await bundleFleet(root, options)
