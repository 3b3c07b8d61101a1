import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Place, Position } from '../diagnostics/place.js'
import { type JsonPointer, readParent } from '../schema/pointer.js'
import { findForeignContent } from './content.js'
import { decodeText, explainNotText, type Source } from './source.js'
import type { Range, Span, YamlContent } from './span.js'
import { type JudgedYaml, judgeYaml } from './yaml-judge.js'
import { yamlLimits } from './yaml-limits.js'
import { diagnoseTooLarge, diagnoseUnsupported } from './yaml-nodes.js'
import { readYaml } from './yaml-reader.js'

/** A YAML text as a plain value, with the place of every part. */
export interface YamlDocument extends Omit<YamlContent, 'anchors'> {
  readonly text: string
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
  /** The place of a part of a text; `undefined` if the source contains it only in another form, such as escaped. */
  placeOfPart(pointer: JsonPointer, part: string): Place | undefined
}

interface AnchorUse {
  /** The value that is, or refers to, the anchored one. */
  readonly user: JsonPointer
  /** The same field below the anchor. */
  readonly pointer: JsonPointer
}

export interface ParsedYaml {
  readonly source: Source
  readonly document?: YamlDocument
  readonly diagnostics: readonly Diagnostic[]
}

/** Parses YAML text. Diagnostics have their place; there is no document if nothing can be read. */
export function parseYaml(source: Source): ParsedYaml {
  if (source.bytes.byteLength > yamlLimits.bytes) {
    const size = diagnoseTooLarge('the file is too large', `${yamlLimits.bytes} bytes`)
    return { source, diagnostics: [{ ...size, place: placeFinder(source.name, '')(0, 0) }] }
  }
  const content = findForeignContent(source.bytes)
  if (content !== undefined) {
    const place = placeFinder(source.name, '')(0, 0)
    return { source, diagnostics: [{ ...diagnose('yaml/foreign-content', '', { content }), place }] }
  }
  const text = decodeText(source)
  if (text === undefined) {
    const { reason, before } = explainNotText(source)
    const place = placeFinder(source.name, before)(before.length, before.length)
    return { source, diagnostics: [{ ...diagnose('yaml/not-text', '', { reason }), place }] }
  }
  const range = placeFinder(source.name, text)
  const template = findTemplate(text)
  if (template !== undefined) {
    const unsupported = diagnoseUnsupported('', 'templates', renderFirst)
    return { source, diagnostics: [{ ...unsupported, place: range(template, template + 2) }] }
  }
  const read = readYaml(text)
  const { content: yaml, problems }: JudgedYaml = read ? { content: read, problems: [] } : judgeYaml(text)
  const diagnostics = problems.map(({ diagnostic, span, first }) => ({
    ...diagnostic,
    place: range(...span),
    ...(first !== undefined && { related: [{ message: 'first written here', place: range(...first) }] }),
  }))
  return yaml === undefined
    ? { source, diagnostics }
    : { source, document: buildDocument(text, yaml, range), diagnostics }
}

function buildDocument(text: string, content: YamlContent, range: YamlDocument['range']): YamlDocument {
  const { value, spans, unread } = content
  return {
    text,
    value,
    spans,
    unread,
    written: pointer => {
      const span = spans.get(pointer)
      return span === undefined || isInsideAlias(spans, pointer) ? undefined : text.slice(...span.value)
    },
    numeral: pointer => {
      const span = spans.get(pointer)
      return span && text.slice(...(span.source ?? span.value))
    },
    findAnchor: pointer => findAnchor(content, pointer),
    range,
    place: (pointer, marks) => range(...findOffsets(spans, pointer, marks)),
    placeOfPart: (pointer, part) => {
      const [from, to] = spans.get(pointer)?.value ?? [0, 0]
      const at = text.slice(from, to).indexOf(part)
      return at === -1 ? undefined : range(from + at, from + at + part.length)
    },
  }
}

const renderFirst =
  'render it first, then check the result; for environment variables use `{ env: LANDFORM_… }`'

/** Finds the offset of a template of another tool; YAML cannot parse its double braces usefully. */
function findTemplate(text: string): number | undefined {
  if (!text.includes('{{')) return undefined
  // Not `^`, which also matches after a carriage return: a text of carriage returns would take quadratic time.
  const found = /(?<![^\n])(?:[^#\n"']*?[:-] +| *)\{\{/.exec(text)
  return found === null ? undefined : found.index + found[0].length - 2
}

function findOffsets(
  spans: ReadonlyMap<JsonPointer, Span>,
  pointer: JsonPointer,
  marks: 'key' | 'value',
): Range {
  const span = spans.get(pointer)
  if (span !== undefined) return marks === 'key' ? (span.key ?? span.value) : span.value
  if (pointer === '') return [0, 0]
  return findOffsets(spans, readParent(pointer), 'key')
}

function isInsideAlias(spans: ReadonlyMap<JsonPointer, Span>, pointer: JsonPointer): boolean {
  if (spans.get(pointer)?.source !== undefined) return true
  return pointer !== '' && isInsideAlias(spans, readParent(pointer))
}

function findAnchor(content: YamlContent, pointer: JsonPointer, below = ''): AnchorUse | undefined {
  const { spans, anchors } = content
  if (anchors.size === 0) return undefined
  const span = spans.get(pointer)
  const anchor = span && anchors.get((span.source ?? span.value)[0])
  if (anchor !== undefined && (span?.source !== undefined || anchor === pointer))
    return { user: pointer, pointer: `${anchor}${below}` as JsonPointer }
  if (pointer === '') return undefined
  const parent = readParent(pointer)
  return findAnchor(content, parent, `${pointer.slice(parent.length)}${below}`)
}

/** Creates a function that finds places in a text. Lines are counted at the first call. */
function placeFinder(file: string, text: string): YamlDocument['range'] {
  let starts: readonly number[] | undefined
  const position = (at: number): Position => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
    // The parser may point after the last character.
    const offset = Math.min(at, text.length)
    const line = countUntil(starts, offset)
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
  return (from, to) => ({ file, start: position(from), end: position(Math.max(from, to)) })
}

/** Counts the ascending numbers that are not greater than a limit. */
function countUntil(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
