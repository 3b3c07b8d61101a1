import { randomBytes } from 'node:crypto'

/** Where the sites of one emulator lie. All paths have equally many segments, so that one look finds a site among many. */
export interface BasePaths {
  readonly all: readonly string[]
  /** The base path that a request target lies below, or is. */
  find(target: string): string | undefined
}

/** The chosen path, or one that nothing finds by guessing; several sites are told apart by a segment in front. */
export function basePathsOf(chosen: string | undefined, count: number): BasePaths {
  const path = normalized(chosen ?? `/${randomBytes(16).toString('hex')}/admin`)
  const all = count === 1 ? [path] : Array.from({ length: count }, (_, index) => `/site-${index + 1}${path}`)
  const known = new Set(all)
  const segments = all[0]?.split('/').length ?? 1
  return {
    all,
    find(target) {
      const [whole = ''] = target.split('?', 1)
      const start = whole.split('/', segments).join('/')
      return known.has(start) ? start : undefined
    },
  }
}

function normalized(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '')
  return segments.map(segment => `/${segment}`).join('')
}
