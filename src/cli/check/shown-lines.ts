import { redactedText } from '../../manifest/redacted-text.js'
import { skeletonText } from '../../manifest/skeleton-text.js'
import type { Source } from '../../manifest/source.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'

/** The lines of these files that may be shown: without their secrets, and made ready once a file. */
export function shownLines(sources: readonly Source[]): LinesOf {
  const ready = new Map<string, readonly string[] | undefined>()
  return file => {
    const source = sources.find(({ name }) => name === file)
    if (source !== undefined && !ready.has(file))
      ready.set(file, (redactedText(source) ?? skeletonText(source))?.split(/\r?\n/))
    return ready.get(file)
  }
}
