import { dotted, type JsonPointer } from '../../diagnostics/pointer.js'
import { defaultLifetimeMs } from '../../library/situation.js'
import { didYouMean } from '../../manifest/did-you-mean.js'
import { fieldMeantBy, placeAt } from '../../manifest/field-path.js'
import { effectiveManifest } from '../../manifest/render-manifest.js'
import { driftOf } from '../../plan/drift/drift.js'
import { type Look, whyOf } from '../../plan/drift/why.js'
import { whyDocument } from '../../report/drift/why-json.js'
import { formatWhy } from '../../report/drift/why-text.js'
import type { Result } from '../../result.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { fieldPointers } from '../../schema/manifest-schema.js'
import type { ArgumentsOf } from '../command.js'
import type { why as declaration } from '../declarations/manifests.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { withSession } from '../site/open-session.js'
import { gather, readState } from '../site/read-site.js'
import type { Session } from '../site/session.js'
import { emit, type Failure, jsonText, paintFor } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'

/** Shows where one value of a manifest comes from. Reads the site only if asked to, with GET. */
export function why(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  // The network is used only for more than the files.
  const offline = !argv.live && !argv.emulate && argv.state === undefined
  return withSession({ ...argv, offline, needsState: false }, host, async ({ session, targets, refuse }) => {
    const effective = effectiveManifest(session.sources)
    const pointer = pointerIn(effective.value, argv.path)
    const kept = await readState(session)
    if (!kept.ok) return refuse(kept.error)
    const live = argv.live ? await look(session, host) : undefined
    if (live?.ok === false) return refuse(live.error)
    const found = whyOf(pointer, { effective, record: kept.value.record, site: live?.value })
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json'
        ? jsonText(whyDocument(found))
        : formatWhy(found, paintFor('stdout', toFile ? 'never' : argv.color)),
    )
    return written ? exitCodes.done : exitCodes.state
  })
}

type Looked = Result<Look, Failure>

async function look(session: Session, host: Host): Promise<Looked> {
  const { signal } = new AbortController()
  const collected = await gather(session, host, { ignored: [], lifetimeMs: defaultLifetimeMs, signal })
  if (!collected.ok) return collected
  const compared = driftOf(collected.value)
  const fields = compared.ok ? compared.value.fields : []
  return { ok: true, value: { state: collected.value.observed.kind, fields } }
}

function pointerIn(manifest: JsonValue, path: string): JsonPointer {
  const pointer = placeAt(path, manifest)
  if (pointer !== undefined) return pointer
  const meant = fieldMeantBy(path) ?? didYouMean(path, fieldPointers().map(dotted))
  const remedy = meant === undefined ? 'name one such as spec.profile' : `did you mean ${meant}?`
  throw new UsageError(`a manifest has no field ${JSON.stringify(path)}; ${remedy}`)
}
