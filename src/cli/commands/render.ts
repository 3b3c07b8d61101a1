import { configureParts } from '../../client/wire/configure-parts.js'
import { updateFields } from '../../client/wire/update-fields.js'
import { operations } from '../../contract/operations.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { loadWithBases } from '../../library/load-with-bases.js'
import type { Manifest } from '../../manifest/manifest.js'
import { renderedValue, renderManifest } from '../../manifest/render-manifest.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import { mergedUpgradeConfig } from '../../plan/fields/live.js'
import { noSettings } from '../../plan/observation.js'
import { displayJson } from '../../report/display.js'
import { formatRequests, type ShownRequest } from '../../report/wire-text.js'
import { Secret } from '../../secrets/secret.js'
import { tokenPointer, type Wanted, wantedByConfigure, wantedByUpdate } from '../../secrets/wanted.js'
import { readSource, shownLines } from '../check/read-source.js'
import type { ArgumentsOf } from '../command.js'
import type { render as declaration } from '../declarations/manifests.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import { exitCodeOfFindings } from '../exit-code-of.js'
import type { Host } from '../host.js'
import { fail, jsonText } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'

/** Prints what a manifest and what it builds on make together, or the requests it becomes. Reads no secret. */
export async function render(
  { file, wire, origins, format, color }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  if ((wire && origins) || (format === 'json' && (wire || origins)))
    throw new UsageError('--wire, --origins and --format json exclude each other')
  const context = { targets: [], color, linesOf: () => undefined }
  const reply = await readSource(host, file)
  if (!reply.ok) return fail(host, reply.error, context)
  const { value: source } = reply
  const { sources, loaded } = await loadWithBases(source, file)
  // Only a valid manifest is printed: an invalid one may hold a secret in the wrong place.
  if (!loaded.ok) {
    const { diagnostics } = loaded
    const message = `the manifest ${source.name} is not valid`
    const failure = { exitCode: exitCodeOfFindings(diagnostics, 'error'), message, diagnostics }
    return fail(host, failure, { ...context, linesOf: shownLines(sources) })
  }
  if (wire) host.stdout.write(formatRequests(shownRequests(loaded.value)))
  else if (format === 'json') host.stdout.write(jsonText(renderedValue(sources)))
  else host.stdout.write(displayJson(renderManifest(sources, origins)))
  return exitCodes.done
}

/** The requests that apply would send for a manifest to a site that has nothing yet; no secret is read for it. */
function shownRequests({ organization, policy, site }: Manifest): readonly ShownRequest[] {
  const base = normalizedSiteUrl(site.url)
  const wanted = [...wantedByConfigure(organization), ...wantedByUpdate(site.token)]
  const redact = (pointer: JsonPointer) =>
    new Secret(Buffer.from(wordsFor(wanted.find(one => one.pointer === pointer))))
  const formatParts = (parts: readonly { readonly name: string; readonly value: Buffer }[]) =>
    parts.map(({ name, value }) => ({ name, value: value.toString() }))
  const token = site.token === undefined ? signedIn(site) : redact(tokenPointer)
  return [
    {
      method: operations.configure.method,
      url: base + operations.configure.path,
      contentType: 'multipart/form-data',
      parts: formatParts(configureParts(organization, redact)),
    },
    ...(policy === undefined
      ? []
      : [
          {
            method: operations.update.method,
            url: base + operations.update.path,
            contentType: 'application/x-www-form-urlencoded',
            parts: formatParts(updateFields(mergedUpgradeConfig(policy, noSettings('not-asked')), token)),
          },
        ]),
  ]
}

/** In place of a token that only signing in would bring. */
function signedIn({ signIn }: Manifest['site']): Secret | undefined {
  return signIn && new Secret(Buffer.from('[token of the token service]'))
}

function wordsFor(wanted: Wanted | undefined): string {
  if (wanted === undefined) return '[secret]'
  if (wanted.kind === 'file') return `[the file ${wanted.path}]`
  return 'env' in wanted.reference
    ? `[secret from ${wanted.reference.env}]`
    : `[secret from the file ${wanted.reference.file}]`
}
