import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Identifies a manifest by its repository and its path in it, which are the same in every clone; where the repository has no
 * remote, or there is none, by its path on this machine. Two repositories may have manifests with the same path.
 */
export function identifyManifest(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const repository = join(folder, '.git')
    if (!isFound(repository)) continue
    const remote = findRemote(repository)
    return remote === undefined ? file : `${remote}:${relative(folder, file)}`
  }
  return file
}

/** False also where this process may not look. */
function isFound(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false
  }
}

/** Reads the remote of a repository, `origin` before others, or of the one that a work tree belongs to. */
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

/** Host and path of an address, which differs by scheme, port and account from clone to clone. */
function identifyRemote(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const [, host, path] = /^(?:[^@/]*@)?([^:/]+):(?!\/\/)(.+)$/.exec(address) ?? []
  const [at, below] = url?.hostname
    ? [url.hostname, url.pathname]
    : [host ?? '', url?.pathname ?? path ?? address]
  return `${at.toLowerCase()}/${below.replace(/^\/+/, '').replace(/(?:\.git)?\/*$/, '')}`
}
