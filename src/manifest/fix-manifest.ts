import type { Fix } from '../diagnostics/catalog/entry.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { type JsonPointer, readLastSegment, readParent, splitPointer } from '../schema/pointer.js'
import { mergeDocuments } from './effective.js'
import type { Source } from './source.js'
import type { Range } from './span.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** A replacement of a range of offsets. */
interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface FixedSource {
  readonly source: Source
  /** The diagnostics that were fixed, in the order of the text. */
  readonly fixed: readonly Diagnostic[]
}

/**
 * Applies every fix of the diagnostics to a file. Only the affected ranges change, all other bytes stay the same;
 * a fix is applied only if the value read afterwards differs exactly where it should.
 */
export function fixManifest(
  source: Source,
  bases: readonly Source[],
  diagnostics: readonly Diagnostic[],
): FixedSource {
  const [document, ...others] = [source, ...bases].flatMap(one => parseYaml(one).document ?? [])
  if (document === undefined) return { source, fixed: [] }
  const effective = mergeDocuments([document, ...others])
  const own = diagnostics.flatMap(diagnostic => {
    const { document: origin, pointer } = effective.findOrigin(diagnostic.pointer)
    const { fix } = diagnostic
    return fix === undefined || origin !== document ? [] : [{ diagnostic, pointer, fix }]
  })
  return fixAll(source, own)
}

/** A diagnostic to fix, with its pointer in the file itself. */
interface FixableMistake {
  readonly diagnostic: Diagnostic
  readonly pointer: JsonPointer
  readonly fix: Fix
}

/** Applies all fixes at once, because parsing again is slow; if the result is wrong, tries the two halves separately. */
function fixAll(source: Source, mistakes: readonly FixableMistake[]): FixedSource {
  const changed = mistakes.length === 0 ? undefined : applyFixes(source, mistakes)
  if (changed !== undefined) return { source: changed, fixed: mistakes.map(({ diagnostic }) => diagnostic) }
  if (mistakes.length < 2) return { source, fixed: [] }
  const half = Math.floor(mistakes.length / 2)
  // From the end: renaming a key changes the pointers below it, and these come later in the text.
  const last = fixAll(source, mistakes.slice(half))
  const first = fixAll(last.source, mistakes.slice(0, half))
  return { source: first.source, fixed: [...first.fixed, ...last.fixed] }
}

/** Applies some fixes together; `undefined` if one is impossible or changes more than it should. */
function applyFixes(source: Source, mistakes: readonly FixableMistake[]): Source | undefined {
  const { document } = parseYaml(source)
  const text = document === undefined ? undefined : applyEdits(document, mistakes)
  if (document === undefined || text === undefined) return undefined
  const changed = { ...source, bytes: encodeLike(source, text) }
  const after = parseYaml(changed)
  const expected = mistakes.reduceRight(
    (value, { pointer, fix }) => applyFixEverywhere(document, value, { pointer, fix }),
    document.value,
  )
  const isRight =
    after.diagnostics.length === 0 && JSON.stringify(after.document?.value) === JSON.stringify(expected)
  return isRight ? changed : undefined
}

/** Applies the edits to the text. Overlapping edits are detected later, because the value is then wrong. */
function applyEdits(document: YamlDocument, mistakes: readonly FixableMistake[]): string | undefined {
  const edits = new Map<number, TextEdit>()
  for (const { pointer, fix } of mistakes) {
    const edit = buildEdit(document, pointer, fix)
    if (edit === undefined) return undefined
    edits.set(edit.from, edit)
  }
  return [...edits.values()]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), document.text)
}

/** Computes the expected value of a fix, which changes an anchored value at all of its aliases. */
function applyFixEverywhere(
  document: YamlDocument,
  value: JsonValue,
  { pointer, fix }: Pick<FixableMistake, 'pointer' | 'fix'>,
): JsonValue {
  const [from] = findRange(document, pointer, fix)
  const everywhere = [...document.spans.keys()].filter(other => findRange(document, other, fix)[0] === from)
  return everywhere.reduce((changing, at) => applyFix(changing, at, fix), value)
}

/** Encodes the text, keeping the byte order mark of the source. */
function encodeLike({ bytes }: Source, text: string): Uint8Array {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? '\ufeff' : ''
  return new TextEncoder().encode(mark + text)
}

function buildEdit(document: YamlDocument, pointer: JsonPointer, fix: Fix): TextEdit | undefined {
  const [from, to] = findRange(document, pointer, fix)
  if (to <= from) return undefined
  const before = document.text.slice(from, to)
  const text =
    fix.kind === 'list' ? formatAsList(before) : formatScalar(fix.kind === 'rename' ? fix.to : fix.by, before)
  return { from, to, text }
}

/** Formats a map as the only element of a list: in brackets, or indented behind a dash. */
function formatAsList(map: string): string {
  return map.startsWith('{') ? `[${map}]` : `- ${map.replaceAll(/\n(?=[^\r\n])/g, '\n  ')}`
}

/** Finds the range that a fix replaces; for an alias, the value at its anchor. */
function findRange({ spans }: YamlDocument, pointer: JsonPointer, fix: Fix): Range {
  const { key, value, source = value } = spans.get(pointer) ?? { value: [0, 0] as const }
  return fix.kind === 'rename' ? (key ?? [0, 0]) : source
}

/** Formats a scalar as YAML, with the quotes it had; without quotes only if YAML reads the same text. */
function formatScalar(value: string | number, before: string): string {
  if (typeof value === 'number') return String(value)
  const [quote] = before
  // A block scalar ends with its own line break.
  const end = /^[|>]/.test(before) && before.endsWith('\n') ? '\n' : ''
  if (quote === "'") return `'${value.replaceAll("'", "''")}'`
  return `${quote !== '"' && isPlainText(value) ? value : JSON.stringify(value)}${end}`
}

function isPlainText(text: string): boolean {
  const source = { name: '', bytes: new TextEncoder().encode(`[${text}]`) }
  const { document, diagnostics } = parseYaml(source)
  return diagnostics.length === 0 && JSON.stringify(document?.value) === JSON.stringify([text])
}

/** Computes the value that a fixed text should have. */
function applyFix(root: JsonValue, pointer: JsonPointer, fix: Fix): JsonValue {
  const name = readLastSegment(pointer)
  const fixValue = (value: JsonValue) => (fix.kind === 'replace' ? fix.by : [value])
  return changeAt(root, splitPointer(readParent(pointer)), owner => {
    if (Array.isArray(owner))
      return owner.map((element: JsonValue, index) =>
        String(index) === name && fix.kind !== 'rename' ? fixValue(element) : element,
      )
    if (!isObject(owner)) return owner
    const members = Object.entries(owner).map(([key, value]): readonly [string, JsonValue] => {
      if (key !== name) return [key, value]
      return fix.kind === 'rename' ? [fix.to, value] : [key, fixValue(value)]
    })
    return Object.fromEntries(members)
  })
}

function changeAt(
  value: JsonValue,
  [first, ...rest]: readonly string[],
  change: (owner: JsonValue) => JsonValue,
): JsonValue {
  if (first === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((element: JsonValue, index) =>
      String(index) === first ? changeAt(element, rest, change) : element,
    )
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === first ? changeAt(member, rest, change) : member,
    ]),
  )
}
