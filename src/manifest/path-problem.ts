/** Describes why a manifest cannot use a path, as the end of a sentence; `undefined` for a valid path. */
export function findPathProblem(path: string): string | undefined {
  if (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)) return 'is absolute'
  if (path.includes('\\')) return 'contains a backslash'
  if (/[^ -~]/.test(path) && /\p{Cc}/u.test(path)) return 'contains a control character'
  return undefined
}
