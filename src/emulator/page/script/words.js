/** What the page calls the states, beside a mark that needs no colour to be told apart. */
const marks = {
  not_started: ['○', 'waiting'],
  in_progress: ['◐', 'in progress'],
  completed: ['●', 'completed'],
  not_applicable: ['–', 'does not apply'],
  failed: ['✕', 'failed'],
}

const siteWords = { new: 'not configured', in_progress: 'being configured', ready: 'ready', failed: 'failed' }

export const markOf = state => marks[state] ?? ['?', state]

export const siteWord = state => siteWords[state] ?? state

/** `450 ms`, `3.2 s`, `4 min 05 s` or `2 h 03 min`. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000
  if (seconds < 1) return `${Math.round(milliseconds)} ms`
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const two = number => String(Math.floor(number)).padStart(2, '0')
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${two((seconds / 60) % 60)} min`
}

export const time = at => new Date(at).toLocaleTimeString('en-GB')

/** `3 kB`, the way people read sizes. */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** What makes one site different from the others: the segment in front. */
export const nameOf = site => site.split('/')[1] || 'site'

/** JSON with as much on one line as a person reads at one glance. */
export function formatted(value, indent = '', before = '') {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
  const fits = indent.length + before.length + line.length <= 56
  if (typeof value !== 'object' || value === null || fits) return before + line
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = Object.entries(value).map(([name, member]) =>
    formatted(member, `${indent}  `, open === '{' ? `${JSON.stringify(name)}: ` : ''),
  )
  return `${before}${open}\n${members.map(text => `${indent}  ${text}`).join(',\n')}\n${indent}${close}`
}
