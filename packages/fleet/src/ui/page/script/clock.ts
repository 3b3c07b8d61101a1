/** Offset of the clock of the database from the one of this page. */
let ahead = 0

export const now = (): number => performance.now() + ahead

export function setClock(databaseNow: number): void {
  ahead = databaseNow - performance.now()
}

/** Formats a growing duration: `45 s`, `12 min`, `3 h 05 min` or `4 days`. */
export function age(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000)
  if (minutes < 1) return `${Math.floor(Math.max(0, milliseconds) / 1000)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
  return `${Math.floor(hours / 24)} days`
}

/** Formats a time of day, with the date unless it is today. */
export function moment(at: number): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString('en-GB')
  const isToday = date.toDateString() === new Date(now()).toDateString()
  return isToday ? time : `${date.toLocaleDateString('en-CA')} ${time}`
}
