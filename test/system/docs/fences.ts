/** A fenced block of a page. Line numbers start at 1. */
export interface Fence {
  readonly kind: 'fence'
  readonly language: string
  readonly text: string
  /** The lines of the opening and the closing fence. */
  readonly from: number
  readonly to: number
  readonly indent: string
}

export interface Remark {
  readonly kind: 'remark'
  readonly text: string
  readonly from: number
}

/** Lists the fenced blocks and the comments of a page, in order. */
export function fencesOf(markdown: string): readonly (Fence | Remark)[] {
  const lines = markdown.split('\n')
  const found: (Fence | Remark)[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, indent = '', ticks, language = ''] = /^( *)(`{3,})\s*(\S*)/.exec(line) ?? []
    const isRemark = ticks === undefined && line.trimStart().startsWith('<!--')
    if (ticks === undefined && !isRemark) continue
    const ends = (other: string) => (isRemark ? other.includes('-->') : other.trim() === ticks)
    const from = at
    if (!isRemark || !ends(line))
      do at++
      while (at < lines.length && !ends(lines[at] ?? ''))
    if (isRemark) {
      const [, text = ''] = /<!--([\s\S]*?)-->/.exec(lines.slice(from, at + 1).join('\n')) ?? []
      found.push({ kind: 'remark', text: text.trim(), from: from + 1 })
    } else {
      const inside = lines
        .slice(from + 1, at)
        .map(each => each.replace(new RegExp(`^ {0,${indent.length}}`), ''))
      const text = inside.map(each => `${each}\n`).join('')
      found.push({ kind: 'fence', language, text, from: from + 1, to: at + 1, indent })
    }
  }
  return found
}

/** Removes blocks and comments from a page, which leaves prose, headings and links. */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^( *)(`{3,}).*\n[\s\S]*?^ *\2 *$/gm, '')
    .replaceAll(/^ *<!-- .*$/gm, '')
}
