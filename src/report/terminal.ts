import { stripVTControlCharacters, styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours a text, or returns it unchanged. Colour never carries meaning alone. */
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_, text) => text
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false })

/** Formats the next steps for people, one per line: numbered if there are several. */
export function formatNext(steps: readonly string[], paint: Paint = plain): string {
  const title = paint('cyan', 'next')
  if (steps.length < 2) return steps.map(step => `${title}: ${step}\n`).join('')
  return `${title}:\n${steps.map((step, at) => `  ${at + 1}. ${step}\n`).join('')}`
}

/** Counts the terminal columns of a text without control characters. */
export function countColumns(text: string): number {
  // Loading the Unicode tables for other letters takes longer than checking a manifest.
  if (!/[^ -~]/.test(text)) return text.length
  let columns = 0
  for (const letter of text) columns += countLetterColumns(letter)
  return columns
}

/** Counts 2 columns for wide letters, and 0 for combining marks. */
function countLetterColumns(letter: string): number {
  const wide =
    /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
  if (/\p{M}/u.test(letter)) return 0
  return wide.test(letter) ? 2 : 1
}

/** Cuts a text to a width, with an ellipsis at the cut. */
export function clipText(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text
  let kept = ''
  let width = 1
  for (const letter of text) {
    width += countColumns(letter)
    if (width > columns) break
    kept += letter
  }
  return columns < 1 ? '' : `${kept}…`
}

/** Pads a text with spaces to a width. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - countColumns(text)))
}

/** The text width, unless the terminal has another. */
export const defaultColumns = 80

/**
 * Wraps each line of a text between words. Continuation lines are indented to the text of the line, after its mark or
 * label, or to the last column of a table with enough room. A command that can be copied, a URL and a digest stay
 * whole. No continuation line begins with two colons: CI runners read commands there, even after spaces.
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
      // A column that was too narrow for a word is not used again.
      const fitting = starts.filter(start => start + countShown(word) <= columns)
      starts = fitting.length > 0 ? fitting : starts.slice(0, 1)
      last = ' '.repeat(starts.at(-1) ?? 0) + word
    }
  }
  // Keeps the space for the answer at the end of a question.
  return wrapped + last + line.slice(line.trimEnd().length)
}

/** Matches a mark, a label or a number before the text of a line. */
const opening = /^(?: +\d+ [-+~] | *(?:\[[^\]]*\] )?(?:[-+~=!?>.] |\d+\. |\w{1,20}: )?)/

/** Lists possible indents of continuation lines: that of the text, and those of table columns with enough room. */
function listStarts(line: string, columns: number): readonly number[] {
  const [{ length }] = opening.exec(line) ?? ['']
  const cells = [...line.matchAll(/(?<=\S) {2,}(?=\S)/g)].map(gap => gap.index + gap[0].length)
  // With only blanks before its text, the line continues a row of a table, so a deeper indent is acceptable.
  const room = line.slice(0, length).trim() === '' ? 0.6 : 0.3
  const hasShort = length > 0 && length <= columns * room
  // An indented line is the row of a table.
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

/** Splits a line into words; a command or a quotation that fits is one word. */
function splitLine(line: string, room: number): readonly Word[] {
  return joinWords(splitAtBlanks(line)).flatMap(({ gap, word }) => {
    if (
      countShown(word) <= room ||
      /^\W*(?:landform|rm) |:\/\/|[\da-f]{32}/.test(stripVTControlCharacters(word))
    )
      return [{ gap, word }]
    return splitLongWord(word).map((piece, at) => (at === 0 ? { gap, word: piece.word } : piece))
  })
}

/** Splits a text at blanks. A pattern for words after blanks would try each blank of a long gap again. */
function splitAtBlanks(text: string): readonly Word[] {
  const parts = text.split(/( +)/)
  return parts.flatMap((word, at) => (at % 2 === 1 || word === '' ? [] : { gap: parts[at - 1] ?? '', word }))
}

/** Joins the words of a quote, of a command up to a wider gap, and a number with its percent sign. */
function joinWords(words: readonly Word[]): readonly Word[] {
  let ticksLeft = words.reduce((sum, { word }) => sum + countTicks(word), 0)
  let isQuoted = false
  let isCommand = false
  const joined: Word[] = []
  for (const { gap, word } of words) {
    const last = joined.at(-1)
    const isSuffix = word === '%' && /^\d+$/.test(last?.word ?? '')
    const isPart: boolean = isQuoted || (gap === ' ' && (isCommand || isSuffix))
    isCommand = isPart
      ? isCommand && !isQuoted
      : word === 'landform' && (last === undefined || /[:.]$/.test(last.word))
    if (isPart && last !== undefined)
      joined[joined.length - 1] = { gap: last.gap, word: last.word + gap + word }
    else joined.push({ gap, word })
    const ticks = countTicks(word)
    ticksLeft -= ticks
    // An unpaired backtick is an ordinary character.
    if (ticks % 2 === 1) isQuoted = !isQuoted && ticksLeft > 0
  }
  return joined
}

function countTicks(word: string): number {
  return word.split('`').length - 1
}

/** Splits long quotes between words, paths after their separators, and JSON after its commas. */
function splitLongWord(text: string): readonly Word[] {
  const pieces = /["{]/.test(text) ? /[^,]+,*|,+/g : /[^./]+[./]*|[./]+/g
  return splitAtBlanks(text).flatMap(({ gap, word }) =>
    [...word.matchAll(pieces)].map(([piece], at) => ({ gap: at === 0 ? gap : '', word: piece })),
  )
}

function countShown(text: string): number {
  return countColumns(stripVTControlCharacters(text))
}
