/** Why a manifest may not name such a path, as the end of a sentence; `undefined` when it may. */
export function pathProblem(path: string): string | undefined {
  if (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)) return 'is absolute'
  if (path.includes('\\')) return 'holds a backslash'
  if (/[^ -~]/.test(path) && /\p{Cc}/u.test(path)) return 'holds a control character'
  return undefined
}
