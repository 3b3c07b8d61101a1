import { type Failure, type Member, worstExitCode } from 'landform/cli'
import type { ReadLines } from 'landform/report'
import type { OrderedSite } from './open-ordered-site.js'

/** Combines all errors in the manifests of a submission into one failure; `undefined` if all may be submitted. */
export function combineManifestFailures(
  members: readonly Member<OrderedSite>[],
): { readonly failure: Failure; readonly readLines: ReadLines } | undefined {
  const refused = members.flatMap(({ opened }) => (opened.ok ? [] : [opened.error]))
  if (refused.length === 0) return undefined
  // A failure without diagnostics has its own message.
  const sentences = refused.flatMap(({ failure }) => (failure.diagnostics?.length ? [] : [failure.message]))
  const count = `${refused.length} of ${members.length} manifests cannot be submitted; nothing was submitted`
  return {
    failure: {
      exitCode: worstExitCode(refused.map(({ failure }) => failure.exitCode)),
      message: [...sentences, count].join('; '),
      diagnostics: refused.flatMap(({ failure }) => failure.diagnostics ?? []),
    },
    readLines: file => refused.map(({ readLines }) => readLines?.(file)).find(lines => lines !== undefined),
  }
}
