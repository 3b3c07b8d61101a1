import { createHash } from 'node:crypto'
import { display } from './display.js'
import type { Phrase } from './phrase.js'

/** GitHub limits comments to 65,536 characters; the rest is for the text that a workflow adds around a plan. */
const maxCharacters = 64_000

/** Formats a hidden comment that no name can close; names with other characters are distinguished by their digest. */
export function formatMarker(kind: 'plan' | 'drift' | 'apply' | 'status' | 'manifest', name: string): string {
  const inert = name.replaceAll(/[^\w.]+/g, '-').slice(0, 100)
  const digest = createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, 8)
  return `<!-- landform-${kind}: ${/^[\w.]+(?:-[\w.]+)*$/.test(name) && inert === name ? name : `${inert}-${digest}`} -->`
}

/** Escapes and fences can make a text fifteen times as long, and the size of a comment is limited. */
const maxSpanCharacters = 400

/**
 * Renders untrusted text in Markdown: always as a code span, whose fence is longer than any run of backticks in it, so
 * that nothing in it is a link, a mention, markup or the end of a table cell.
 */
export function formatCodeSpan(text: string): string {
  // A bar after a backslash cannot be escaped in a table: renderers differ in how they read the backslash.
  const inert = (display(text, maxSpanCharacters) || '""').replaceAll(/(\\?)\|/g, (_, slash: string) =>
    slash === '' ? '\\|' : `${slash}\\x7c`,
  )
  const longest = Math.max(0, ...[...inert.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  // Markdown drops this space, which separates a backtick of the text from the fence.
  const pad = inert.startsWith('`') || inert.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${inert}${pad}${fence}`
}

/** Renders a phrase in Markdown. */
export function formatMarkdownPhrase(pieces: Phrase): string {
  return pieces.map(({ kind, text }) => (kind === 'words' ? text : formatCodeSpan(text))).join('')
}

/** A table that may be cut after any row; the omitted rows are counted. */
interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Sections that are shown whole or left out; those left out are counted. */
interface Sections {
  readonly sections: readonly string[]
  describeRest(count: number): string
}

/** A block of a document: text, a table, or sections. Tables get room in the order of `rank`. */
export type Block = string | (Table & { readonly rank: number }) | Sections

/**
 * Joins blocks within a character limit. Texts are always whole; tables share the remaining room in the order of their
 * ranks, and end after a whole row; sections get what is left.
 */
export function fitBlocks(blocks: readonly Block[], limit = maxCharacters): string {
  let left = limit - blocks.reduce((sum, block) => sum + measureFixed(block) + 2, 0)
  const shown = new Map<Block, string>()
  const tables = blocks.filter(block => typeof block !== 'string' && 'rank' in block)
  for (const table of tables.sort((a, b) => a.rank - b.rank)) {
    const lines = table.rows.map(row => `\n${formatRow(row)}`)
    const room = left
    let length = 0
    const fitting = lines.findIndex(text => {
      length += text.length
      return length > room
    })
    const kept = lines.slice(0, fitting === -1 ? undefined : fitting).join('')
    const more = fitting === -1 ? 0 : table.rows.length - fitting
    left -= kept.length
    shown.set(table, `${formatHead(table)}${kept}${more === 0 ? '' : `\n\n… and ${more} more`}`)
  }
  for (const block of blocks) {
    if (typeof block === 'string' || !('sections' in block)) continue
    const whole = block.sections.filter(section => {
      const length = section.length + 2
      const fits = length <= left
      if (fits) left -= length
      return fits
    })
    const rest = block.sections.length - whole.length
    shown.set(block, [...whole, ...(rest === 0 ? [] : [block.describeRest(rest)])].join('\n\n'))
  }
  return `${blocks.map(block => (typeof block === 'string' ? block : (shown.get(block) ?? ''))).join('\n\n')}\n`
}

/** Measures the minimum length of a block. */
function measureFixed(block: Block): number {
  if (typeof block === 'string') return block.length
  if ('sections' in block) return block.describeRest(block.sections.length).length
  return `${formatHead(block)}\n\n… and ${block.rows.length} more`.length
}

function formatHead({ columns }: Table): string {
  return `${formatRow(columns)}\n${formatRow(columns.map(() => '---'))}`
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
