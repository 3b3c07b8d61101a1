import { randomBytes } from 'node:crypto'
import { tokenServicePath } from '../contract/field-operations.js'

/** The base paths of the sites of one emulator. All have the same number of segments, so that finding a site is one lookup. */
export interface BasePaths {
  readonly all: readonly string[]
  /** Finds the base path of a request target: equal to it, above it, or with its token service there. */
  find(target: string): string | undefined
}

/** Makes a request target relative to a base path: empty, from `/` on, or `../` and the token service. */
export function makeRelative(basePath: string, target: string): string {
  const [path = ''] = target.split('?', 1)
  return path === findTokenService(basePath) ? `../${tokenServicePath}` : path.slice(basePath.length)
}

/** Builds the base paths from the chosen path or a random one that cannot be guessed; several sites get a first segment each. */
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

/** Finds the token service of a site: that of `/x/admin` is `/x/sharing/rest/generateToken`. */
function findTokenService(basePath: string): string {
  return `${basePath.slice(0, Math.max(0, basePath.lastIndexOf('/')))}/${tokenServicePath}`
}

function normalizePath(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '')
  return segments.map(segment => `/${segment}`).join('')
}
