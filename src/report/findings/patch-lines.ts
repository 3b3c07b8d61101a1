import { display } from '../display.js'

/** Lines of a unified diff, with the line numbers of both files, from 1. */
export interface PatchHunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: string[]
}

/** Lists the numbers of the redacted lines. */
export function listHiddenLines(text: string, redacted: string): ReadonlySet<number> {
  const shown = redacted.split('\n')
  const lines = text.split('\n')
  return new Set(lines.flatMap((line, index) => (line === shown[index] ? [] : [index + 1])))
}

/** Splits a hunk at its redacted lines, which fit no file; only parts with a change are kept. */
export function splitHunk(hunk: PatchHunk, hidden: ReadonlySet<number>): readonly PatchHunk[] {
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart]
  const parts: PatchHunk[] = []
  const begin = () =>
    parts.push({ oldStart: oldLine, oldLines: 0, newStart: newLine, newLines: 0, lines: [] })
  begin()
  for (const line of hunk.lines) {
    const [sign] = line
    const isHidden = sign === ' ' && hidden.has(oldLine)
    const part = parts.at(-1)
    if (sign === ' ' || sign === '-') oldLine += 1
    if (sign === ' ' || sign === '+') newLine += 1
    if (isHidden) begin()
    else if (part !== undefined) {
      part.lines.push(line)
      part.oldLines += sign === ' ' || sign === '-' ? 1 : 0
      part.newLines += sign === ' ' || sign === '+' ? 1 : 0
    }
  }
  return parts.filter(({ lines }) => lines.some(line => /^[-+]/.test(line)))
}

/** Keeps tabs and the line ends of Windows. GitHub obeys a line that begins with two colons, even behind blanks. */
export function escapePatchLine(line: string): string {
  const [, text = '', end = ''] = /^(.*?)(\r?)$/s.exec(line) ?? []
  const pieces = text.split('\t').map(piece => display(piece))
  return `${pieces.join('\t').replace(/^(\s+):(?=:)/, '$1\\x3a')}${end}`
}
