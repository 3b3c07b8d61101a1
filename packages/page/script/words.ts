/** What pages call the states of a stage, beside a mark that needs no colour to be told apart. */
const marks: ReadonlyMap<string, readonly [sign: string, meaning: string]> = new Map([
  ['not_started', ['○', 'waiting']],
  ['in_progress', ['◐', 'in progress']],
  ['completed', ['●', 'completed']],
  ['not_applicable', ['–', 'does not apply']],
  ['failed', ['✕', 'failed']],
])

/** A state of others may have any name. */
export const markOf = (state: string): readonly [sign: string, meaning: string] =>
  marks.get(state) ?? ['?', state]

/** `450 ms`, `3.2 s`, `4 min 05 s` or `2 h 03 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 1) return `${Math.round(milliseconds)} ms`
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${two((seconds / 60) % 60)} min`
}

export const time = (at: number): string => new Date(at).toLocaleTimeString('en-GB')
