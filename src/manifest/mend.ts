import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Fix } from '../diagnostics/fix.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import { effectiveOf } from './effective.js'
import type { Source } from './source.js'
import { withFix } from './with-fix.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** A replacement of a range of offsets. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

export interface Mended {
  readonly source: Source
  /** The diagnostics that were fixed, in the order of the text. */
  readonly mended: readonly Diagnostic[]
}

/**
 * Applies every fix of the diagnostics to a file. Only the affected ranges change, all other bytes stay the same;
 * a fix is applied only if the value read afterwards differs exactly where it should.
 */
export function mend(source: Source, bases: readonly Source[], diagnostics: readonly Diagnostic[]): Mended {
  const [document, ...others] = [source, ...bases].flatMap(one => parseYaml(one).document ?? [])
  if (document === undefined) return { source, mended: [] }
  const effective = effectiveOf([document, ...others])
  const own = diagnostics.flatMap(diagnostic => {
    const { document: origin, pointer } = effective.originOf(diagnostic.pointer)
    const { fix } = diagnostic
    return fix === undefined || origin !== document ? [] : [{ diagnostic, pointer, fix }]
  })
  return mendAll(source, own)
}

/** A diagnostic to fix, with its pointer in the file itself. */
interface Mistake {
  readonly diagnostic: Diagnostic
  readonly pointer: JsonPointer
  readonly fix: Fix
}

/** Applies all fixes at once, because parsing again is slow; if the result is wrong, tries the two halves separately. */
function mendAll(source: Source, mistakes: readonly Mistake[]): Mended {
  const changed = mistakes.length === 0 ? undefined : changedBy(source, mistakes)
  if (changed !== undefined) return { source: changed, mended: mistakes.map(({ diagnostic }) => diagnostic) }
  if (mistakes.length < 2) return { source, mended: [] }
  const half = Math.floor(mistakes.length / 2)
  // From the end, so that everything around a mistake keeps its old name until then.
  const last = mendAll(source, mistakes.slice(half))
  const first = mendAll(last.source, mistakes.slice(0, half))
  return { source: first.source, mended: [...first.mended, ...last.mended] }
}

/** Applies some fixes together; `undefined` if one is impossible or changes more than it should. */
function changedBy(source: Source, mistakes: readonly Mistake[]): Source | undefined {
  const { document } = parseYaml(source)
  const text = document === undefined ? undefined : editedText(document, mistakes)
  if (document === undefined || text === undefined) return undefined
  const changed = { ...source, bytes: bytesLike(source, text) }
  const after = parseYaml(changed)
  const expected = mistakes.reduceRight(
    (value, { pointer, fix }) => withFixEverywhere(document, value, { pointer, fix }),
    document.value,
  )
  const isRight =
    after.diagnostics.length === 0 && JSON.stringify(after.document?.value) === JSON.stringify(expected)
  return isRight ? changed : undefined
}

/** Applies the edits to the text. Overlapping edits are detected later, because the value is then wrong. */
function editedText(document: YamlDocument, mistakes: readonly Mistake[]): string | undefined {
  const edits = new Map<number, Edit>()
  for (const { pointer, fix } of mistakes) {
    const edit = editOf(document, pointer, fix)
    if (edit === undefined) return undefined
    edits.set(edit.from, edit)
  }
  return [...edits.values()]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), document.text)
}

/** Computes the expected value of a fix, which changes an anchored value at all of its aliases. */
function withFixEverywhere(
  document: YamlDocument,
  value: JsonValue,
  { pointer, fix }: Pick<Mistake, 'pointer' | 'fix'>,
): JsonValue {
  const [from] = rangeOf(document, pointer, fix)
  const everywhere = [...document.spans.keys()].filter(other => rangeOf(document, other, fix)[0] === from)
  return everywhere.reduce((changing, at) => withFix(changing, at, fix), value)
}

/** Encodes the text, keeping the byte order mark of the source. */
function bytesLike({ bytes }: Source, text: string): Uint8Array {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? '\ufeff' : ''
  return new TextEncoder().encode(mark + text)
}

function editOf(document: YamlDocument, pointer: JsonPointer, fix: Fix): Edit | undefined {
  const [from, to] = rangeOf(document, pointer, fix)
  const text = scalarText(fix.kind === 'rename' ? fix.to : fix.by, document.text.slice(from, to))
  return to > from ? { from, to, text } : undefined
}

/** Finds the range that a fix replaces; for an alias, the value at its anchor. */
function rangeOf({ spans }: YamlDocument, pointer: JsonPointer, fix: Fix): readonly [number, number] {
  const span = spans.get(pointer)
  return (fix.kind === 'replace' ? (span?.source ?? span?.value) : span?.key) ?? [0, 0]
}

/** Formats a scalar as YAML, with the quotes it had; without quotes only if YAML reads the same text. */
function scalarText(value: string | number, before: string): string {
  if (typeof value === 'number') return String(value)
  const [quote] = before
  if (quote === "'") return `'${value.replaceAll("'", "''")}'`
  return quote !== '"' && isPlain(value) ? value : JSON.stringify(value)
}

function isPlain(text: string): boolean {
  const source = { name: '', bytes: new TextEncoder().encode(`[${text}]`) }
  const { document, diagnostics } = parseYaml(source)
  return diagnostics.length === 0 && JSON.stringify(document?.value) === JSON.stringify([text])
}
