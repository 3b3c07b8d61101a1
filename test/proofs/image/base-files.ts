import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { runWords } from './run-words.js'

const cache = join(root, 'node_modules', '.cache', 'landform-image')

/** Folders that the slim images of Debian leave out. */
const leftOut = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt', 'var/lib/apt/lists']

/** Brings, once, the files that Debian calls minimal, without what the slim images leave out; `undefined` where it cannot. */
export function debianFiles(): string | undefined {
  const place = join(cache, 'debian')
  if (existsSync(place)) return place
  const beside = `${place}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  const words = ['--variant=minbase', 'bookworm', beside, 'http://deb.debian.org/debian']
  if (runWords('debootstrap', words).status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    return undefined
  }
  for (const name of leftOut) rmSync(join(beside, name), { recursive: true, force: true })
  renameSync(beside, place)
  return place
}

/** Finds the npm that is installed here, and puts what the image will ask it for in a cache in the folder. */
export function npmWithCache(folder: string): string | undefined {
  const place = join(runWords('npm', ['root', '--global']).stdout.trim(), 'npm')
  const asked = join(folder, 'asked')
  cpSync(join(root, 'packages', 'fleet', 'dist', 'locked'), asked, { recursive: true })
  const words = ['ci', '--prefix', asked, '--cache', join(folder, 'npm'), '--ignore-scripts', '--no-audit']
  return existsSync(place) && runWords('npm', words).status === 0 ? place : undefined
}

/** Lays out the files of the image of Node, as far as they are used: Node, and npm, which asks nobody here. */
export function nodeFiles(place: string, node: string, npm: string): string {
  const packages = join(place, 'usr', 'local', 'lib', 'node_modules')
  const bin = join(place, 'usr', 'local', 'bin')
  for (const path of [packages, bin, join(place, 'usr', 'local', 'etc')]) mkdirSync(path, { recursive: true })
  cpSync(node, join(bin, 'node'))
  cpSync(npm, join(packages, 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
  writeFileSync(join(place, 'usr', 'local', 'etc', 'npmrc'), 'offline=true\ncache=/npm\n')
  return place
}
