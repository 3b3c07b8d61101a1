import type { StateBackend } from '../../../src/state/series.js'
import { apiServer, namespace } from '../../support/api-server.js'
import { azureLocation, azurePlace } from '../../support/azure-place.js'
import { azureServer } from '../../support/azure-server.js'
import { kubeconfig, kubernetesPlace } from '../../support/kubernetes-place.js'
import type { ObjectServerFaults } from '../../support/object-server.js'
import { s3Location, s3Place } from '../../support/s3-place.js'
import { s3Server } from '../../support/s3-server.js'

/** A server that stores the state of runs as objects: a real one, or a double. */
export interface ObjectServer {
  readonly kind: 's3' | 'azblob' | 'kubernetes'
  /** The value of `--state`. */
  readonly location: string
  /** The credentials of its clients. */
  readonly environment: Readonly<Record<string, string>>
  /** Reads the versions of a site, oldest first. */
  textsOf(site: string): Promise<readonly string[]>
}

/** A double of such a server, with its faults. */
export interface StateServer extends ObjectServer {
  readonly faults: ObjectServerFaults
  readonly requests: readonly string[]
  open(): StateBackend
  close(): Promise<void>
}

/** Starts a server of each kind; the folder holds the files of its clients. */
export const stateServers: Readonly<Record<StateServer['kind'], (folder: string) => Promise<StateServer>>> = {
  async s3() {
    // Some checks run a client whose clock is ahead.
    const server = await s3Server({ maxSkewMs: 3_600_000 })
    const texts = () => [...server.objects.values()].map(({ text }) => text)
    return {
      ...server,
      kind: 's3',
      location: s3Location(server),
      open: () => s3Place(server),
      textsOf: async site => versionsOf(texts(), site),
    }
  },
  async azblob() {
    const server = await azureServer()
    const texts = () => [...server.blobs.values()].map(({ text }) => text)
    return {
      ...server,
      kind: 'azblob',
      /** The requests, except those for tokens. */
      get requests() {
        return server.requests.filter(line => !line.includes('/oauth2/'))
      },
      location: azureLocation(server),
      open: () => azurePlace(server),
      textsOf: async site => versionsOf(texts(), site),
    }
  },
  async kubernetes(folder) {
    const server = await apiServer()
    const KUBECONFIG = await kubeconfig(folder, server)
    const texts = () =>
      [...server.secrets.values()].map(({ data }) => Buffer.from(data['state'] ?? '', 'base64').toString())
    return {
      ...server,
      kind: 'kubernetes',
      location: `kubernetes:test/${namespace}`,
      environment: { KUBECONFIG },
      open: () => kubernetesPlace(KUBECONFIG),
      textsOf: async site => versionsOf(texts(), site),
    }
  },
}

/** Selects the versions of a site, oldest first. */
export function versionsOf(texts: readonly string[], site: string): readonly string[] {
  const versions = texts.map(text => ({ text, ...(JSON.parse(text) as { site?: string; serial?: number }) }))
  return versions
    .filter(version => version.site === site)
    .sort((one, other) => (one.serial ?? 0) - (other.serial ?? 0))
    .map(({ text }) => text)
}
