import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { StructuredPatchHunk } from 'diff'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { fixManifest } from '../../manifest/fix-manifest.js'
import { loadManifest } from '../../manifest/load-manifest.js'
import { redactText } from '../../manifest/redacted-text.js'
import { decodeText, type Source } from '../../manifest/source.js'
import { display } from '../../report/display.js'
import { writeWhole } from '../terminal/write-file.js'
import type { Checked } from './shared-sites.js'

/** A file that fixes would change. */
export interface FixedFile {
  readonly before: Source
  readonly after: Source
  readonly fixes: readonly Diagnostic[]
}

/** A fix may reveal another problem; more rounds than this are never needed. */
const maxRounds = 5

/** Applies all fixes of a file, never of its bases; `undefined` if there are none. */
export function applyFixes({
  sources,
  diagnostics,
}: Pick<Checked, 'sources' | 'diagnostics'>): FixedFile | undefined {
  const [before, ...bases] = sources
  if (before === undefined) return undefined
  let after = before
  let found = diagnostics
  const fixes: Diagnostic[] = []
  for (let round = 0; round < maxRounds; round += 1) {
    const step = fixManifest(after, bases, found)
    if (step.fixed.length === 0) break
    fixes.push(...step.fixed)
    after = step.source
    found = loadManifest(after, bases).diagnostics
  }
  return fixes.length === 0 ? undefined : { before, after, fixes }
}

/** Writes a fixed file if it is a regular one, unlike a pipe. Returns whether it did. */
export function writeFixed(file: string, { after }: FixedFile): boolean {
  const isFile = statSync(file).isFile()
  if (isFile) writeWhole(file, { content: after.bytes })
  return isFile
}

/**
 * Formats the changes of a fix as a patch for `git apply`, in which possible secrets are redacted. It does not fit its
 * file if a changed line is redacted or escaped.
 */
export async function formatPatch({ before, after }: FixedFile) {
  const { formatPatch: formatHunks, structuredPatch } = await import('diff')
  const [old, next] = [redactText(before) ?? '', redactText(after) ?? '']
  const here = relative('', before.name)
  // A file outside the working folder gets its absolute path.
  const name = here.startsWith('..') ? resolve(before.name).slice(1) : here
  const patch = structuredPatch(`a/${name}`, `b/${name}`, old, next, '', '', { context: 3 })
  const hidden = listHiddenLines(decodeText(before) ?? '', old)
  const hunks = patch.hunks.flatMap(hunk => splitHunk(hunk, hidden))
  const headers = { includeIndex: false, includeUnderline: false, includeFileHeaders: true }
  const lines = formatHunks({ ...patch, hunks }, headers).split('\n')
  const escaped = lines.map(escapePatchLine)
  const changesHidden = hunks.some(hunk => {
    const oldLines = hunk.lines.filter(line => !line.startsWith('+'))
    return oldLines.some((_, at) => hidden.has(hunk.oldStart + at))
  })
  return {
    text: escaped.join('\n'),
    fits: !changesHidden && escaped.every((line, at) => line === lines[at]),
  }
}

/** Lists the numbers of the redacted lines. */
function listHiddenLines(text: string, redacted: string): ReadonlySet<number> {
  const shown = redacted.split('\n')
  const lines = text.split('\n')
  return new Set(lines.flatMap((line, index) => (line === shown[index] ? [] : [index + 1])))
}

/** Splits a hunk at its redacted lines, which would not match the file; keeps only parts with a change. */
function splitHunk(hunk: StructuredPatchHunk, hidden: ReadonlySet<number>): readonly StructuredPatchHunk[] {
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart]
  const parts: StructuredPatchHunk[] = []
  const begin = () =>
    parts.push({ oldStart: oldLine, oldLines: 0, newStart: newLine, newLines: 0, lines: [] })
  begin()
  for (const line of hunk.lines) {
    const [sign] = line
    const isHidden = sign === ' ' && hidden.has(oldLine)
    const part = parts.at(-1)
    if (sign === ' ' || sign === '-') oldLine += 1
    if (sign === ' ' || sign === '+') newLine += 1
    if (isHidden) begin()
    else if (part !== undefined) {
      part.lines.push(line)
      part.oldLines += sign === ' ' || sign === '-' ? 1 : 0
      part.newLines += sign === ' ' || sign === '+' ? 1 : 0
    }
  }
  return parts.filter(({ lines }) => lines.some(line => /^[-+]/.test(line)))
}

/** Escapes a line of a patch, except tabs and CRLF. GitHub obeys a line that begins with two colons, even after blanks. */
function escapePatchLine(line: string): string {
  const [, text = '', end = ''] = /^(.*?)(\r?)$/s.exec(line) ?? []
  const pieces = text.split('\t').map(piece => display(piece))
  return `${pieces.join('\t').replace(/^(\s+):(?=:)/, '$1\\x3a')}${end}`
}
