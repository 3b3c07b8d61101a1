import { dirname } from 'node:path'
import { buildConfigureParts } from '../../client/wire/configure-parts.js'
import { buildUpdateFields } from '../../client/wire/form-requests.js'
import { operations } from '../../contract/operations.js'
import { findSimilar } from '../../diagnostics/did-you-mean.js'
import { openStateStore } from '../../library/open-state.js'
import { loadWithBases } from '../../library/read-bases.js'
import { statePorts } from '../../library/system-ports.js'
import { findPlaceByPath, suggestField } from '../../manifest/field-path.js'
import type { Manifest } from '../../manifest/manifest.js'
import { mergeSources, renderManifest, renderValue } from '../../manifest/render-manifest.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import { insertName } from '../../manifest/state-location.js'
import { findValueOrigin } from '../../plan/fields/value-origin.js'
import { mergeUpgradeConfig } from '../../plan/observation.js'
import type { ApplyRecord } from '../../plan/situation.js'
import { display, displayJson } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { chooseFindingsExit } from '../../report/findings.js'
import { describeOrigin } from '../../report/value-origin.js'
import type { Result } from '../../result.js'
import { listFieldPointers } from '../../schema/field-schema.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { formatDotted, type JsonPointer } from '../../schema/pointer.js'
import {
  listConfigureReferences,
  listUpdateReferences,
  type NeededReference,
  tokenPointer,
} from '../../secrets/needed-references.js'
import { Secret } from '../../secrets/secret.js'
import { readSource, redactLines } from '../check/read-source.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { commonOptions, manifestArgument, stateOption } from '../command-options.js'
import type { Host } from '../host.js'
import { readState } from '../site/read-site.js'
import { selectState } from '../site/state-option.js'
import { type Failure, fail, jsonText } from '../terminal/output.js'

const declaration = declare({
  name: 'render',
  describe: 'Print a manifest merged with its bases',
  touches: 'nothing',
  arguments: [manifestArgument],
  options: {
    origins: text(
      'PATH',
      'Show the origin of each value, or of the one at PATH: file and line, default, last apply',
      {
        alone: true,
        suggests: 'fields',
      },
    ),
    wire: flag('Print the requests that apply would send, with secrets redacted'),
    format: text('FORMAT', 'Output', { choices: ['yaml', 'json'], default: 'yaml' }),
    ...stateOption,
    ...commonOptions,
  },
  examples: [
    ['render envs/production/site.yaml', 'see the merged manifest'],
    ['render envs/production/site.yaml --origins', 'see which file sets each value'],
    ['render site.yaml --origins spec.profile', 'see the origin of one value, and the values it overrides'],
    ['render site.yaml --wire', 'see the requests to the service'],
  ],
})

type Arguments = ArgumentsOf<typeof declaration>

/** Prints a manifest merged with its bases, the origins of its values, or its requests. Reads no secrets. */
async function render(argv: Arguments, host: Host): Promise<ExitCode> {
  const { file, wire, origins, state, format, color } = argv
  if ((wire && origins !== undefined) || (format === 'json' && (wire || origins !== undefined)))
    throw new UsageError('--wire, --origins and --format json exclude each other')
  if (state !== undefined && origins === undefined)
    throw new UsageError('--state is for --origins, which shows the record that is kept there')
  const reply = await readSource(host, file)
  if (!reply.ok) return fail(host, reply.error, { color })
  const { value: source } = reply
  const { sources, loaded } = await loadWithBases(source, file)
  // An invalid manifest is not printed, because it may contain a secret in the wrong place.
  if (!loaded.ok) {
    const { diagnostics } = loaded
    const message = `the manifest ${source.name} is not valid`
    const failure = { exitCode: exitCodes[chooseFindingsExit(diagnostics, 'error')], message, diagnostics }
    return fail(host, failure, { color, readLines: redactLines(sources) })
  }
  const whole = mergeSources(sources)
  if (wire) host.stdout.print(formatRequests(loaded.value))
  else if (format === 'json') host.stdout.write(jsonText(renderValue(whole)))
  else if (origins === undefined) host.stdout.write(displayJson(renderManifest(whole)))
  else {
    const part = origins === '' ? '' : pointerIn(whole.value, origins)
    const record = await readRecord(loaded.value, argv, host)
    if (!record.ok) return fail(host, record.error, { color })
    const describe = (pointer: JsonPointer) => describeOrigin(findValueOrigin(pointer, whole, record.value))
    host.stdout.write(displayJson(renderManifest(whole, { part, describe })))
  }
  return exitCodes.done
}

function pointerIn(manifest: JsonValue, path: string): JsonPointer {
  const pointer = findPlaceByPath(path, manifest)
  if (pointer !== undefined) return pointer
  const meant = suggestField(path) ?? findSimilar(path, listFieldPointers().map(formatDotted))
  const remedy = meant === undefined ? 'name one such as spec.profile' : `did you mean ${meant}?`
  throw new UsageError(`a manifest has no field ${JSON.stringify(path)}; ${remedy}`)
}

/** Reads the record of the last apply. Uses the network only if the caller names the state. */
async function readRecord(
  manifest: Manifest,
  { file, state, quiet }: Arguments,
  host: Host,
): Promise<Result<ApplyRecord, Failure>> {
  const url = normalizeSiteUrl(manifest.site.url)
  const { name } = manifest
  const offline = state === undefined
  const select = selectState({ state, emulate: false, offline, needsState: false }, host)
  const place = await select({ url, folder: file === '-' ? '.' : dirname(file), manifest })
  if (!place.ok) return place
  const { backend, location, open } = place.value
  if (offline && manifest.state !== undefined && location === undefined && !quiet) {
    const declared = display(insertName(manifest.state, name))
    host.stderr.print(
      `note: the record of the last apply is in ${declared}, which was not read: add --state ${declared}\n`,
    )
  }
  const kept = await readState({
    state: openStateStore(backend, { url, name }, { ports: statePorts(host.clock), open }),
  })
  return kept.ok ? { ok: true, value: kept.value.record } : kept
}

/** Formats the requests of a first apply, one part per line. Reads no secret: its source is shown instead. */
function formatRequests({ organization, policy, site }: Manifest): string {
  const wanted = [...listConfigureReferences(organization), ...listUpdateReferences(site.token)]
  const redact = (pointer: JsonPointer) =>
    new Secret(Buffer.from(describeSecret(wanted.find(one => one.pointer === pointer))))
  const signedIn = site.signIn && new Secret(Buffer.from('[token of the token service]'))
  const token = site.token === undefined ? signedIn : redact(tokenPointer)
  const format = (
    { method, path }: { readonly method: string; readonly path: string },
    contentType: string,
    parts: readonly { readonly name: string; readonly value: Buffer }[],
  ) => {
    const lines = parts.map(
      ({ name, value }) => `${display(name)}: ${display(value.toString(), Number.POSITIVE_INFINITY)}\n`,
    )
    return `${method} ${display(normalizeSiteUrl(site.url) + path)}\nContent-Type: ${contentType}\n\n${lines.join('')}`
  }
  const configure = buildConfigureParts(organization, redact)
  const requests = [format(operations.configure, 'multipart/form-data', configure)]
  if (policy !== undefined) {
    const update = buildUpdateFields({ upgradeConfig: mergeUpgradeConfig(policy, {}) }, token)
    requests.push(format(operations.update, 'application/x-www-form-urlencoded; charset=UTF-8', update))
  }
  return requests.join('\n')
}

function describeSecret(wanted: NeededReference | undefined): string {
  if (wanted === undefined) return '[secret]'
  if (wanted.kind === 'file') return `[the file ${wanted.path}]`
  return 'env' in wanted.reference
    ? `[secret from ${wanted.reference.env}]`
    : `[secret from the file ${wanted.reference.file}]`
}

export const command = pair(declaration, render)
