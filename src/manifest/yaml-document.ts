import { Composer, type Document, type ErrorCode, isScalar, LineCounter, type Node } from 'yaml'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Place, Position } from '../diagnostics/place.js'
import { type JsonPointer, readParent } from '../diagnostics/pointer.js'
import { quote } from '../diagnostics/words.js'
import type { JsonValue } from '../schema/json-schema.js'
import { findTooDeep, findUnclosed } from './nesting.js'
import { decodeText, explainNotText, type Source } from './source.js'
import type { Span } from './span.js'
import { syntaxReasons } from './syntax-reasons.js'
import { yamlLimits } from './yaml-limits.js'
import { diagnoseTooDeep, diagnoseTooLarge, diagnoseUnsupported, YamlReader } from './yaml-reader.js'
import { tokenize } from './yaml-tokens.js'

/** A YAML text as a plain value, with the place of every part. */
export interface YamlDocument {
  readonly text: string
  readonly value: JsonValue
  readonly spans: ReadonlyMap<JsonPointer, Span>
  /** Ranges that were rejected and have no span; they may contain a secret. */
  readonly unread: readonly (readonly [number, number])[]
  /** The source text of a value, before YAML parsing; `undefined` for the value of an alias. */
  written(pointer: JsonPointer): string | undefined
  /** The source text of a number, following an alias. */
  numeral(pointer: JsonPointer): string | undefined
  /** The part with an anchor or alias that a field belongs to, and the field's pointer at the anchor. */
  findAnchor(pointer: JsonPointer): AnchorUse | undefined
  /** The place of a range of offsets. */
  range(from: number, to: number): Place
  /** The place of a diagnostic about `pointer`: its key or value, or the nearest parent that exists. */
  place(pointer: JsonPointer, marks: 'key' | 'value'): Place
}

export interface AnchorUse {
  /** The value that is, or refers to, the anchored one. */
  readonly user: JsonPointer
  /** The same field below the anchor. */
  readonly pointer: JsonPointer
}

export interface ParsedYaml {
  readonly document?: YamlDocument
  readonly diagnostics: readonly Diagnostic[]
}

/** Cached, because parsing is most of the work of a check and is needed again to show source lines. */
const parsed = new WeakMap<Source, ParsedYaml>()

/** Parses YAML text. Diagnostics have their place; there is no document if nothing can be read. */
export function parseYaml(source: Source): ParsedYaml {
  const known = parsed.get(source) ?? parseSource(source)
  parsed.set(source, known)
  return known
}

function parseSource(source: Source): ParsedYaml {
  const text = source.bytes.byteLength > yamlLimits.bytes ? '' : decodeText(source)
  const lines = countLines(text ?? '')
  const at = (from: number, to = from) => buildPlace(source.name, lines, from, to)
  if (source.bytes.byteLength > yamlLimits.bytes) {
    const size = diagnoseTooLarge('the file is too large', `${yamlLimits.bytes} bytes`)
    return { diagnostics: [{ ...size, place: at(0) }] }
  }
  if (text === undefined) {
    const { reason, before } = explainNotText(source)
    const place = buildPlace(source.name, countLines(before), before.length, before.length)
    return { diagnostics: [{ ...diagnose('yaml/not-text', '', { reason }), place }] }
  }
  const template = findTemplate(text)
  if (template !== undefined)
    return {
      diagnostics: [
        { ...diagnoseUnsupported('', 'templates', renderFirst), place: at(template, template + 2) },
      ],
    }
  const composed = compose(text)
  if (!('contents' in composed)) {
    const { diagnostic, span } = composed
    // The parser may point after the last character.
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
      return span === undefined || isInsideAlias(reader.spans, pointer)
        ? undefined
        : text.slice(...span.value)
    },
    numeral: pointer => {
      const span = reader.spans.get(pointer)
      return span && text.slice(...(span.source ?? span.value))
    },
    findAnchor: pointer => findAnchor(reader, pointer),
    range: at,
    place: (pointer, marks) => at(...findOffsets(reader.spans, pointer, marks)),
  }
  const diagnostics = reader.problems.map(({ diagnostic, span, first }) => ({
    ...diagnostic,
    place: at(...span),
    ...(first !== undefined && { related: [{ message: 'first written here', place: at(...first) }] }),
  }))
  return { document, diagnostics }
}

const renderFirst =
  'render it first, then check the result; for environment variables use `{ env: LANDFORM_… }`'

/** Finds the offset of a template of another tool; YAML cannot parse its double braces usefully. */
function findTemplate(text: string): number | undefined {
  // Not `^`: it also matches after a carriage return, which takes quadratic time on a text of carriage returns.
  const found = /(?<![^\n])(?:[^#\n"']*?[:-] +| *)\{\{/.exec(text)
  return found === null ? undefined : found.index + found[0].length - 2
}

interface ParseFailure {
  readonly diagnostic: Diagnostic
  readonly span: readonly [number, number]
}

/** Composes the single document of a text, or diagnoses why that is impossible. */
function compose(text: string): Document | ParseFailure {
  const tokens = tokenize(text)
  if (typeof tokens === 'number')
    return {
      diagnostic: diagnoseTooLarge('too many tokens', `${yamlLimits.tokens} tokens`),
      span: [tokens, tokens],
    }
  const deep = findTooDeep(tokens)
  if (deep !== undefined) return { diagnostic: diagnoseTooDeep(), span: [deep, deep] }
  const composer = new Composer({
    // Both are unsafe here: one prints source lines, the other compares every key with every other.
    prettyErrors: false,
    uniqueKeys: false,
    // A directive would choose another schema, in which `yes` is true.
    schema: 'core',
    resolveKnownTags: false,
  })
  const [document, ...others] = runWithoutTraces(() => [...composer.compose(tokens, true, text.length)])
  const [error] = document?.errors ?? []
  // The parser reports these at the line after, or at the end of the text; users need the place where they begin.
  const unclosed = error === undefined ? undefined : findUnclosed(tokens)
  if (unclosed !== undefined) {
    const { offset, closedBy } = unclosed
    const facts = {
      reason: `this ${quote(text[offset] ?? '')} is never closed`,
      help: `close it with ${quote(closedBy)}`,
    }
    return { diagnostic: diagnose('yaml/syntax', '', facts), span: [offset, offset + 1] }
  }
  if (error !== undefined) return { diagnostic: diagnoseSyntax(error.code), span: error.pos }
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

/** Counts the lines itself, because the parser omits lines that it cannot read. */
function countLines(text: string): LineCounter {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return lines
}

function findOffsets(
  spans: ReadonlyMap<JsonPointer, Span>,
  pointer: JsonPointer,
  marks: 'key' | 'value',
): readonly [number, number] {
  const span = spans.get(pointer)
  if (span !== undefined) return marks === 'key' ? (span.key ?? span.value) : span.value
  if (pointer === '') return [0, 0]
  return findOffsets(spans, readParent(pointer), 'key')
}

function isInsideAlias(spans: ReadonlyMap<JsonPointer, Span>, pointer: JsonPointer): boolean {
  if (spans.get(pointer)?.source !== undefined) return true
  return pointer !== '' && isInsideAlias(spans, readParent(pointer))
}

function findAnchor(reader: YamlReader, pointer: JsonPointer, below = ''): AnchorUse | undefined {
  const { spans, anchors } = reader
  if (anchors.size === 0) return undefined
  const span = spans.get(pointer)
  const anchor = span && anchors.get((span.source ?? span.value)[0])
  if (anchor !== undefined && (span?.source !== undefined || anchor === pointer))
    return { user: pointer, pointer: `${anchor}${below}` as JsonPointer }
  if (pointer === '') return undefined
  const parent = readParent(pointer)
  return findAnchor(reader, parent, `${pointer.slice(parent.length)}${below}`)
}

function buildPlace(file: string, lines: LineCounter, offset: number, end: number): Place {
  const position = (at: number): Position => {
    const { line, col } = lines.linePos(at)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  return { file, start: position(offset), end: position(Math.max(offset, end)) }
}

function diagnoseSyntax(code: ErrorCode): Diagnostic {
  if (code === 'RESOURCE_EXHAUSTION') return diagnoseTooDeep()
  const help = code === 'TAB_AS_INDENT' ? 'replace each tab with spaces' : undefined
  return diagnose('yaml/syntax', '', { reason: syntaxReasons[code], help })
}
