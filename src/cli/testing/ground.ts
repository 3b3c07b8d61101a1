import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { quoted } from '../../diagnostics/words.js'
import type { ReadPolicies } from '../../library/policies.js'
import { readBases } from '../../library/read-bases.js'
import { readBeside } from '../../library/read-beside.js'
import { inPlace } from '../../manifest/small-file.js'
import type { Source } from '../../manifest/source.js'
import type { Policy } from '../../policy/policy.js'
import { describeProblem } from '../../report/problem-text.js'
import type { Result } from '../../result.js'
import type { TestFile } from '../../testing/site-test.js'

/** What all tests of a file stand on. */
export interface Ground {
  readonly manifest: Source
  /** What the manifest builds on, nearest first. */
  readonly bases: readonly Source[]
  /** Why not all of that could be read. */
  readonly problem: Diagnostic | undefined
  readonly policies: readonly Policy[]
  /** Every file of it, for those who watch. */
  readonly files: readonly string[]
}

/** Reads the manifest of a file of tests, what it builds on, and the policies that it keeps to. */
export async function groundOf(
  file: TestFile,
  policiesFor: ReadPolicies,
): Promise<Result<Ground, readonly Diagnostic[]>> {
  const refused = (problem: string) => {
    const pointer = file.document.spans.has('/manifest') ? '/manifest' : ''
    const diagnostic = diagnose('test/value', pointer, { problem, suggestion: undefined })
    return { ok: false, error: inPlace(file.document, [diagnostic]) } as const
  }
  const reply = await readBeside(file.source.name, file.manifest)
  if (!reply.ok)
    return refused(
      `the manifest ${quoted(file.manifest)} ${reply.error}; \`manifest\` names it, as seen from this folder`,
    )
  const { value: manifest } = reply
  const { bases, problem } = await readBases(manifest, manifest.name)
  const around = await policiesFor(manifest.name)
  if (!around.ok) return refused(describeProblem(around.error))
  const wrong = around.value.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.error))
  if (wrong.length > 0) return { ok: false, error: wrong }
  const policies = around.value.flatMap(({ loaded }) => (loaded.ok ? loaded.value : []))
  const files = [manifest, ...bases].map(({ name }) => name)
  return {
    ok: true,
    value: { manifest, bases, problem, policies, files: [...files, ...policies.map(one => one.file)] },
  }
}
