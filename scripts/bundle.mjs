// Bundles what is delivered: a small launcher with the help that it says, the check of manifests, and everything, which is the
// library, too; with the types of the library, the list of parts and their licenses. `make-ready` runs it.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { readCommandLine } from '../dist/src/cli/command-line/read-command-line.js'
import { commands, groups } from '../dist/src/cli/run.js'
import * as cliEntry from '../dist/src/entry/cli.js'
import * as reportEntry from '../dist/src/entry/report.js'
import * as sitesEntry from '../dist/src/entry/sites.js'
import * as stateEntry from '../dist/src/entry/state.js'
import * as library from '../dist/src/index.js'
import { defaultColumns } from '../dist/src/report/wrap.js'
import { newestSchema } from '../dist/src/schema/manifest-schema.js'
import { version } from '../dist/src/version.js'
import { bundledPackages } from './delivery/bundled-packages.mjs'
import { copyDeclarations } from './delivery/declarations.mjs'
import { notices } from './delivery/notices.mjs'
import { writeProductionLock } from './delivery/production-lock.mjs'
import { readPackageManifest } from './delivery/products.mjs'
import { sbom } from './delivery/sbom.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'dist')
const cli = join(output, 'src', 'cli')
const bundles = join(output, 'bin')

const commonJs = createRequire(import.meta.url).resolve

/**
 * What yargs and undici ask of modules that each take milliseconds to load: assertions, which throw a plain error here; a
 * way to load files of configuration, which no command line of ours names; the width of a text, in which all our characters are
 * one column wide (looking for emoji takes 50 ms); the largest header, which every client is told; and the class of a request to
 * a server, which nobody sends on.
 */
const leanModules = {
  assert: `export const strictEqual = (actual, expected, message) => {
      if (!Object.is(actual, expected)) throw new Error(message ?? 'an assertion of yargs failed')
    }
    export const notStrictEqual = (actual, unexpected, message) => {
      if (Object.is(actual, unexpected)) throw new Error(message ?? 'an assertion of yargs failed')
    }`,
  'string-width': `export default text => /[\\ud800-\\udbff]/.test(text) ? [...text].length : text.length`,
  'node:module': `export const createRequire = () => name => { throw new Error('not loaded: ' + name) }`,
  'node:assert': `module.exports = (value, message) => {
      if (!value) throw message instanceof Error ? message : new Error(message ?? 'an assertion of undici failed')
    }`,
  'node:http': `module.exports = { maxHeaderSize: 16_384, IncomingMessage: class IncomingMessage {} }`,
}

const leanImports = {
  name: 'lean-imports',
  setup(chosen) {
    const filter = new RegExp(`^(?:${Object.keys(leanModules).join('|')})$`)
    chosen.onResolve({ filter }, ({ path, importer }) =>
      /\/node_modules\/(?:cliui|undici|wrap-ansi|yargs|yargs-parser)\//.test(importer)
        ? { path, namespace: 'lean' }
        : undefined,
    )
    chosen.onLoad({ filter: /./, namespace: 'lean' }, ({ path }) => ({ contents: leanModules[path] }))
  },
}

/**
 * Modules that a run needs only where there is something to say, or for another command: each is evaluated when one of its
 * names is first used. Most of what a start takes is evaluating modules, and reading the compiled code of what was evaluated.
 */
const onFirstUse = ['policy/load-policy', 'report/wording/state-failure']

/**
 * The same, of what is large and stands for itself: each is a file, which all bundles share. undici reads responses with the
 * last one where a processor cannot run the faster one.
 */
const apart = {
  yaml: 'yaml',
  tinyglobby: 'patterns',
  'diagnostics/catalog': 'catalog',
  'report/plan/plan-html': 'page',
  'schema/check-plan': 'plan',
  'schema/check-policy': 'policy',
  'schema/check-scenario': 'scenario',
  'schema/check-state': 'state',
  'schema/check-test': 'test',
  'undici/lib/llhttp/llhttp-wasm': 'parser',
}

const isPackage = module => !module.includes('/')
const moduleFile = module => {
  if (isPackage(module)) return module
  return module.startsWith('undici/') ? commonJs(`${module}.js`) : join(output, 'src', `${module}.js`)
}
const apartNames = new Map(Object.entries(apart).map(([module, name]) => [moduleFile(module), name]))
const lateFiles = new Set([...onFirstUse.map(moduleFile), ...apartNames.keys()])

/** Loads all of these late, the latter from the files beside the bundle. */
const loadLate = {
  name: 'load-late',
  setup(chosen) {
    chosen.onResolve({ filter: /^\w+$|^\.{1,2}\/.*\.js$/ }, ({ path, kind, resolveDir, namespace }) => {
      const file = isPackage(path) ? path : join(resolveDir, path)
      const isStatic = kind === 'import-statement' && namespace === 'file'
      return isStatic && lateFiles.has(file) ? { path: file, namespace: 'late' } : undefined
    })
    // CommonJS, and late by itself.
    chosen.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, kind, resolveDir }) => {
      const own = kind === 'require-call' ? apartNames.get(join(resolveDir, path)) : undefined
      return own === undefined ? undefined : { path: `./${own}.cjs`, external: true }
    })
    chosen.onResolve({ filter: /\.cjs$/, namespace: 'late' }, ({ path }) => ({ path, external: true }))
    chosen.onLoad({ filter: /./, namespace: 'late' }, async ({ path }) => {
      const own = apartNames.get(path)
      const names = Object.keys(await import(path)).filter(name => name !== 'default')
      return {
        resolveDir: root,
        contents: `let found
const load = () => (found ??= require(${JSON.stringify(own === undefined ? path : `./${own}.cjs`)}))
module.exports = { ${names.map(name => `get ${name}() { return load().${name} }`).join(', ')} }`,
      }
    })
  },
}

/** English is part of the code of yargs, so the files of other languages are not bundled. */
const withoutLocales = {
  name: 'without-locales',
  setup(chosen) {
    chosen.onLoad({ filter: /\/y18n\/build\/lib\/platform-shims\/node\.js$/ }, () => ({
      contents: `import { format } from 'node:util'
        const readFileSync = () => { throw Object.assign(new Error('left out'), { code: 'ENOENT' }) }
        export default { fs: { readFileSync }, format, resolve: (...parts) => parts.join('/'), exists: () => false }`,
    }))
  },
}

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  charset: 'ascii',
  legalComments: 'none',
  metafile: true,
  // Everything is in the bundle; a true `import()` would look for files.
  // The launcher reads bundles byte for byte, and tagged templates would keep characters that are not ASCII.
  supported: { 'dynamic-import': false, 'template-literal': false },
  // The CommonJS build: the other one asks for the address of a module, which a bundle has not.
  alias: { tinyglobby: commonJs('tinyglobby') },
  plugins: [leanImports, withoutLocales],
  // yargs asks where its module is, to look for the package of a program beside it, which it never does here.
  // It also asks for the width of the terminal, which it is told later: the question alone loads streams and sockets.
  define: {
    'import.meta.url': '"file:///landform/lib/yargs/esm.mjs"',
    'process.stdout.columns': 'undefined',
  },
}

/**
 * Modules that the bundle of the check shows, and that what reports its findings takes from there: whoever else loaded that
 * would start the check.
 */
const inCheck = [
  'schema/check-manifest',
  'schema/field-schema',
  'manifest/quick-value',
  'manifest/rules/all',
  'manifest/did-you-mean',
  'manifest/merge',
  'contract/fields',
  'contract/cloud',
  'contract/placement',
  'contract/versions',
]

const fromCheck = {
  name: 'from-check',
  setup(chosen) {
    const files = new Map(inCheck.map(module => [moduleFile(module), module]))
    chosen.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, kind, resolveDir }) => {
      const module = kind === 'import-statement' ? files.get(join(resolveDir, path)) : undefined
      return module === undefined ? undefined : { path: module, namespace: 'check' }
    })
    chosen.onResolve({ filter: /^\.\/check\.cjs$/ }, ({ path }) => ({ path, external: true }))
    chosen.onLoad({ filter: /./, namespace: 'check' }, ({ path }) => ({
      contents: `module.exports = require('./check.cjs')[${JSON.stringify(path)}]`,
    }))
  },
}

/**
 * What the program loads with `import()` where it is needed, such as to say something or to read options, each a file of its
 * own: the modules that it shares with a bundle stand in both, unless it takes them `fromCheck`.
 */
const later = {
  'check/report-findings': 'findings',
  'command-line/read-command-line': 'line',
}

/** Leaves out commands, and with them what asks for answers to edit. What is loaded later is a file of its own. */
const without = isLeftOut => ({
  name: 'without',
  setup(chosen) {
    chosen.onResolve({ filter: /^\.{1,2}\/(?:[\w-]+\/)?[\w-]+\.js$/ }, ({ path, kind }) => {
      const name = path.slice(path.lastIndexOf('/') + 1, -'.js'.length)
      if (kind !== 'dynamic-import') return undefined
      const [, own] = Object.entries(later).find(([module]) => module.split('/').at(-1) === name) ?? []
      if (own !== undefined) return { path: `./${own}.cjs`, external: true }
      return isLeftOut(path, name) ? { path, external: true } : undefined
    })
  },
})

const only = commandsOfIt =>
  without(
    (path, name) =>
      !commandsOfIt.includes(name) &&
      /commands\/|prompt|emulator-options|completions|fleet-package|clean-files/.test(path),
  )

/** The schema by which fields are found is built here, and read from a file when it is first asked for. */
const schemaFile = 'newest-schema.json'
const fieldFinder = moduleFile('schema/field-schema')
const builtSchema = {
  name: 'built-schema',
  setup(chosen) {
    chosen.onResolve({ filter: /\/manifest-schema\.js$/ }, ({ path, importer }) =>
      importer === fieldFinder ? { path, namespace: 'built' } : undefined,
    )
    chosen.onResolve({ filter: /\.json$/, namespace: 'built' }, ({ path }) => ({ path, external: true }))
    chosen.onLoad({ filter: /./, namespace: 'built' }, () => ({
      contents: `let found
module.exports = { get newestSchema() { return (found ??= require('./${schemaFile}')) } }`,
    }))
  },
}

const program = { ...common, plugins: [...common.plugins, loadLate, builtSchema] }

/** The entry points of the library, by their paths. */
const entries = {
  index: library,
  'entry/cli': cliEntry,
  'entry/report': reportEntry,
  'entry/sites': sitesEntry,
  'entry/state': stateEntry,
}

const outfile = name => join(bundles, `${name}.cjs`)
const check = await build({
  ...program,
  stdin: {
    resolveDir: join(output, 'src'),
    contents: ['cli/main', ...inCheck]
      .map(module => `export * as ${JSON.stringify(module)} from './${module}.js'`)
      .join('\n'),
  },
  outfile: outfile('check'),
  plugins: [...program.plugins, only(['validate', 'clean-files'])],
})
const others = []
for (const [module, name] of Object.entries(later))
  others.push(
    await build({
      ...program,
      entryPoints: [join(cli, `${module}.js`)],
      outfile: outfile(name),
      plugins: [...(name === 'findings' ? [fromCheck] : []), ...program.plugins, only([])],
    }),
  )
for (const [module, name] of Object.entries(apart))
  others.push(
    await build({
      ...common,
      stdin: {
        resolveDir: root,
        contents: `module.exports = require(${JSON.stringify(moduleFile(module))})`,
      },
      outfile: outfile(name),
    }),
  )
// Nothing of it runs before it is asked for: a program of a user must not start the command line, nor the command line
// load what it may never need.
const main = await build({
  ...program,
  stdin: {
    resolveDir: join(output, 'src'),
    contents: `exports.program = () => { require('./cli/main.js') }
${Object.keys(entries)
  .map(path => `exports[${JSON.stringify(path)}] = () => require('./${path}.js')`)
  .join('\n')}`,
  },
  outfile: outfile('main'),
  // The launcher runs the check from its own bundle.
  plugins: [...program.plugins, without(path => path.endsWith('commands/validate.js'))],
  // Node shows the line of an exception that a program did not expect; it must not be the whole file.
  lineLimit: 400,
})

for (const { metafile } of [...others, main])
  for (const [file, { imports }] of Object.entries(metafile.outputs))
    if (imports.some(({ path }) => path === './findings.cjs'))
      throw new Error(`${file} loads what reports findings, which only the check may`)

const names = ['check', ...Object.values(later), ...Object.values(apart), 'main']
const digest = createHash('sha256')
for (const name of names) digest.update(readFileSync(outfile(name)))
writeFileSync(join(bundles, 'help.json'), JSON.stringify(await readHelp()))
writeFileSync(join(bundles, schemaFile), JSON.stringify(newestSchema))
// What an earlier build made more would be published with it.
const delivered = [...[...names, 'landform'].map(name => `${name}.cjs`), 'help.json', schemaFile]
for (const file of readdirSync(bundles)) if (!delivered.includes(file)) rmSync(join(bundles, file))
const launcher = await build({
  ...common,
  entryPoints: [join(cli, 'launcher', 'launch.js')],
  outfile: outfile('landform'),
  banner: { js: '#!/usr/bin/env node' },
  define: {
    ...common.define,
    LANDFORM_VERSION: JSON.stringify(version),
    LANDFORM_HELP_COLUMNS: JSON.stringify(defaultColumns),
    LANDFORM_DIGEST: JSON.stringify(digest.digest('hex').slice(0, 16)),
  },
})
chmodSync(outfile('landform'), 0o755)

// The optional package installs its dependencies from npm: its engine cannot be bundled.
const fleetFolder = join(root, 'packages', 'fleet', 'dist')
rmSync(fleetFolder, { recursive: true, force: true })
const fleet = await build({
  ...common,
  entryPoints: [join(output, 'packages', 'fleet', 'src', 'index.js')],
  // What was compiled and tested, and not the sources, to which the settings of the compiler lead.
  tsconfigRaw: {},
  alias: {
    ...common.alias,
    ...Object.fromEntries(
      Object.keys(entries).map(path => [
        `landform${path === 'index' ? '' : path.slice('entry'.length)}`,
        join(output, 'src', `${path}.js`),
      ]),
    ),
  },
  outfile: join(fleetFolder, 'index.cjs'),
  external: ['@dbos-inc/dbos-sdk', '@hono/node-server', 'hono', 'hono/*', 'pg', 'prom-client'],
  lineLimit: 500,
})

const types = join(output, 'lib')
// Files that the library no longer names must not be published with it.
rmSync(types, { recursive: true, force: true })
mkdirSync(types, { recursive: true })
const declarations = Object.keys(entries).map(path => `${path}.d.ts`)
copyDeclarations(declarations, { from: join(output, 'src'), to: types })
for (const [path, exported] of Object.entries(entries)) {
  writeFileSync(
    join(types, `${path}.js`),
    `import bundle from '${path.includes('/') ? '../..' : '..'}/bin/main.cjs'
export const { ${Object.keys(exported).join(', ')} } = bundle['${path}']()
`,
  )
}

const landform = readPackageManifest(root, '.')
writeParts(output, landform, [check, ...others, main, launcher])
writeParts(fleetFolder, { ...landform, ...readPackageManifest(root, 'packages/fleet') }, [fleet])
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
writeProductionLock(lock, 'packages/fleet', join(fleetFolder, 'locked'))

/** The help of the program, of its groups and of its commands, by the words that name each. */
async function readHelp() {
  const table = { entries: commands, groups, version }
  const named = [
    ...['', ...Object.keys(groups)].map(name => ({ name })),
    ...commands.flatMap(({ name, aliases = [], more }) =>
      [name, ...aliases].map(one => ({ name: one, more })),
    ),
  ]
  const texts = named.map(async ({ name, more }) => {
    const words = [...name.split(' ').filter(word => word !== ''), '--help']
    const view = { columns: defaultColumns, more: (await more?.()) ?? [] }
    return [name, readCommandLine(words, table, view).text]
  })
  return Object.fromEntries(await Promise.all(texts))
}

/** Records the contents of the bundles of a product, and their licenses. */
function writeParts(folder, product, built) {
  const source = built
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .find(name => name.endsWith('.ts'))
  if (source !== undefined) throw new Error(`${source} was bundled in place of what was compiled and tested`)
  const packages = bundledPackages(
    root,
    built.map(({ metafile }) => metafile),
  )
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom(product, packages), null, 2)}\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(packages))
}
