import type { Json } from '../../service/json.js'

/** The labels of the states of a site. */
const siteWords: ReadonlyMap<string, string> = new Map([
  ['new', 'not configured'],
  ['in_progress', 'being configured'],
])

export const siteWord = (state: string): string => siteWords.get(state) ?? state

/** Formats a size, such as `3 kB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The name of a site: its first segment. */
export const nameOf = (site: string): string => site.split('/')[1] || 'site'

/** Formats JSON with short parts on one line. */
export function formatted(value: Json, indent = '', before = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
  const fits = indent.length + before.length + line.length <= 56
  if (typeof value !== 'object' || value === null || fits) return before + line
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const members = Object.entries(value).map(([name, member]) =>
    formatted(member, `${indent}  `, open === '{' ? `${JSON.stringify(name)}: ` : ''),
  )
  return `${before}${open}\n${members.map(text => `${indent}  ${text}`).join(',\n')}\n${indent}${close}`
}
