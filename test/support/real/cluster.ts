import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { atEnd } from '../at-end.js'
import { anAuthority } from '../certificate.js'
import { anEmulator } from '../emulator.js'
import { connectProxy, httpDouble } from '../http-double.js'
import { kubeconfig } from '../kubernetes-place.js'
import { runsHere } from '../program.js'
import {
  findKubernetes,
  kubernetesPackages,
  makeObject,
  type RealKubernetes,
  realKubernetes,
} from './kubernetes.js'
import { type EndedContainer, type PodSpec, runPod } from './pod.js'

const kubectlIsHere = await runsHere(['kubectl', 'version', '--client'])

/** The programs that a cluster lacks here, or `undefined`. */
export const missingForCluster: string | undefined = !kubectlIsHere
  ? 'kubectl'
  : (await findKubernetes()) === undefined
    ? kubernetesPackages
    : undefined

/** The namespace of the example Jobs. */
const namespace = 'gis'
const site = 'gis.example.org'

/** A cluster with a site: a real API server, and a node that runs the pods of Jobs as processes. */
export interface Cluster {
  readonly emulator: Emulator
  readonly api: RealKubernetes
  /** The administrator's kubeconfig, with the context `production`. */
  readonly kubeconfig: string
  /** Runs each new Job to its end, one after the other, until the test ends. Writes logs to `logs`/JOB/CONTAINER. */
  attend(logs: string): void
  /** Runs a Job of the API server, as its controller and a node would. Returns the containers of each pod. */
  run(job: string, started?: (kill: () => void) => void): Promise<readonly (readonly EndedContainer[])[]>
}

/**
 * OpenShift's `restricted-v2`, expressed as the policy of this Kubernetes version: users and groups of one range, and the
 * strictest rules for everything else.
 */
const restricted = {
  apiVersion: 'policy/v1beta1',
  kind: 'PodSecurityPolicy',
  metadata: {
    name: 'restricted',
    annotations: { 'seccomp.security.alpha.kubernetes.io/allowedProfileNames': 'runtime/default' },
  },
  spec: {
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    requiredDropCapabilities: ['ALL'],
    volumes: ['configMap', 'downwardAPI', 'emptyDir', 'persistentVolumeClaim', 'projected', 'secret'],
    runAsUser: { rule: 'MustRunAs', ranges: [{ min: 1_000_650_000, max: 1_000_659_999 }] },
    fsGroup: { rule: 'MustRunAs', ranges: [{ min: 1_000_650_000, max: 1_000_659_999 }] },
    supplementalGroups: { rule: 'RunAsAny' },
    seLinux: { rule: 'RunAsAny' },
  },
} as const

/** Starts a cluster, with its files in a folder. Only its pods reach the site, at `https://gis.example.org/arcgis/admin`. */
export async function startCluster(
  folder: string,
  { stageMs = 10 }: { readonly stageMs?: number } = {},
): Promise<Cluster> {
  const programs = await findKubernetes()
  if (programs === undefined) throw new Error(`install ${kubernetesPackages}`)
  mkdirSync(folder, { recursive: true })
  // Pods run as another user.
  chmodSync(folder, 0o711)
  const api = await realKubernetes(programs, folder, '--enable-admission-plugins=PodSecurityPolicy')
  const emulator = await anEmulator({ basePath: '/arcgis/admin', stageMs })
  const network = await openNetwork(folder, api, emulator)
  const make = (path: string, object: object) => makeObject(api.ask, path, object)
  await make('/apis/policy/v1beta1/podsecuritypolicies', restricted)
  await make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  // In a cluster, a controller creates it; none runs here.
  await make(`/api/v1/namespaces/${namespace}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt' },
    data: { 'ca.crt': api.ca },
  })
  const controller = jobController(api, folder, network)
  let isClosed = false
  atEnd(() => {
    isClosed = true
    return api.stop()
  })
  return {
    emulator,
    api,
    kubeconfig: await kubeconfig(
      folder,
      { url: api.url, token: api.administrator },
      { name: 'production', cluster: { 'certificate-authority': join(folder, 'ca.crt') } },
    ),
    run: controller.run,
    attend(logs) {
      const seen = new Set<string>()
      void (async () => {
        while (!isClosed) {
          for (const { metadata } of await controller.list()) {
            if (seen.has(metadata.uid)) continue
            seen.add(metadata.uid)
            const pods = await controller.run(metadata.name)
            mkdirSync(join(logs, metadata.name), { recursive: true })
            for (const { name, log } of pods.flat()) writeFileSync(join(logs, metadata.name, name), log)
            await controller.finish(metadata.name, pods.at(-1)?.every(({ code }) => code === 0) === true)
          }
          await setTimeout(200)
        }
      })()
    },
  }
}

interface Job {
  readonly metadata: {
    readonly uid: string
    readonly name: string
    readonly annotations: Readonly<Record<string, string>>
  }
}

interface JobSpec {
  readonly backoffLimit: number
  readonly podFailurePolicy?: {
    readonly rules: readonly {
      readonly action: string
      readonly onExitCodes?: { readonly values: readonly number[] }
    }[]
  }
  readonly template: { readonly metadata: object; readonly spec: PodSpec }
}

/** Does the work of the Job controller and of a node, without the back-off between pods. */
function jobController(api: RealKubernetes, folder: string, network: Readonly<Record<string, string>>) {
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const core = `/api/v1/namespaces/${namespace}`
  const get = async (path: string) => {
    const { status, body } = await api.ask(path)
    if (status !== 200) throw new Error(body)
    return JSON.parse(body)
  }
  const sources = {
    network,
    async read(kind: 'configmaps' | 'secrets', name: string) {
      const data: Readonly<Record<string, string>> = (await get(`${core}/${kind}/${name}`)).data
      const decode = (text: string) => (kind === 'secrets' ? Buffer.from(text, 'base64').toString() : text)
      return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, decode(text)]))
    },
    async token(account: string) {
      const path = `${core}/serviceaccounts/${account}/token`
      const made = await makeObject(api.ask, path, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 3600 },
      })
      return (made as { readonly status: { readonly token: string } }).status.token
    },
  }
  let pods = 0
  return {
    list: async (): Promise<readonly Job[]> => (await get(jobs)).items,
    async run(name: string, started?: (kill: () => void) => void) {
      const { metadata }: Job = await get(`${jobs}/${name}`)
      // This version drops newer fields, such as `podFailurePolicy`.
      const applied = metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']
      const { spec }: { readonly spec: JobSpec } = JSON.parse(applied ?? '')
      const tries: (readonly EndedContainer[])[] = []
      while (tries.length <= spec.backoffLimit) {
        pods += 1
        const { template } = spec
        // Fails if the policy rejects the pod. Otherwise the pod has the user that the policy chose.
        const admitted = (await makeObject(api.ask, `${core}/pods`, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { ...template.metadata, name: `${name}-${pods}` },
          spec: template.spec,
        })) as { readonly spec: PodSpec }
        const disk = mkdtempSync(join(folder, 'pod-'))
        const ended = await runPod(admitted.spec, { sources, disk, ...(started && { started }) })
        tries.push(ended)
        const code = ended.at(-1)?.code ?? 1
        const stops = spec.podFailurePolicy?.rules.some(
          ({ action, onExitCodes }) => action === 'FailJob' && onExitCodes?.values.includes(code) === false,
        )
        if (code === 0 || stops) break
      }
      return tries
    },
    async finish(name: string, isComplete: boolean): Promise<void> {
      const now = new Date().toISOString().replace(/\.\d+/, '')
      const type = isComplete ? 'Complete' : 'Failed'
      const conditions = [{ type, status: 'True', lastProbeTime: now, lastTransitionTime: now }]
      const { status, body } = await api.ask(`${jobs}/${name}/status`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ status: { conditions } }),
      })
      if (status !== 200) throw new Error(body)
    },
  }
}

/** Opens the network of the pods: a proxy to the site and the API server, by their names in a cluster. Returns its variables. */
async function openNetwork(folder: string, api: RealKubernetes, emulator: Emulator) {
  const authority = anAuthority('the authority of the site', { isAuthority: true })
  const certificate = authority.issue(site, { names: [site] })
  const front = await httpDouble([{ reply: { forward: emulator.url } }], certificate)
  const ports: Readonly<Record<string, number>> = {
    [`${site}:443`]: front.port,
    'kubernetes.default.svc:443': Number(new URL(api.url).port),
  }
  const proxy = await connectProxy({ toPort: host => ports[host] })
  const authorities = join(folder, 'site-ca.crt')
  writeFileSync(authorities, authority.cert, { mode: 0o644 })
  return { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authorities }
}
