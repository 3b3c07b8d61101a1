import { catalog, type Diagnostic, type DiagnosticCode, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import type { Place } from '../diagnostics/place.js'
import type { YamlDocument } from './yaml-document.js'

/** The beginning of a comment that silences warnings on the next line. */
const ignoreMark = 'landform-ignore-next-line'

/** A comment that silences warnings. */
interface IgnoreComment {
  readonly place: Place
  /** The next line with content. */
  readonly line: number
  readonly code: string
}

/**
 * Removes the warnings that comments silence. Reports comments without a code or a reason, and comments of the manifest
 * itself that match nothing. Never removes errors: a manifest with an error cannot be applied.
 */
export function applyIgnores(
  documents: readonly YamlDocument[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const found = documents.map(readIgnores)
  const ignores = found.flatMap(({ ignores }) => ignores)
  const silences = (ignore: IgnoreComment, { code, severity, place }: Diagnostic) =>
    severity !== 'error' &&
    code === ignore.code &&
    place?.file === ignore.place.file &&
    place.start.line === ignore.line
  const kept = diagnostics.filter(one => !ignores.some(ignore => silences(ignore, one)))
  // A comment in a base may be for another manifest that extends it.
  const unused = (found[0]?.ignores ?? [])
    .filter(ignore => !diagnostics.some(one => silences(ignore, one)))
    .map(({ code, place }) => ({ ...diagnose('ignore/unused', '', { code }), place }))
  return [...kept, ...found.flatMap(({ problems }) => problems), ...unused]
}

interface FoundIgnores {
  readonly ignores: readonly IgnoreComment[]
  readonly problems: readonly Diagnostic[]
}

function readIgnores(document: YamlDocument): FoundIgnores {
  const ignores: IgnoreComment[] = []
  const problems: Diagnostic[] = []
  for (const { comment, place } of findIgnoreComments(document)) {
    const [names = '', reason] = comment.slice(ignoreMark.length).split(/\s--(?:\s|$)/)
    const codes = names.split(/[\s,:]+/).filter(Boolean)
    const problem = findIgnoreProblem(codes, reason)
    if (problem !== undefined) problems.push({ ...diagnose('ignore/malformed', '', problem), place })
    else
      ignores.push(
        ...codes.map(code => ({ code, place, line: findNextLine(document.text, place.start.line) })),
      )
  }
  return { ignores, problems }
}

function findIgnoreProblem(codes: readonly string[], reason: string | undefined) {
  if (codes.length === 0) return { problem: 'names no code', meant: undefined }
  const unknown = codes.find(code => !Object.hasOwn(catalog, code))
  if (unknown !== undefined)
    return { problem: 'names a code that does not exist', meant: findSimilar(unknown, Object.keys(catalog)) }
  const error = codes.find(code => catalog[code as DiagnosticCode].severity === 'error')
  if (error !== undefined)
    return { problem: 'names an error, but only warnings can be ignored', meant: undefined }
  return reason === undefined || reason.trim() === ''
    ? { problem: 'gives no reason', meant: undefined }
    : undefined
}

/** Finds comment lines with the ignore mark, except inside block or quoted text. */
function* findIgnoreComments({ text, spans, range }: YamlDocument) {
  if (!text.includes(ignoreMark)) return
  const texts = [...spans.values()]
    .map(({ value }) => value)
    .filter(([from]) => /[|>"']/.test(text[from] ?? ''))
  for (const { 0: line, 1: indent = '', 2: comment = '', index } of text.matchAll(marked)) {
    const from = index + indent.length
    if (texts.some(([start, end]) => start < from && from < end)) continue
    yield { comment, place: range(from, index + line.length) }
  }
}

const marked = /^([ \t]*)#[ \t]*(landform-ignore-next-line\b.*?)[ \t\r]*$/gm

/** The first line with content after a line. */
function findNextLine(text: string, line: number): number {
  const next = text
    .split('\n')
    .slice(line)
    .findIndex(one => !/^\s*(?:#|$)/.test(one))
  return line + 1 + Math.max(next, 0)
}
