// Installs the locked dependencies and builds, each only when it has to: so `npm start` and `npm test` are the
// only commands that a fresh machine needs, and cost nothing the second time. `--build` builds in any case,
// `--unchecked` without a look at the types, for those that are generated may be about to change.
// Uses nothing but Node itself, since nothing else may be there yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'dist', '.built-from')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  stop(`Landform needs Node.js 20.19 or newer; this is ${process.version}`)

if (!isInstalled()) {
  // The working folder may hold packages of another lock file; `npm ci` starts from nothing.
  run(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    'installing dependencies',
  )
}
if (process.argv.includes('--build') || !isBuilt()) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const unchecked = process.argv.includes('--unchecked')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  run(process.execPath, [compiler, ...(unchecked ? ['--noCheck'] : [])], 'building')
  if (!unchecked) {
    run(process.execPath, [join(root, 'scripts', 'bundle.mjs')], 'bundling')
    writeFileSync(stamp, sourceDigest())
  }
}

/** True when every package of the lock file is there in its version; optional ones may be of other platforms. */
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

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest()
}

/** Digest of everything that the build reads. */
function sourceDigest() {
  const digest = createHash('sha256')
  const files = [
    'package-lock.json',
    'tsconfig.json',
    'package.json',
    'scripts/bundle.mjs',
    ...filesBelow('scripts/delivery', '.mjs'),
    ...filesBelow('src', '.ts'),
    ...filesBelow('packages', '.ts'),
    ...filesBelow('test', '.ts'),
  ]
  for (const file of files)
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return digest.digest('hex')
}

function filesBelow(folder, end) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(end))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

function run(command, args, what) {
  process.stderr.write(`${what} ...\n`)
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) stop(`${what} failed${error === undefined ? '' : `: ${error.message}`}`)
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
