import { configureParts } from '../../client/wire/configure-parts.js'
import { updateFields } from '../../client/wire/update-fields.js'
import { operations } from '../../contract/operations.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { Manifest } from '../../manifest/manifest.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import { mergedUpgradeConfig } from '../../plan/fields/live.js'
import { noSettings } from '../../plan/observation.js'
import type { ShownRequest } from '../../report/wire-text.js'
import { Secret } from '../../secrets/secret.js'
import { tokenPointer, type Wanted, wantedByConfigure, wantedByUpdate } from '../../secrets/wanted.js'

/** The requests that apply would send for a manifest to a site that has nothing yet; no secret is read for it. */
export function shownRequests({ organization, policy, site }: Manifest): readonly ShownRequest[] {
  const base = normalizedSiteUrl(site.url)
  const wanted = [...wantedByConfigure(organization), ...wantedByUpdate(site.token)]
  const masked = (pointer: JsonPointer) =>
    new Secret(Buffer.from(wordsFor(wanted.find(one => one.pointer === pointer))))
  const shown = (parts: readonly { readonly name: string; readonly value: Buffer }[]) =>
    parts.map(({ name, value }) => ({ name, value: value.toString() }))
  const token = site.token === undefined ? signedIn(site) : masked(tokenPointer)
  return [
    {
      method: operations.configure.method,
      url: base + operations.configure.path,
      contentType: 'multipart/form-data',
      parts: shown(configureParts(organization, masked)),
    },
    ...(policy === undefined
      ? []
      : [
          {
            method: operations.update.method,
            url: base + operations.update.path,
            contentType: 'application/x-www-form-urlencoded',
            parts: shown(updateFields(mergedUpgradeConfig(policy, noSettings('not-asked')), token)),
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
