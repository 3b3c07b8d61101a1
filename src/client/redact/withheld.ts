const marks = new Map<string, string>()
const texts = new Map<string, string>()

/** More texts, or longer ones, would only fill the memory. */
const limits = { texts: 1000, characters: 2000 } as const

/**
 * Replaces free text of a site by a placeholder. A process that lacks a secret of the manifest cannot redact it there, so its
 * events, reports and state contain the placeholder. Only the terminal of the same process shows the text.
 */
export function withhold(text: string): string {
  if (text.trim() === '') return text
  const words = text.slice(0, limits.characters)
  const known = marks.get(words)
  if (known !== undefined) return known
  if (marks.size >= limits.texts) return '[withheld]'
  const mark = `[withheld ${marks.size + 1}]`
  marks.set(words, mark)
  texts.set(mark, words)
  return mark
}

/** Replaces placeholders by their texts, for the terminal only. Drops the full stop of a text, except at the end of a line. */
export function reveal(text: string, format: (words: string) => string): string {
  if (texts.size === 0) return text
  return text.replaceAll(/(\[withheld \d+\])(?=(.?))/g, (mark: string, _, next: string) => {
    const words = texts.get(mark)
    if (words === undefined) return mark
    return format(next === '' ? words : words.trimEnd().replace(/\.$/, ''))
  })
}
