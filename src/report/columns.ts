/** The number of terminal columns that a text without control characters takes. */
export function countColumns(text: string): number {
  // The tables of Unicode behind the other letters take longer to make than a manifest to check.
  if (!/[^ -~]/.test(text)) return text.length
  let columns = 0
  for (const letter of text) columns += countLetterColumns(letter)
  return columns
}

/** Letters that terminals draw in two columns, and marks that take none. */
function countLetterColumns(letter: string): number {
  const wide =
    /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
  if (/\p{M}/u.test(letter)) return 0
  return wide.test(letter) ? 2 : 1
}

/** Cuts a text to a width, with an ellipsis where something is left out. */
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
