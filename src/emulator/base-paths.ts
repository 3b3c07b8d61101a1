import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tokenServicePath } from '../contract/field-notes.js'

/** The base paths of the sites of one emulator. All have the same number of segments, so that finding a site is one lookup. */
interface BasePaths {
  readonly all: readonly string[]
  /** Finds the site that a request target addresses: its base path, a path below it, or its token service. */
  find(target: string): string | undefined
}

/** Makes a request target relative to a base path: empty, a path that starts with `/`, or `../` and the token service. */
export function makeRelative(basePath: string, target: string): string {
  const [path = ''] = target.split('?', 1)
  return path === findTokenService(basePath) ? `../${tokenServicePath}` : path.slice(basePath.length)
}

/** Builds the base paths from the chosen path or a random one that cannot be guessed. With several sites, each has a prefix. */
export function buildBasePaths(chosen: string | undefined, count: number): BasePaths {
  const path = normalizePath(chosen ?? `/${randomBytes(16).toString('hex')}/admin`)
  const all = count === 1 ? [path] : Array.from({ length: count }, (_, index) => `/site-${index + 1}${path}`)
  const known = new Set(all)
  const tokenServices = new Map(all.map(base => [findTokenService(base), base]))
  const segments = all[0]?.split('/').length ?? 1
  return {
    all,
    find(target) {
      const [whole = ''] = target.split('?', 1)
      const start = whole.split('/', segments).join('/')
      return known.has(start) ? start : tokenServices.get(whole)
    },
  }
}

/** Finds the token service of a site: `/x/sharing/rest/generateToken` for `/x/admin`. */
function findTokenService(basePath: string): string {
  return `${basePath.slice(0, Math.max(0, basePath.lastIndexOf('/')))}/${tokenServicePath}`
}

function normalizePath(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '')
  return segments.map(segment => `/${segment}`).join('')
}

/** The first segment of the control path, where the emulator reports on itself; no service path begins with it. */
const controlSegment = '_emulator'

const maxPathLength = 200

/**
 * Explains why a path cannot be a base path; `undefined` if it can. Allows only paths that clients, proxies and browsers
 * all read in the same way.
 */
export function checkBasePath(path: string): string | undefined {
  const segments = path.split('/').filter(segment => segment !== '')
  if (path.length > maxPathLength) return `it is longer than ${maxPathLength} characters`
  if (segments.some(segment => segment === '.' || segment === '..')) return 'it contains `.` or `..`'
  if (!segments.every(segment => /^[\w.~-]+$/.test(segment)))
    return 'a segment may contain only letters, digits and the characters - . _ ~'
  return segments[0] === controlSegment ? `${controlSegment} is reserved for the emulator itself` : undefined
}

/** The prefix of everything that the emulator reports on itself. */
export const controlPath = `/${controlSegment}/`

/**
 * Returns the part of the control path that a request addresses; `undefined` for a request to the service. `''` is the
 * page, which a browser also gets at `/` unless that is the base path; a program that requests `/` gets the service.
 */
export function findControlName({ method, url = '', headers }: IncomingMessage, basePath: string) {
  const [path = ''] = url.split('?', 1)
  if (`${path}/` === controlPath) return ''
  if (path.startsWith(controlPath)) return path.slice(controlPath.length)
  const browses = method === 'GET' && headers.accept?.includes('text/html') === true
  return browses && url === '/' && basePath !== '' ? '' : undefined
}
