import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openKubernetes } from '../../src/library/open-kubernetes.js'
import type { StateBackend } from '../../src/state/series.js'
import { type ApiServer, namespace } from './api-server.js'

interface Changes {
  /** The name of the context. */
  readonly name?: string
  readonly cluster?: object
  readonly user?: object
}

/** Writes a kubeconfig for a test server, with changes to its cluster and its user. Returns its path. */
export async function kubeconfig(
  folder: string,
  { url, token }: Pick<ApiServer, 'url' | 'token'>,
  { name = 'test', cluster = {}, user = { token } }: Changes = {},
): Promise<string> {
  const file = join(folder, 'kube', 'config')
  await mkdir(join(folder, 'kube'), { recursive: true })
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'here', user: 'me' } }],
    clusters: [{ name: 'here', cluster: { server: url, ...cluster } }],
    users: [{ name: 'me', user }],
  }
  await writeFile(file, stringify(config))
  return file
}

/** Opens state in a namespace of a test server, as a run does. */
export function kubernetesPlace(KUBECONFIG: string, place = namespace): StateBackend {
  return openKubernetes({ kind: 'kubernetes', context: 'test', namespace: place }, { KUBECONFIG })
}
