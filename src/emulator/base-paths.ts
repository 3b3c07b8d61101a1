import { randomBytes } from 'node:crypto'
import { tokenServicePath } from '../contract/field-operations.js'

/** Where the sites of one emulator lie. All paths have equally many segments, so that one look finds a site among many. */
export interface BasePaths {
  readonly all: readonly string[]
  /** The base path that a request target lies below, or is, or that has its token service there. */
  find(target: string): string | undefined
}

/** The path of a request target seen from a base path: empty, from `/` on, or `../` and the token service. */
export function pathFrom(basePath: string, target: string): string {
  const [path = ''] = target.split('?', 1)
  return path === tokenServiceOf(basePath) ? `../${tokenServicePath}` : path.slice(basePath.length)
}

/** The chosen path, or one that nothing finds by guessing; several sites are told apart by a segment in front. */
export function basePathsOf(chosen: string | undefined, count: number): BasePaths {
  const path = normalized(chosen ?? `/${randomBytes(16).toString('hex')}/admin`)
  const all = count === 1 ? [path] : Array.from({ length: count }, (_, index) => `/site-${index + 1}${path}`)
  const known = new Set(all)
  const tokenServices = new Map(all.map(base => [tokenServiceOf(base), base]))
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

/** Beside the base path: `/x/admin` has it at `/x/sharing/rest/generateToken`. */
function tokenServiceOf(basePath: string): string {
  return `${basePath.slice(0, Math.max(0, basePath.lastIndexOf('/')))}/${tokenServicePath}`
}

function normalized(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '')
  return segments.map(segment => `/${segment}`).join('')
}
