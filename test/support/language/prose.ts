/** The text of a Markdown page that is read as sentences: without code, tables of it, and addresses. */
export function plainText(markdown: string): string {
  return withoutCode(markdown.replace(/<!--[\s\S]*?-->/g, ' ').replace(/\]\([^)]*\)/g, ']'))
}

/** A text without blocks of code and without words in backticks, each of which counts as one word. */
export function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```/g, ' ').replace(/`[^`\n]*`/g, 'code')
}

/** How many words a text has. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter(word => /[a-z]/i.test(word)).length
}

/** The sentences of the paragraphs and list items of a page; headings and rows of tables are none. */
export function listSentences(markdown: string): readonly string[] {
  const lines = plainText(markdown)
    .split('\n')
    .filter(line => !/^\s*(?:[|#>]|---)/.test(line))
  return lines
    .join('\n')
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.)\s/)
    .flatMap(paragraph => paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?:])\s+(?=[A-Z*"“])/))
    .map(sentence => sentence.trim())
    .filter(sentence => countWords(sentence) > 2)
}

/**
 * The Flesch reading ease of sentences: 100 is a children's book, 60 plain English, 30 a scientific paper.
 * Syllables are counted as groups of vowels, so the figure is good to a few points.
 */
export function readingEase(sentences: readonly string[]): number {
  const words = sentences.flatMap(sentence => sentence.match(/[a-z]+/gi) ?? [])
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0)
  return 206.835 - 1.015 * (words.length / sentences.length) - 84.6 * (syllables / words.length)
}

function countSyllables(word: string): number {
  const groups = word
    .toLowerCase()
    .replace(/e$/, '')
    .match(/[aeiouy]+/g)
  return Math.max(1, groups?.length ?? 1)
}
