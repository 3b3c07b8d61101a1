import { buildConfigureParts } from '../../client/wire/configure-parts.js'
import { buildUpdateFields } from '../../client/wire/form-requests.js'
import { operations } from '../../contract/operations.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { loadWithBases } from '../../library/read-bases.js'
import type { Manifest } from '../../manifest/manifest.js'
import { renderManifest, renderValue } from '../../manifest/render-manifest.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import { mergeUpgradeConfig } from '../../plan/observation.js'
import { display, displayJson } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { exitCodeOfFindings } from '../../report/exit-code-of.js'
import {
  listConfigureReferences,
  listUpdateReferences,
  type NeededReference,
  tokenPointer,
} from '../../secrets/needed-references.js'
import { Secret } from '../../secrets/secret.js'
import { readSource, redactLines } from '../check/read-source.js'
import type { ArgumentsOf } from '../command.js'
import type { render as declaration } from '../declarations/manifests.js'
import type { Host } from '../host.js'
import { fail, jsonText } from '../terminal/output.js'

/** Prints a manifest merged with its bases, or its requests. Reads no secret. */
export async function render(
  { file, wire, origins, format, color }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  if ((wire && origins) || (format === 'json' && (wire || origins)))
    throw new UsageError('--wire, --origins and --format json exclude each other')
  const reply = await readSource(host, file)
  if (!reply.ok) return fail(host, reply.error, { color })
  const { value: source } = reply
  const { sources, loaded } = await loadWithBases(source, file)
  // Only a valid manifest is printed: an invalid one may hold a secret in the wrong place.
  if (!loaded.ok) {
    const { diagnostics } = loaded
    const message = `the manifest ${source.name} is not valid`
    const failure = { exitCode: exitCodeOfFindings(diagnostics, 'error'), message, diagnostics }
    return fail(host, failure, { color, readLines: redactLines(sources) })
  }
  if (wire) host.stdout.print(formatRequests(buildRequests(loaded.value)))
  else if (format === 'json') host.stdout.write(jsonText(renderValue(sources)))
  else host.stdout.write(displayJson(renderManifest(sources, origins)))
  return exitCodes.done
}

/** A request in readable form. */
interface ShownRequest {
  readonly method: string
  readonly url: string
  readonly contentType: string
  /** The parts or fields in their order; secrets and files are replaced by a description of their source. */
  readonly parts: readonly { readonly name: string; readonly value: string }[]
}

/** Builds the requests of a first apply without reading a secret. */
function buildRequests({ organization, policy, site }: Manifest): readonly ShownRequest[] {
  const base = normalizeSiteUrl(site.url)
  const wanted = [...listConfigureReferences(organization), ...listUpdateReferences(site.token)]
  const redact = (pointer: JsonPointer) =>
    new Secret(Buffer.from(describeSecret(wanted.find(one => one.pointer === pointer))))
  const formatParts = (parts: readonly { readonly name: string; readonly value: Buffer }[]) =>
    parts.map(({ name, value }) => ({ name, value: value.toString() }))
  const token = site.token === undefined ? signInToken(site) : redact(tokenPointer)
  return [
    {
      method: operations.configure.method,
      url: base + operations.configure.path,
      contentType: 'multipart/form-data',
      parts: formatParts(buildConfigureParts(organization, redact)),
    },
    ...(policy === undefined
      ? []
      : [
          {
            method: operations.update.method,
            url: base + operations.update.path,
            contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
            parts: formatParts(buildUpdateFields({ upgradeConfig: mergeUpgradeConfig(policy, {}) }, token)),
          },
        ]),
  ]
}

/** A placeholder for a token that only signing in would obtain. */
function signInToken({ signIn }: Manifest['site']): Secret | undefined {
  return signIn && new Secret(Buffer.from('[token of the token service]'))
}

function describeSecret(wanted: NeededReference | undefined): string {
  if (wanted === undefined) return '[secret]'
  if (wanted.kind === 'file') return `[the file ${wanted.path}]`
  return 'env' in wanted.reference
    ? `[secret from ${wanted.reference.env}]`
    : `[secret from the file ${wanted.reference.file}]`
}

/** Formats requests as they would be sent, one part a line. */
function formatRequests(requests: readonly ShownRequest[]): string {
  const shown = requests.map(({ method, url, contentType, parts }) =>
    [
      `${method} ${display(url)}`,
      `Content-Type: ${contentType}`,
      '',
      ...parts.map(({ name, value }) => `${display(name)}: ${display(value, Number.POSITIVE_INFINITY)}`),
      '',
    ].join('\n'),
  )
  return shown.join('\n')
}
