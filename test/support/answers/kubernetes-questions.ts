import { tool } from '../../../src/version.js'
import { namespace } from '../api-server.js'
import { type Answer, ask, type Question } from '../real/ask.js'

/** A server that gets the requests: a real one, or the double. */
interface AskedCluster {
  readonly url: string
  readonly ca?: string
  readonly token: string
}

const name = (serial: number) => `landform-gis-example-org-0123456789ab-00000${serial}`
const secret = (serial: number, state = `{"n":${serial}}`) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: name(serial), labels: { 'landform-state': '0123456789ab' } },
  type: 'Opaque',
  immutable: true,
  data: { state: Buffer.from(state).toString('base64'), run: Buffer.from('run-1').toString('base64') },
})
const onlyNames = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

/** Sends a request as the client of Landform does. */
export function askCluster(
  { url, ca, token }: AskedCluster,
  path: string,
  { headers, ...question }: Question = {},
): Promise<Answer> {
  const own = { authorization: `Bearer ${token}`, 'user-agent': tool, accept: 'application/json' }
  return ask(`${url}/api/v1/namespaces/${path}`, {
    ...question,
    headers: { ...own, ...headers },
    ...(ca && { ca }),
  })
}

/** Creates a version, as Landform does. */
export function createIn(
  cluster: AskedCluster,
  place: string,
  serial: number,
  state?: string,
): Promise<Answer> {
  return askCluster(cluster, `${place}/secrets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(secret(serial, state)),
  })
}

/** Lists the versions as Landform does, with pages of any size. */
export function listIn(cluster: AskedCluster, place: string, limit = 500, page = ''): Promise<Answer> {
  const query = new URLSearchParams({
    labelSelector: 'landform-state=0123456789ab',
    limit: `${limit}`,
    ...(page !== '' && { continue: page }),
  })
  return askCluster(cluster, `${place}/secrets?${query}`, { headers: { accept: onlyNames } })
}

/** Requests that every cluster can answer, in this order, starting with an empty namespace. */
export const kubernetesQuestions: Readonly<Record<string, (cluster: AskedCluster) => Promise<Answer>>> = {
  'an empty listing': cluster => listIn(cluster, namespace),
  'a missing version': cluster => askCluster(cluster, `${namespace}/secrets/${name(1)}`),
  'a new version': cluster => createIn(cluster, namespace, 1),
  'a version that exists': cluster => createIn(cluster, namespace, 1),
  'a version': cluster => askCluster(cluster, `${namespace}/secrets/${name(1)}`),
  'a listing': cluster => listIn(cluster, namespace),
  async 'the first page of a listing'(cluster) {
    await createIn(cluster, namespace, 2)
    return listIn(cluster, namespace, 1)
  },
  async 'the last page of a listing'(cluster) {
    const { body } = await listIn(cluster, namespace, 1)
    return listIn(cluster, namespace, 1, JSON.parse(body).metadata.continue)
  },
  'a wrong token': cluster => listIn({ ...cluster, token: 'another' }, namespace),
  'a listing that is forbidden': cluster => listIn(cluster, 'forbidden'),
  'a new version that is forbidden': cluster => createIn(cluster, 'forbidden', 1),
  'a version that is too large': cluster => createIn(cluster, namespace, 3, 'x'.repeat(1_048_600)),
}
