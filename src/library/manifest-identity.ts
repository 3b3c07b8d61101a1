import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { findCloneTop } from '../state/git-program.js'

/**
 * Identifies a manifest by the remote of its repository and its path there, which are the same in every clone; without
 * a repository or a remote, by its path on this machine. Manifests in two repositories may have the same path.
 */
export function identifyManifest(file: string): string {
  const top = findCloneTop(dirname(file))
  const remote = top && findRemote(join(top, '.git'))
  return top === undefined || remote === undefined ? file : `${remote}:${relative(top, file)}`
}

/** Reads the remote of a repository, preferring `origin`; for a work tree, that of its main repository. */
function findRemote(repository: string): string | undefined {
  const own = readLink(repository, /^gitdir: (.+)$/m) ?? repository
  const common = readLink(join(own, 'commondir'), /^(.+)$/m) ?? own
  const remotes = read(join(common, 'config')).matchAll(/^\[remote "(.*)"\]$([^[]*)/gm)
  const urls = new Map(
    [...remotes].map(([, name, section = '']) => [name, /^\s*url\s*=\s*"?(.+?)"?\s*$/m.exec(section)?.[1]]),
  )
  const url = urls.get('origin') ?? [...urls.values()].find(one => one !== undefined)
  return url === undefined ? undefined : identifyRemote(url)
}

function readLink(path: string, line: RegExp): string | undefined {
  const target = line.exec(read(path))?.[1]
  return target && resolve(dirname(path), target)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns host and path of an address; scheme, port and account may differ between clones. */
function identifyRemote(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const [, host, path] = /^(?:[^@/]*@)?([^:/]+):(?!\/\/)(.+)$/.exec(address) ?? []
  const [at, below] = url?.hostname
    ? [url.hostname, url.pathname]
    : [host ?? '', url?.pathname ?? path ?? address]
  return `${at.toLowerCase()}/${below.replace(/^\/+/, '').replace(/(?:\.git)?\/*$/, '')}`
}
