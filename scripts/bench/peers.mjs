// The validators that we are measured beside, installed once from npm, outside of the project's own dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, said } from './surroundings.mjs'

const schema = join(root, 'schemas', 'deployment-11.2.schema.json')
const place = join(root, 'node_modules', '.cache', 'landform-bench')
const wanted = ['ajv-cli@5.0.0', 'ajv-formats@3.0.1', '@sourcemeta/jsonschema@16.11.0']

/** Commands of the peers that are there, for a file or a folder of files. */
export function peers(path, isFolder) {
  const data = isFolder ? join(path, '*.yaml') : path
  return [...npmPeers(path, data), ...kubeconform(path)]
}

/** The versions of the peers that are there. */
export function peerVersions() {
  const go = spawnSync('kubeconform', ['-v'])
  return [...(isInstalled() ? wanted : []), ...(go.status === 0 ? [`kubeconform ${go.stdout}`.trim()] : [])]
}

function npmPeers(path, data) {
  if (!isInstalled()) return []
  const ajv = join(place, 'node_modules', 'ajv-cli', 'dist', 'index.js')
  const validate = [process.execPath, ajv, 'validate', '-s', schema, '-d', data, '--strict=false']
  const sourcemeta = join(place, 'node_modules', '.bin', 'jsonschema')
  return [
    { peer: 'ajv-cli', command: [...validate, '--validate-formats=false'] },
    { peer: 'ajv-cli with formats', command: [...validate, '-c', 'ajv-formats'] },
    { peer: 'sourcemeta', command: [sourcemeta, 'validate', schema, path, '--extension', '.yaml'] },
  ]
}

/** A program of Go, which npm does not have: measured where it is installed. */
function kubeconform(path) {
  if (spawnSync('kubeconform', ['-v']).status !== 0) return []
  return [{ peer: 'kubeconform', command: ['kubeconform', '-n', '2', '-schema-location', schema, path] }]
}

let isThere
function isInstalled() {
  isThere ??= install()
  return isThere
}

function install() {
  const stamp = join(place, 'installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted.join()) return true
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...flags, ...wanted], { cwd: place, stdio: 'ignore' })
  if (status === 0) writeFileSync(stamp, wanted.join())
  else said('npm could not install ajv-cli and sourcemeta')
  return status === 0
}
