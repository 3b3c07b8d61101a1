import { openAzure } from '../../src/library/open-azure.js'
import { parseAzureLocation } from '../../src/manifest/azure-location.js'
import type { StateBackend } from '../../src/state/series.js'
import type { AzureServer } from './azure-server.js'

type Named = Pick<AzureServer, 'url' | 'account' | 'container'>

/** Returns the state location of a container on a test server. */
export function azureLocation({ url, account, container }: Named): string {
  return `azblob:${account}/${container}/sites/production?endpoint=${url}`
}

/** Opens the state on a test server, as a run does. */
export function azurePlace(
  server: Named & Pick<AzureServer, 'environment'>,
  environment: Readonly<Record<string, string>> = server.environment,
): StateBackend {
  const location = parseAzureLocation(azureLocation(server).slice('azblob:'.length))
  if (!location.ok) throw new Error(location.error)
  return openAzure(location.value, environment)
}
