import { stripVTControlCharacters } from 'node:util'
import { countColumns } from './columns.js'

/** The width of text where no terminal has another. */
export const defaultColumns = 80

/**
 * Wraps each line of a text between words. Further lines of it begin below its text: after its mark or label, or at the
 * last column of a table that leaves room enough. A command that can be copied, an address and a digest stay whole. No
 * further line begins with two colons, where a CI runner reads commands, also after spaces.
 */
export function wrapLines(text: string, columns = defaultColumns): string {
  return text
    .split('\n')
    .map(line => (line.length > columns && countShown(line) > columns ? wrapLine(line, columns) : line))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  let starts = listStarts(stripVTControlCharacters(line), columns)
  let wrapped = ''
  let last = ''
  for (const { gap, word } of splitLine(line, columns - (starts[0] ?? 0))) {
    const longer = last + gap + word
    if (
      last.trim() === '' ||
      countShown(longer) <= columns ||
      stripVTControlCharacters(word).startsWith('::')
    )
      last = longer
    else {
      wrapped += `${last}\n`
      // Text that has left its column does not return to it.
      const fitting = starts.filter(start => start + countShown(word) <= columns)
      starts = fitting.length > 0 ? fitting : starts.slice(0, 1)
      last = ' '.repeat(starts.at(-1) ?? 0) + word
    }
  }
  // The end of a question has a space for the answer.
  return wrapped + last + (/ +$/.exec(line)?.[0] ?? '')
}

/** A mark, a label or a number before the text of a line. */
const opening = /^(?: +\d+ [-+~] | *(?:\[[^\]]*\] )?(?:[-+~=!?>.] |\d+\. |\w{1,20}: )?)/

/** Lists where further lines may begin: at the text of the line, and at the columns of a table that leave room enough. */
function listStarts(line: string, columns: number): readonly number[] {
  const [{ length }] = opening.exec(line) ?? ['']
  const cells = [...line.matchAll(/(?<=\S) {2,}(?=\S)/g)].map(gap => gap.index + gap[0].length)
  const hasShort = length > 0 && length <= columns * 0.3
  // A line that begins further right is the row of a table.
  const limit = columns * (line.startsWith(' ') ? 0.75 : 0.4)
  return [
    hasShort || (length === 0 && cells.length === 0) ? length : 2,
    ...cells.filter(start => start <= limit),
  ]
}

interface Word {
  readonly gap: string
  readonly word: string
}

/** A command or what is quoted is one word, as long as it fits. */
const words = /( *)((?<=(?:^|[:.]) *)landform \S+(?: \S+)*|[^\s`]*`[^`]*`\S*|\d+ %|\S+)/g

function splitLine(line: string, room: number): readonly Word[] {
  return [...line.matchAll(words)].flatMap(([, gap = '', word = '']) => {
    if (
      countShown(word) <= room ||
      /^\W*(?:landform|rm) |:\/\/|[\da-f]{32}/.test(stripVTControlCharacters(word))
    )
      return [{ gap, word }]
    return splitLongWord(word).map((piece, at) => (at === 0 ? { gap, word: piece.word } : piece))
  })
}

/** Long quotes are split between words, paths after their separators, and JSON after its commas. */
function splitLongWord(word: string): readonly Word[] {
  const pieces = /["{]/.test(word) ? /( *)([^\s,]+,*|,+)/g : /( *)([^\s./]+[./]*|[./]+)/g
  return [...word.matchAll(pieces)].map(([, gap = '', piece = '']) => ({ gap, word: piece }))
}

function countShown(text: string): number {
  return countColumns(stripVTControlCharacters(text))
}
