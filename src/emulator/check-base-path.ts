/** The first segment of the control path, where the emulator reports on itself; no service path begins with it. */
export const controlSegment = '_emulator'

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
