import type { Result } from '../result.js'
import { findEndpointProblem, findPrefixProblem, parseOptions } from './s3-location.js'

/** A container of Azure Blob Storage, and the place of the state in it. */
export interface AzureLocation {
  readonly kind: 'azblob'
  readonly account: string
  readonly container: string
  /** Segments separated by slashes; empty for the whole container. */
  readonly prefix: string
  /**
   * The origin of another Azure cloud, or of a server outside Azure. Tokens are sent to the latter only if the
   * environment names it too.
   */
  readonly endpoint?: string
}

/** The domains that Microsoft documents for the accounts of each cloud, and for those in a DNS zone. */
const azureDomain =
  /^(?:blob\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)|z\d\d\.blob\.storage\.azure\.net)$/

/** Parses `ACCOUNT/CONTAINER/PREFIX?endpoint=…`. Each part has one spelling, so a location has one name. */
export function parseAzureLocation(text: string): Result<AzureLocation, string> {
  const [, account = '', container = '', prefix, query] =
    /^([^/?]*)(?:\/([^/?]*))?(?:\/([^?]*))?(?:\?(.*))?$/s.exec(text) ?? []
  const problem = findAccountProblem(account) ?? findContainerProblem(container) ?? findPrefixProblem(prefix)
  if (problem !== undefined) return { ok: false, error: problem }
  const options = parseOptions(query, { endpoint: value => findAzureEndpointProblem(value, account) })
  if (!options.ok) return options
  const endpoint = options.value.endpoint && new URL(options.value.endpoint).origin
  const isOther = endpoint !== undefined && endpoint !== publicEndpoint(account)
  return {
    ok: true,
    value: { kind: 'azblob', account, container, prefix: prefix ?? '', ...(isOther && { endpoint }) },
  }
}

/** Formats the part after `azblob:`. */
export function formatAzureLocation({ account, container, prefix, endpoint }: AzureLocation): string {
  const path = [account, container, prefix].filter(Boolean).join('/')
  return endpoint === undefined ? path : `${path}?endpoint=${endpoint}`
}

/** Returns the URL of the container. If the host name does not begin with the account, as with Azurite, the path has it. */
export function containerUrl({ account, container, endpoint }: AzureLocation): string {
  const origin = endpoint ?? publicEndpoint(account)
  return [origin, ...(isHostOf(account, origin) ? [] : [account]), container].join('/')
}

/** True for an endpoint that Azure itself serves. */
export function isAzureEndpoint(endpoint: string): boolean {
  const { protocol, host } = new URL(endpoint)
  return protocol === 'https:' && azureDomain.test(host.slice(host.indexOf('.') + 1))
}

function publicEndpoint(account: string): string {
  return `https://${account}.blob.core.windows.net`
}

function isHostOf(account: string, origin: string): boolean {
  return new URL(origin).hostname.startsWith(`${account}.`)
}

function findAccountProblem(account: string): string | undefined {
  if (account === '') return 'names no storage account'
  return /^[a-z0-9]{3,24}$/.test(account)
    ? undefined
    : 'names no valid storage account: 3 to 24 lower-case letters and digits'
}

function findContainerProblem(container: string): string | undefined {
  if (container === '') return 'names no container'
  return /^[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){2,62}$/.test(container)
    ? undefined
    : 'names no valid container: 3 to 63 lower-case letters, digits and single hyphens'
}

function findAzureEndpointProblem(endpoint: string, account: string): string | undefined {
  const problem = findEndpointProblem(endpoint)
  if (problem !== undefined) return problem
  return isAzureEndpoint(endpoint) && !isHostOf(account, endpoint)
    ? 'has the endpoint of another account'
    : undefined
}
