import { realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { loadManifest } from '../manifest/load-manifest.js'
import { mend } from '../manifest/mend.js'
import { redactedText } from '../manifest/redacted-text.js'
import type { Source } from '../manifest/source.js'
import type { CheckedFile } from './check-files.js'

/** A file that mends would change. */
export interface FixedFile {
  readonly before: Source
  readonly after: Source
  readonly mended: readonly Diagnostic[]
}

/** A mend may bring another to light; more rounds than this nobody needs. */
const mostRounds = 5

/** A file with all its mends made; `undefined` where there are none. Only its own text changes, never a base. */
export function fixed({ sources, diagnostics }: CheckedFile): FixedFile | undefined {
  const [before, ...bases] = sources
  if (before === undefined) return undefined
  let after = before
  let found = diagnostics
  const mended: Diagnostic[] = []
  for (let round = 0; round < mostRounds; round += 1) {
    const step = mend(after, bases, found)
    if (step.mended.length === 0) break
    mended.push(...step.mended)
    after = step.source
    found = loadManifest(after, bases).diagnostics
  }
  return mended.length === 0 ? undefined : { before, after, mended }
}

/** Writes a fixed file in one step, with the rights it had: whatever happens, one of the two texts is there. */
export function writeFixed(file: string, { after }: FixedFile): void {
  const path = realpathSync(file)
  const beside = `${path}.landform-${process.pid}`
  writeFileSync(beside, after.bytes, { mode: statSync(path).mode, flag: 'wx' })
  renameSync(beside, path)
}

/** What a fix would change, as a unified diff; what may be a secret is blotted out. */
export async function diffOf({ before, after }: FixedFile): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const [old, next] = [redactedText(before) ?? '', redactedText(after) ?? '']
  return createTwoFilesPatch(before.name, after.name, old, next, '', '', {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
}
