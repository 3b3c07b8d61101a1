import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { kubernetesStore } from '../../../src/state/kubernetes-store.js'
import { objectBackend } from '../../../src/state/object-backend.js'
import { kubernetesQuestions } from '../../support/answers/kubernetes-questions.js'
import { normalizeAnswer } from '../../support/answers/recorded.js'
import { kubernetesPlace } from '../../support/kubernetes-place.js'
import {
  findKubernetes,
  kubernetesPackages,
  makeAccount,
  type RealKubernetes,
  realKubernetes,
  stateNamespace,
} from '../../support/real/kubernetes.js'
import { placeOnServer } from '../processes/place.js'
import { versionsOf } from '../processes/state-server.js'
import { kubernetesRefusals } from './kubernetes-refusals.js'
import {
  addedUnderLoad,
  addedWhile,
  commonSituations,
  outcome,
  type RealServer,
  type Situation,
  site,
} from './real-backend.js'

/** More than a page of a listing. */
const manyVersions = 510

/** A Kubernetes API server with etcd. */
export const kubernetes: RealServer = {
  recording: 'kubernetes',
  packages: kubernetesPackages,
  isHere: async () => (await findKubernetes()) !== undefined,
  async start(folder) {
    const programs = await findKubernetes()
    if (programs === undefined) throw new Error(`install ${kubernetesPackages}`)
    const cluster = await realKubernetes(programs, folder)
    await makeAccount(cluster.ask)
    const KUBECONFIG = await cluster.kubeconfig(folder)
    const location = `kubernetes:test/${stateNamespace}`
    const environment = { KUBECONFIG }
    const textsOf = async (url: string) => versionsOf(await readTexts(cluster), url)
    return {
      server: 'Kubernetes API server',
      version: cluster.version,
      place: (at, url) => placeOnServer(at, { kind: 'kubernetes', location, environment, textsOf }, url),
      situations: situationsOf(cluster, folder, KUBECONFIG),
      without: {
        'unavailable (503)':
          'without its database it answers 504 after a minute, which is in `server killed`',
        'expired (410)': 'a token lasts 10 minutes at least; the page that expired is in `list in pages`',
      },
      async *answers() {
        for (const [name, ask] of Object.entries({ ...kubernetesQuestions, ...kubernetesRefusals }))
          yield [name, normalizeAnswer(await ask(cluster))]
      },
      stop: cluster.stop,
    }
  },
}

async function readTexts(cluster: RealKubernetes): Promise<readonly string[]> {
  const { body } = await cluster.ask(
    `/api/v1/namespaces/${stateNamespace}/secrets?labelSelector=landform-state`,
  )
  const items = (JSON.parse(body).items ?? []) as readonly { readonly data: Record<string, string> }[]
  return items.map(({ data }) => Buffer.from(data['state'] ?? '', 'base64').toString())
}

function situationsOf(cluster: RealKubernetes, folder: string, KUBECONFIG: string): readonly Situation[] {
  const open = (place = stateNamespace) => kubernetesPlace(KUBECONFIG, place)
  const added = async (place: string, text = '{}') =>
    outcome(await open(place).series(`${site}/refused`).add({ serial: 1, text }))
  return [
    ...commonSituations(open),
    {
      row: 'list in pages',
      expected: `true ${manyVersions}`,
      come: () => addedWhile(open(), 'many', { versions: manyVersions }),
    },
    {
      row: 'list in pages',
      expected: `${manyVersions} after a page had expired`,
      come: () => listedAfterExpiry(cluster),
    },
    { row: 'place missing (404)', expected: 'unwritable: access-denied', come: () => added('missing') },
    {
      row: 'wrong credentials (401)',
      expected: 'unreadable: wrong-credentials',
      async come() {
        const other = await cluster.kubeconfig(join(folder, 'other'), 'another')
        return outcome(await kubernetesPlace(other, stateNamespace).series(site).newest())
      },
    },
    { row: 'no permission (403)', expected: 'unwritable: access-denied', come: () => added('forbidden') },
    {
      row: 'no permission (403)',
      expected: 'unreadable: access-denied',
      come: async () => outcome(await open('forbidden').series(site).newest()),
    },
    {
      row: 'too large (413, 422)',
      expected: 'unwritable: too-large',
      come: () => added(stateNamespace, 'x'.repeat(1_100_000)),
    },
    {
      row: 'too large (413, 422)',
      expected: 'unwritable: too-large',
      come: () => added(stateNamespace, 'x'.repeat(3_500_000)),
    },
    {
      row: 'too many requests (429)',
      expected: 'true 5',
      come: () => addedUnderLoad(open(), crowdAt(cluster)),
    },
    {
      row: 'server killed and started again',
      expected: 'true 5',
      come: () => addedWhile(open(), 'killed', { meanwhile: () => cluster.restart() }),
    },
    {
      row: 'server killed and started again',
      expected: 'true 5',
      come: () =>
        addedWhile(open(), 'without-database', {
          async meanwhile() {
            const start = await cluster.stopDatabase()
            await setTimeout(2000)
            await start()
          },
        }),
    },
    {
      row: 'full',
      expected: 'unwritable: access-denied',
      // `answers` runs first, and sets the quota.
      come: () => added('full'),
    },
    { row: 'full', expected: 'unwritable: access-denied', come: () => added('ending') },
  ]
}

function crowdAt(cluster: RealKubernetes) {
  // The limit does not apply to administrators.
  const headers = { authorization: `Bearer ${cluster.token}` }
  const path = `/api/v1/namespaces/${stateNamespace}/secrets?limit=50`
  return {
    askers: 8,
    pauseMs: 5,
    options: ['--max-requests-inflight=1', '--feature-gates=APIPriorityAndFairness=false'],
    restart: cluster.restart,
    ask: async () => (await cluster.ask(path, { headers })).status === 429,
  }
}

/** Lists the many versions. The first page expires before the second is requested. */
async function listedAfterExpiry(cluster: RealKubernetes): Promise<string> {
  let expired = 0
  const store = kubernetesStore(stateNamespace, async ({ method, path, accept, body }) => {
    if (expired === 0 && path.includes('continue=')) {
      await cluster.ask('/api/v1/namespaces', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'later' } }),
      })
      await cluster.compact()
    }
    const answer = await cluster.ask(path, { method, headers: { accept }, ...(body && { body }) })
    if (answer.status === 410) expired += 1
    return { ok: true, value: { status: answer.status, bytes: Buffer.from(answer.body) } }
  })
  const all = await objectBackend('here', store, setTimeout).series(`${site}/many`).all()
  return `${all.ok ? all.value.length : outcome(all)} after ${expired === 1 ? 'a page' : 'no page'} had expired`
}
