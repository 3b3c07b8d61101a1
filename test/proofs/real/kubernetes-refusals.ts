import { askCluster, createIn, listIn } from '../../support/answers/kubernetes-questions.js'
import { namespace } from '../../support/api-server.js'
import type { Answer } from '../../support/real/ask.js'
import type { RealKubernetes } from '../../support/real/kubernetes.js'

const json = { 'content-type': 'application/json' }
const post = (cluster: RealKubernetes, path: string, object: object) =>
  cluster.ask(path, { method: 'POST', headers: json, body: JSON.stringify(object) })

/** Failures that only a real cluster can produce, in this order, after `kubernetesQuestions`. */
export const kubernetesRefusals: Readonly<Record<string, (cluster: RealKubernetes) => Promise<Answer>>> = {
  'a new version in a namespace that does not exist': cluster =>
    createIn({ ...cluster, token: cluster.administrator }, 'missing', 1),
  'a request that is too large': cluster => createIn(cluster, namespace, 3, 'x'.repeat(3_500_000)),
  async 'a page that expired'(cluster) {
    const { body } = await listIn(cluster, namespace, 1)
    await createIn(cluster, namespace, 3)
    await cluster.compact()
    return listIn(cluster, namespace, 1, JSON.parse(body).metadata.continue)
  },
  async 'a version that is being deleted'(cluster) {
    const path = `/api/v1/namespaces/${namespace}/secrets/landform-gis-example-org-0123456789ab-000003`
    const patch = JSON.stringify({ metadata: { finalizers: ['example.org/waits'] } })
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.ask(path, { method: 'PATCH', headers, body: patch })
    await cluster.ask(path, { method: 'DELETE' })
    return createIn(cluster, namespace, 3)
  },
  async 'a new version beyond the quota'(cluster) {
    await post(cluster, '/api/v1/namespaces/full/resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none' },
      spec: { hard: { 'count/secrets': '0' } },
    })
    // No quota controller runs that would count the objects, so the count is written here.
    const status = { status: { hard: { 'count/secrets': '0' }, used: { 'count/secrets': '0' } } }
    await cluster.ask('/api/v1/namespaces/full/resourcequotas/none/status', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify(status),
    })
    return createIn(cluster, 'full', 1)
  },
  async 'a new version in a namespace that is being deleted'(cluster) {
    await cluster.ask('/api/v1/namespaces/ending', { method: 'DELETE' })
    return createIn(cluster, 'ending', 1)
  },
  async 'too many requests'(cluster) {
    await cluster.restart('--max-requests-inflight=1', '--feature-gates=APIPriorityAndFairness=false')
    const answers = await Promise.all(Array.from({ length: 60 }, () => listIn(cluster, namespace)))
    await cluster.restart()
    const found = answers.find(({ status }) => status === 429)
    if (found === undefined) throw new Error('the server took all requests at once')
    return found
  },
  async 'a listing without the database'(cluster) {
    const start = await cluster.stopDatabase()
    const answer = await askCluster(cluster, `${namespace}/secrets?limit=500`)
    await start()
    return answer
  },
}
