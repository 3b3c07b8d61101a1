/** Elapsed time for people: `12s`, `3m 05s`, `1h 02m`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${padTwo(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${padTwo(minutes % 60)}m`
}

/** Elapsed time at the start of a line: `[+00:12]`, `[+1:02:03]`. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${padTwo(Math.floor(seconds / 60) % 60)}:${padTwo(seconds % 60)}`
  return `[+${hours > 0 ? `${hours}:${rest}` : rest}]`
}

function padTwo(value: number): string {
  return String(value).padStart(2, '0')
}
