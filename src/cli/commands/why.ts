import { formatDotted, type JsonPointer } from '../../diagnostics/pointer.js'
import { findSimilar } from '../../manifest/did-you-mean.js'
import { findPlaceByPath, suggestField } from '../../manifest/field-path.js'
import { mergeSources } from '../../manifest/render-manifest.js'
import { computeDrift } from '../../plan/drift/drift.js'
import { explainOrigin, type LiveReading } from '../../plan/drift/why.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatWhy, whyDocument } from '../../report/why.js'
import type { Result } from '../../result.js'
import { listFieldPointers } from '../../schema/field-schema.js'
import type { JsonValue } from '../../schema/json-schema.js'
import type { ArgumentsOf } from '../command.js'
import type { why as declaration } from '../declarations/manifests.js'
import type { Host } from '../host.js'
import { withSession } from '../site/open-session.js'
import { collectSituation, readState } from '../site/read-site.js'
import type { SiteSession } from '../site/session.js'
import { emit, type Failure, jsonText, paintFor } from '../terminal/output.js'

/** Shows where one value of a manifest comes from. Reads the site only if asked to, with GET. */
export function why(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  // The network is used only for more than the files.
  const offline = !argv.live && !argv.emulate && argv.state === undefined
  return withSession({ ...argv, offline, needsState: false }, host, async ({ session, targets, refuse }) => {
    const effective = mergeSources(session.sources)
    const pointer = pointerIn(effective.value, argv.path)
    const kept = await readState(session)
    if (!kept.ok) return refuse(kept.error)
    const live = argv.live ? await readFields(session, host) : undefined
    if (live?.ok === false) return refuse(live.error)
    const found = explainOrigin(pointer, { effective, record: kept.value.record, site: live?.value })
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json'
        ? jsonText(whyDocument(found))
        : formatWhy(found, paintFor('stdout', toFile ? 'never' : argv.color)),
    )
    return written ? exitCodes.done : exitCodes.state
  })
}

async function readFields(session: SiteSession, host: Host): Promise<Result<LiveReading, Failure>> {
  const collected = await collectSituation(session, host)
  if (!collected.ok) return collected
  const compared = computeDrift(collected.value)
  const fields = compared.ok ? compared.value.fields : []
  return { ok: true, value: { state: collected.value.observed.kind, fields } }
}

function pointerIn(manifest: JsonValue, path: string): JsonPointer {
  const pointer = findPlaceByPath(path, manifest)
  if (pointer !== undefined) return pointer
  const meant = suggestField(path) ?? findSimilar(path, listFieldPointers().map(formatDotted))
  const remedy = meant === undefined ? 'name one such as spec.profile' : `did you mean ${meant}?`
  throw new UsageError(`a manifest has no field ${JSON.stringify(path)}; ${remedy}`)
}
