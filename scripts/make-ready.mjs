// Installs the locked packages and builds, each only if something has changed. So a fresh machine needs no command before `npm
// start` or `npm test`, and the second run costs nothing. `--build` always builds, and `--compile` makes no bundles, for
// scripts that compile again. Types are not checked here: `npm run check` does that, as `npm test` does before the tests. Uses
// only Node.js, because nothing else may be installed yet.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { computeDigest, filesBelow, isKept, keep } from './changes.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The folders that the compiler reads; it writes to folders of the same names in dist/. */
const compiled = ['src', 'test', 'scripts', 'packages']
const bundled = ['src', 'packages/fleet/src', 'scripts/delivery']

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  stop(`Landform needs Node.js 20.19 or newer; this is ${process.version}`)

if (!isInstalled()) {
  // The folder may contain packages of another lock file, which `npm ci` removes. If it fails, for example because the registry
  // does not respond for a moment, it is tried once more.
  run(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    'installing dependencies',
    2,
  )
}
const isForced = process.argv.includes('--build')
const compilation = computeDigest([
  'package-lock.json',
  'package.json',
  'scripts/make-ready.mjs',
  'tsconfig.json',
  ...filesBelow(compiled, /\.ts$/),
])
if (isForced || !isKept('.compiled-from', compilation)) {
  // If this step is interrupted, dist/ has changed although the sources have not.
  keep('.compiled-from', '')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const incremental = ['--incremental', '--tsBuildInfoFile', join('dist', '.tsbuildinfo')]
  run(process.execPath, [compiler, '--noCheck', ...incremental], 'building')
  removeOrphans()
  linkLibrary()
  keep('.compiled-from', compilation)
}
if (!process.argv.includes('--compile')) makeBundles()

function makeBundles() {
  const bundle = computeDigest([
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    'packages/fleet/package.json',
    'scripts/bundle.mjs',
    ...filesBelow(bundled, /\.(?:ts|[cm]js|json)$/),
  ])
  if (!isForced && isKept('.bundled-from', bundle)) return
  keep('.bundled-from', '')
  run(process.execPath, [join(root, 'scripts', 'bundle.mjs')], 'bundling')
  keep('.bundled-from', bundle)
}

/**
 * Links the compiled library, so that the compiled package for fleets finds its entry points by their published names. They are
 * the same modules that the tests import by their paths.
 */
function linkLibrary() {
  const { type, sideEffects, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const compiledExports = Object.fromEntries(
    Object.keys(exports)
      .filter(name => /^\.(?:\/[a-z]+)?$/.test(name))
      .map(name => [name, name === '.' ? './index.js' : `./entry/${name.slice(2)}.js`]),
  )
  writePackage('src', { type, sideEffects, exports: compiledExports })
  writePackage('packages/fleet', { type, sideEffects })
  const link = join(root, 'dist', 'packages', 'fleet', 'node_modules', 'landform')
  rmSync(link, { force: true })
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join('..', '..', '..', 'src'), link, 'dir')
}

function writePackage(folder, content) {
  writeFileSync(join(root, 'dist', folder, 'package.json'), `${JSON.stringify(content)}\n`)
}

/** Removes compiled files whose source no longer exists, which a test could import, or Jest could run, by mistake. */
function removeOrphans() {
  for (const file of filesBelow(
    compiled.map(folder => join('dist', folder)).filter(folder => existsSync(join(root, folder))),
    /\.(?:js|d\.ts)$/,
  )) {
    const source = `${file.slice('dist/'.length).replace(/\.(?:js|d\.ts)$/, '')}.ts`
    if (!existsSync(join(root, source))) rmSync(join(root, file))
  }
}

/** Tests whether every package of the lock file is installed in its version; optional ones may be of other platforms. */
function isInstalled() {
  const wanted = packagesIn('package-lock.json')
  const present = packagesIn(join('node_modules', '.package-lock.json'))
  if (wanted === undefined || present === undefined) return false
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && !(entry.optional === true && !(path in present)))
    .every(
      ([path, entry]) =>
        present[path]?.version === entry.version && present[path]?.integrity === entry.integrity,
    )
}

function packagesIn(path) {
  const file = join(root, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}

function run(command, args, what, tries = 1) {
  process.stderr.write(`${what} ...\n`)
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  if (tries > 1) run(command, args, `${what} again`, tries - 1)
  else stop(`${what} failed${error === undefined ? '' : `: ${error.message}`}`)
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
