import { Composer, type Document, type ErrorCode, isScalar, LineCounter, type Node } from 'yaml'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Place, Position } from '../diagnostics/place.js'
import { type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import { tooDeepAt, unclosedQuoteAt } from './nesting.js'
import { type Source, textOf } from './source.js'
import type { Span } from './span.js'
import { syntaxReasons } from './syntax-reasons.js'
import { caps, tooDeep, tooLarge } from './yaml-limits.js'
import { unsupported, YamlReader } from './yaml-reader.js'
import { tokensOf } from './yaml-tokens.js'

/** A YAML text as a plain value that remembers where everything stood. */
export interface YamlDocument {
  readonly text: string
  readonly value: JsonValue
  readonly spans: ReadonlyMap<JsonPointer, Span>
  /** What was refused and so has no span: nothing tells whether a secret stands there. */
  readonly unread: readonly (readonly [number, number])[]
  /** The value as it is written, before YAML made a number of it; `undefined` for what an alias stands for. */
  written(pointer: JsonPointer): string | undefined
  /** The number at a place as it is written, there or where an alias leads. */
  numeral(pointer: JsonPointer): string | undefined
  /** The place of a range of offsets. */
  range(from: number, to: number): Place
  /** Where a diagnostic about `pointer` belongs: at the key or the value, or the nearest thing around it. */
  place(pointer: JsonPointer, marks: 'key' | 'value'): Place
}

export interface ParsedYaml {
  readonly document?: YamlDocument
  readonly diagnostics: readonly Diagnostic[]
}

/** Parsing is most of the work of a check, and the lines around a mistake need it, too. */
const parsed = new WeakMap<Source, ParsedYaml>()

/** Reads YAML text. Problems come with their place; with one that leaves nothing to read there is no document. */
export function parseYaml(source: Source): ParsedYaml {
  const known = parsed.get(source) ?? parseAnew(source)
  parsed.set(source, known)
  return known
}

function parseAnew(source: Source): ParsedYaml {
  const text = source.bytes.byteLength > caps.bytes ? '' : textOf(source)
  const lines = linesOf(text ?? '')
  const at = (from: number, to = from) => placeIn(source.name, lines, from, to)
  if (source.bytes.byteLength > caps.bytes) {
    const size = tooLarge('the file is too large', `${caps.bytes} bytes`)
    return { diagnostics: [{ ...size, place: at(0) }] }
  }
  if (text === undefined) return { diagnostics: [{ ...diagnose('yaml/not-text', '', {}), place: at(0) }] }
  const template = templateIn(text)
  if (template !== undefined)
    return {
      diagnostics: [{ ...unsupported('', 'templates', renderFirst), place: at(template, template + 2) }],
    }
  const composed = compose(text)
  if (!('contents' in composed)) {
    const { diagnostic, span } = composed
    // The parser may point behind the last character.
    const [from, to] = span.map(offset => Math.min(offset, text.length))
    return { diagnostics: [{ ...diagnostic, place: at(from ?? 0, to) }] }
  }
  const reader = new YamlReader(composed, text)
  const value = reader.read(composed.contents as Node, '', 0)
  const document: YamlDocument = {
    text,
    value,
    spans: reader.spans,
    unread: reader.unread,
    written: pointer => {
      const span = reader.spans.get(pointer)
      return span === undefined || isFollowed(reader.spans, pointer) ? undefined : text.slice(...span.value)
    },
    numeral: pointer => {
      const span = reader.spans.get(pointer)
      return span && text.slice(...(span.source ?? span.value))
    },
    range: at,
    place: (pointer, marks) => at(...offsets(reader.spans, pointer, marks)),
  }
  const diagnostics = reader.problems.map(({ diagnostic, span }) => ({ ...diagnostic, place: at(...span) }))
  return { document, diagnostics }
}

const renderFirst = 'render it first, then check what comes out; environments are for `{ env: LANDFORM_… }`'

/** Where a template of another tool begins: YAML makes nothing useful of its double braces. */
function templateIn(text: string): number | undefined {
  // Not `^`: it also matches after a carriage return, and a text of nothing else would be read once for each.
  const found = /(?<![^\n])(?:[^#\n"']*?[:-] +| *)\{\{/.exec(text)
  return found === null ? undefined : found.index + found[0].length - 2
}

interface Refused {
  readonly diagnostic: Diagnostic
  readonly span: readonly [number, number]
}

/** The one document of a text, or why there is none. */
function compose(text: string): Document | Refused {
  const tokens = tokensOf(text)
  if (typeof tokens === 'number')
    return {
      diagnostic: tooLarge('too many words and signs', `${caps.tokens} of them`),
      span: [tokens, tokens],
    }
  const deep = tooDeepAt(tokens)
  if (deep !== undefined) return { diagnostic: tooDeep(), span: [deep, deep] }
  const composer = new Composer({
    // Both print or compare more than is safe here: source lines, and every key with every other.
    prettyErrors: false,
    uniqueKeys: false,
    // A directive would choose another schema, in which `yes` is true.
    schema: 'core',
    resolveKnownTags: false,
  })
  const [document, ...others] = withoutTraces(() => [...composer.compose(tokens, true, text.length)])
  const [error] = document?.errors ?? []
  // The parser notices a forgotten quote at the end of the text; what people look for is where it begins.
  const quote = error?.code === 'MISSING_CHAR' ? unclosedQuoteAt(tokens) : undefined
  if (quote !== undefined)
    return { diagnostic: diagnose('yaml/syntax', '', { reason: unclosed }), span: [quote, quote + 1] }
  if (error !== undefined) return { diagnostic: syntaxDiagnostic(error.code), span: error.pos }
  // A line of dashes at the end begins a document in which nothing is.
  const other = others.find(one => one.errors.length > 0 || !isNothing(one))
  if (other !== undefined)
    return {
      diagnostic: diagnose('yaml/several-documents', '', {}),
      span: [other.range[0], other.range[1]],
    }
  const directive = document?.warnings.find(({ code }) => code === 'BAD_DIRECTIVE')
  if (directive !== undefined)
    return { diagnostic: unsupported('', 'directives', 'remove the line'), span: directive.pos }
  if (document === undefined || isNothing(document))
    return { diagnostic: diagnose('yaml/empty', '', {}), span: [0, 0] }
  return document
}

const unclosed = 'this quote is never closed'

/** The parser makes an error of every mistake; traces of where, which nobody reads, would take most of the time. */
function withoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function isNothing({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null)
}

/** Our own count of the lines: the parser's leaves out those of what it cannot read. */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return lines
}

function offsets(
  spans: ReadonlyMap<JsonPointer, Span>,
  pointer: JsonPointer,
  marks: 'key' | 'value',
): readonly [number, number] {
  const span = spans.get(pointer)
  if (span !== undefined) return marks === 'key' ? (span.key ?? span.value) : span.value
  if (pointer === '') return [0, 0]
  return offsets(spans, parentOf(pointer), 'key')
}

function isFollowed(spans: ReadonlyMap<JsonPointer, Span>, pointer: JsonPointer): boolean {
  if (spans.get(pointer)?.source !== undefined) return true
  return pointer !== '' && isFollowed(spans, parentOf(pointer))
}

function placeIn(file: string, lines: LineCounter, offset: number, end: number): Place {
  const position = (at: number): Position => {
    const { line, col } = lines.linePos(at)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  return { file, start: position(offset), end: position(Math.max(offset, end)) }
}

function syntaxDiagnostic(code: ErrorCode): Diagnostic {
  if (code === 'RESOURCE_EXHAUSTION') return tooDeep()
  return diagnose('yaml/syntax', '', { reason: syntaxReasons[code] })
}
