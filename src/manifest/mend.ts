import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Fix } from '../diagnostics/fix.js'
import { type JsonPointer, nameOf, parentOf, segments } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { effectiveOf } from './effective.js'
import { removal } from './removal.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** A piece of text in place of a range of offsets. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

export interface Mended {
  readonly source: Source
  /** What was mended, in the order of the text. */
  readonly mended: readonly Diagnostic[]
}

/**
 * A file with every mend made that its diagnostics carry. Only the ranges they name change, all other bytes stay;
 * and a mend is made only if the value read afterwards differs just where it should.
 */
export function mend(source: Source, bases: readonly Source[], diagnostics: readonly Diagnostic[]): Mended {
  const [document, ...others] = [source, ...bases].flatMap(one => parseYaml(one).document ?? [])
  if (document === undefined) return { source, mended: [] }
  const effective = effectiveOf([document, ...others])
  const own = diagnostics.filter(
    ({ fix, pointer }) => fix !== undefined && effective.originOf(pointer).document === document,
  )
  // From the end, so that the offsets before stay what they were.
  return own.reduceRight<Mended>(
    (sofar, diagnostic) => {
      const { pointer } = effective.originOf(diagnostic.pointer)
      const next = mendOne(sofar.source, { ...diagnostic, pointer })
      return next === undefined ? sofar : { source: next, mended: [diagnostic, ...sofar.mended] }
    },
    { source, mended: [] },
  )
}

function mendOne(source: Source, { pointer, fix }: Diagnostic): Source | undefined {
  const { document } = parseYaml(source)
  if (document === undefined || fix === undefined) return undefined
  const edit = editOf(document, pointer, fix)
  if (edit === undefined) return undefined
  const { text, value, spans } = document
  const changed = {
    ...source,
    bytes: bytesLike(source, text.slice(0, edit.from) + edit.text + text.slice(edit.to)),
  }
  const after = parseYaml(changed)
  // What an anchor stands for changes wherever its aliases are.
  const [from] = rangeOf(document, pointer, fix)
  const everywhere = [...spans.keys()].filter(other => rangeOf(document, other, fix)[0] === from)
  const expected = everywhere.reduce((changing, at) => withFix(changing, at, fix), value)
  const isRight =
    after.diagnostics.length === 0 && JSON.stringify(after.document?.value) === JSON.stringify(expected)
  return isRight ? changed : undefined
}

/** The byte order mark, which is no part of the text, stays. */
function bytesLike({ bytes }: Source, text: string): Uint8Array {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? '\ufeff' : ''
  return new TextEncoder().encode(mark + text)
}

function editOf(document: YamlDocument, pointer: JsonPointer, fix: Fix): Edit | undefined {
  if (fix.kind === 'remove') return removal(document, pointer)
  const [from, to] = rangeOf(document, pointer, fix)
  const text = scalarText(fix.kind === 'rename' ? fix.to : fix.by, document.text.slice(from, to))
  return to > from ? { from, to, text } : undefined
}

/** What of a field is written anew; for a value that is an alias, what stands at its anchor. */
function rangeOf({ spans }: YamlDocument, pointer: JsonPointer, fix: Fix): readonly [number, number] {
  const span = spans.get(pointer)
  return (fix.kind === 'replace' ? (span?.source ?? span?.value) : span?.key) ?? [0, 0]
}

/** A scalar as YAML, in the quotes it had before; without any only where YAML reads the very text. */
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

/** The value that a mended text should have. */
function withFix(root: JsonValue, pointer: JsonPointer, fix: Fix): JsonValue {
  const name = nameOf(pointer)
  return changedAt(root, segments(parentOf(pointer)), owner => {
    if (Array.isArray(owner))
      return owner.map((element: JsonValue, index) =>
        fix.kind === 'replace' && String(index) === name ? fix.by : element,
      )
    if (!isObject(owner)) return owner
    const members = Object.entries(owner).flatMap(([key, value]): [string, JsonValue][] => {
      if (key !== name) return [[key, value]]
      if (fix.kind === 'remove') return []
      return [fix.kind === 'rename' ? [fix.to, value] : [key, fix.by]]
    })
    return Object.fromEntries(members)
  })
}

function changedAt(
  value: JsonValue,
  [first, ...rest]: readonly string[],
  change: (owner: JsonValue) => JsonValue,
): JsonValue {
  if (first === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((element: JsonValue, index) =>
      String(index) === first ? changedAt(element, rest, change) : element,
    )
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === first ? changedAt(member, rest, change) : member,
    ]),
  )
}
