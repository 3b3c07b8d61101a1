/** The first segment of what the emulator says of itself; no service path begins with it. */
export const controlSegment = '_emulator'

const longestPath = 200

/**
 * Why a path cannot be a base path, or nothing when it can: what clients, proxies and browsers do not all read in
 * one way is no address to rehearse with.
 */
export function basePathProblem(path: string): string | undefined {
  const segments = path.split('/').filter(segment => segment !== '')
  if (path.length > longestPath) return `it is longer than ${longestPath} characters`
  if (segments.some(segment => segment === '.' || segment === '..')) return 'it goes up or nowhere'
  if (!segments.every(segment => /^[\w.~-]+$/.test(segment)))
    return 'a segment consists of letters, digits and the characters - . _ ~'
  return segments[0] === controlSegment
    ? `${controlSegment} is where the emulator speaks of itself`
    : undefined
}
