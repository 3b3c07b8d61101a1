import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isScalar,
  Lexer,
  type Node,
  Parser,
  type YAMLError,
} from 'yaml'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { quote } from '../diagnostics/words.js'
import type { YamlContent } from './span.js'
import { yamlLimits } from './yaml-limits.js'
import {
  diagnoseTooDeep,
  diagnoseTooLarge,
  diagnoseUnsupported,
  NodeReader,
  syntaxReasons,
  type YamlProblem,
} from './yaml-nodes.js'

/** The readable content of a text, and its problems. */
export interface JudgedYaml {
  /** Absent if nothing can be read. */
  readonly content?: YamlContent
  readonly problems: readonly YamlProblem[]
}

/** Judges a text that `readYaml` does not read: finds its problems, or the value of a merely unusual text. */
export function judgeYaml(text: string): JudgedYaml {
  const composed = compose(text)
  if (!('contents' in composed)) return { problems: [composed] }
  const reader = new NodeReader(composed, text)
  const value = reader.read(composed.contents as Node, '', 0)
  const { spans, anchors, unread, problems } = reader
  return { content: { value, spans, anchors, unread }, problems }
}

/** Composes the single document of a text, or diagnoses why that is impossible. */
function compose(text: string): Document | YamlProblem {
  const tokens = tokenize(text)
  if (typeof tokens === 'number')
    return {
      diagnostic: diagnoseTooLarge('too many tokens', `${yamlLimits.tokens} tokens`),
      span: [tokens, tokens],
    }
  const deep = findTooDeep(tokens)
  if (deep !== undefined) return { diagnostic: diagnoseTooDeep(), span: [deep, deep] }
  const composer = new Composer({
    // Both would be unsafe: one prints source lines, the other compares every key with every other.
    prettyErrors: false,
    uniqueKeys: false,
    // A YAML 1.1 directive would otherwise select a schema in which `yes` is true.
    schema: 'core',
    resolveKnownTags: false,
  })
  const [document, ...others] = runWithoutTraces(() => [...composer.compose(tokens, true, text.length)])
  const [error] = document?.errors ?? []
  const conflict = error === undefined ? undefined : /(?<![^\n])<{7}(?=[ \r\n])/.exec(text)
  if (conflict != null) {
    const facts = {
      reason: 'a merge conflict begins here',
      help: 'keep one of the two sides, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`',
    }
    return { diagnostic: diagnose('yaml/syntax', '', facts), span: [conflict.index, conflict.index + 7] }
  }
  // The parser reports these at the next line, or at the end of the text; users need the position of the opening.
  const unclosed = error === undefined ? undefined : listUnclosed(tokens).at(-1)
  if (unclosed !== undefined) {
    const { offset, closedBy } = unclosed
    const facts = {
      reason: `this ${quote(text[offset] ?? '')} is never closed`,
      help: `close it with ${quote(closedBy)}`,
    }
    return { diagnostic: diagnose('yaml/syntax', '', facts), span: [offset, offset + 1] }
  }
  if (error !== undefined)
    return findMisindented(text, error) ?? { diagnostic: diagnoseSyntax(error.code), span: error.pos }
  // A line of dashes at the end begins an empty document.
  const other = others.find(one => one.errors.length > 0 || !isEmptyDocument(one))
  if (other !== undefined)
    return {
      diagnostic: diagnose('yaml/several-documents', '', {}),
      span: [other.range[0], other.range[1]],
    }
  const directive = document?.warnings.find(({ code }) => code === 'BAD_DIRECTIVE')
  if (directive !== undefined)
    return { diagnostic: diagnoseUnsupported('', 'directives', 'remove the line'), span: directive.pos }
  if (document === undefined || isEmptyDocument(document))
    return { diagnostic: diagnose('yaml/empty', '', {}), span: [0, 0] }
  return document
}

/** Runs without stack traces: the parser creates an error for every mistake, and unused traces would take most of the time. */
function runWithoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function isEmptyDocument({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null)
}

function diagnoseSyntax(code: ErrorCode): Diagnostic {
  if (code === 'RESOURCE_EXHAUSTION') return diagnoseTooDeep()
  const help = code === 'TAB_AS_INDENT' ? 'replace each tab with spaces' : undefined
  return diagnose('yaml/syntax', '', { reason: syntaxReasons[code], help })
}

/** The errors that a wrong indentation causes. */
const misindentedCodes: readonly ErrorCode[] = ['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'UNEXPECTED_TOKEN']

/** Finds the only line with an odd indentation. The parser fails near that line, or after its block. */
function findMisindented(text: string, { code, pos }: YAMLError): YamlProblem | undefined {
  const lines = [...text.matchAll(/(?<![^\n])( *)[^\s#][^\n]*/g)].map(
    ({ 0: line, 1: { length = 0 } = '', index }) => ({
      width: length,
      span: [index + length, index + line.trimEnd().length] as const,
    }),
  )
  const [found, another] = lines.filter(({ width }) => width % 2 === 1)
  if (found === undefined || another !== undefined || !misindentedCodes.includes(code)) return undefined
  // The first line after the position of the error, or the last one.
  const behind = lines.findIndex(({ span: [from] }) => from >= pos[0])
  const distance = (behind === -1 ? lines.length - 1 : behind) - lines.indexOf(found)
  if (distance < 0 || (distance > 1 && code !== 'BAD_INDENT')) return undefined
  const { width, span } = found
  const facts = {
    reason: `this line is indented by ${width === 1 ? '1 space' : `${width} spaces`}, unlike the lines around it`,
    help: `indent it like the other keys of its map, by ${width - 1} or ${width + 1} spaces`,
  }
  return { diagnostic: diagnose('yaml/syntax', '', facts), span }
}

/** Twice the limit, because the reader rejects slightly too deep nesting itself, with its position. */
const levels = 2 * yamlLimits.depth

/**
 * Finds the offset where nesting is too deep to compose; `undefined` if it is not. Composing is recursive, and a stack
 * overflow inside it can end the process without an exception.
 */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  let level = tokens
  for (let depth = 0; depth < levels; depth += 1) level = level.flatMap(listTokenMembers)
  return level[0]?.offset
}

/** An opening quote or bracket without its end. */
interface Unclosed {
  readonly offset: number
  readonly closedBy: string
}

/** Lists the quotes, braces and brackets that are not closed, the innermost last. Recursive, so call it after `findTooDeep`. */
function listUnclosed(tokens: readonly CST.Token[]): Unclosed[] {
  return tokens.flatMap(token => [...findOwnEnd(token), ...listUnclosed(listTokenMembers(token))])
}

const ends: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

function findOwnEnd(token: CST.Token): readonly Unclosed[] {
  const { offset } = token
  if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
    const { source } = token
    const [closedBy = ''] = source
    return source.length < 2 || source.at(-1) !== closedBy ? [{ offset, closedBy }] : []
  }
  if (token.type !== 'flow-collection') return []
  const closedBy = ends[token.start.source] ?? ''
  return token.end[0]?.source === closedBy ? [] : [{ offset, closedBy }]
}

function listTokenMembers(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter(member => member != null))
}

/** Splits a text into tokens; returns the offset of the first token over the limit if there are too many. */
function tokenize(text: string): CST.Token[] | number {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let left: number = yamlLimits.tokens
  for (const lexeme of new Lexer().lex(text)) {
    left -= 1
    if (left < 0) return parser.offset
    tokens.push(...parser.next(lexeme))
  }
  tokens.push(...parser.end())
  return tokens
}
