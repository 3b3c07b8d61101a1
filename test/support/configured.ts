import type { Reply } from '../../src/client/failure.js'
import type { SiteWriter } from '../../src/client/site-client.js'
import type { Organization } from '../../src/manifest/manifest.js'
import type { Observation } from '../../src/plan/observation.js'
import type { Secrets } from '../../src/secrets/secret.js'

const { signal } = new AbortController()

/** Opens the `configure` request and sends it at once. */
export async function configured(
  writer: SiteWriter,
  organization: Organization,
  secrets: Secrets,
): Promise<Reply<Observation>> {
  const opened = await writer.openConfigure(organization, secrets, signal)
  return opened.ok ? opened.value.send(signal) : opened
}
