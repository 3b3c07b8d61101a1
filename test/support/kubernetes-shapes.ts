/**
 * Fields of Kubernetes objects that the examples use, from its API reference (apps/v1, batch/v1, core/v1, networking/v1,
 * policy/v1) and that of the Prometheus operator. A strict server rejects any other field. All items of a list have one shape;
 * `map` maps text to text, and `port` is a number or the name of a port.
 */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | 'port'
  | 'map'
  | readonly [Shape]
  | { readonly [field: string]: Shape }

const labels = { 'app.kubernetes.io/name': 'text', 'app.kubernetes.io/component': 'text' } as const
const selector = { matchLabels: labels } as const
const probe = {
  httpGet: { path: 'text', port: 'port' },
  tcpSocket: { port: 'port' },
  periodSeconds: 'number',
  timeoutSeconds: 'number',
  failureThreshold: 'number',
} as const
const securityContext = {
  allowPrivilegeEscalation: 'boolean',
  readOnlyRootFilesystem: 'boolean',
  capabilities: { drop: ['text'] },
} as const
const container = {
  name: 'text',
  image: 'text',
  command: ['text'],
  args: ['text'],
  workingDir: 'text',
  env: [{ name: 'text', value: 'text', valueFrom: { secretKeyRef: { name: 'text', key: 'text' } } }],
  envFrom: [{ secretRef: { name: 'text' } }],
  ports: [{ name: 'text', containerPort: 'number' }],
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  securityContext,
  resources: { requests: 'map', limits: 'map' },
  volumeMounts: [{ name: 'text', mountPath: 'text', readOnly: 'boolean' }],
} as const
const keyed = { name: 'text', items: [{ key: 'text', path: 'text' }] } as const
const podSpec = {
  restartPolicy: 'text',
  serviceAccountName: 'text',
  topologySpreadConstraints: [
    { maxSkew: 'number', topologyKey: 'text', whenUnsatisfiable: 'text', labelSelector: selector },
  ],
  automountServiceAccountToken: 'boolean',
  enableServiceLinks: 'boolean',
  terminationGracePeriodSeconds: 'number',
  securityContext: {
    runAsNonRoot: 'boolean',
    runAsUser: 'number',
    runAsGroup: 'number',
    fsGroup: 'number',
    seccompProfile: { type: 'text' },
  },
  initContainers: [container],
  containers: [container],
  volumes: [
    {
      name: 'text',
      emptyDir: { sizeLimit: 'text' },
      secret: { secretName: 'text', defaultMode: 'number', optional: 'boolean' },
      projected: {
        defaultMode: 'number',
        sources: [
          {
            serviceAccountToken: { path: 'text', expirationSeconds: 'number' },
            configMap: keyed,
            secret: keyed,
          },
        ],
      },
    },
  ],
} as const
const ports = [{ protocol: 'text', port: 'number' }] as const
const volumeClaim = {
  metadata: { name: 'text' },
  spec: { accessModes: ['text'], resources: { requests: 'map' } },
} as const
const template = { metadata: { labels }, spec: podSpec } as const
const jobSpec = {
  backoffLimit: 'number',
  activeDeadlineSeconds: 'number',
  podFailurePolicy: {
    rules: [
      {
        action: 'text',
        onPodConditions: [{ type: 'text', status: 'text' }],
        onExitCodes: { containerName: 'text', operator: 'text', values: ['number'] },
      },
    ],
  },
  template,
} as const

/** A kind with a spec and labels. */
const kind = (spec: Shape): Shape => ({
  apiVersion: 'text',
  kind: 'text',
  metadata: { name: 'text', annotations: 'map', labels },
  spec,
})
const kustomization: Shape = {
  apiVersion: 'text',
  kind: 'text',
  namespace: 'text',
  resources: ['text'],
  components: ['text'],
  images: [{ name: 'text', newName: 'text', newTag: 'text' }],
  patches: [{ target: { kind: 'text' }, patch: 'text' }],
  configMapGenerator: [{ name: 'text', files: ['text'], options: { labels: 'map' } }],
}

export const kubernetesShapes: Readonly<Record<string, Shape>> = {
  Job: kind(jobSpec),
  CronJob: kind({ schedule: 'text', concurrencyPolicy: 'text', jobTemplate: { spec: jobSpec } }),
  StatefulSet: kind({
    serviceName: 'text',
    replicas: 'number',
    podManagementPolicy: 'text',
    selector,
    template,
    volumeClaimTemplates: [volumeClaim],
  }),
  Deployment: kind({ replicas: 'number', selector, template }),
  Service: kind({
    clusterIP: 'text',
    selector: labels,
    ports: [{ name: 'text', port: 'number', targetPort: 'port' }],
  }),
  ServiceAccount: {
    apiVersion: 'text',
    kind: 'text',
    metadata: { name: 'text' },
    automountServiceAccountToken: 'boolean',
  },
  ConfigMap: { apiVersion: 'text', kind: 'text', metadata: { name: 'text' }, data: 'map' },
  Namespace: { apiVersion: 'text', kind: 'text', metadata: { name: 'text' } },
  Role: {
    apiVersion: 'text',
    kind: 'text',
    metadata: { name: 'text' },
    rules: [{ apiGroups: ['text'], resources: ['text'], verbs: ['text'] }],
  },
  RoleBinding: {
    apiVersion: 'text',
    kind: 'text',
    metadata: { name: 'text' },
    roleRef: { apiGroup: 'text', kind: 'text', name: 'text' },
    subjects: [{ kind: 'text', name: 'text', namespace: 'text' }],
  },
  PodDisruptionBudget: kind({ maxUnavailable: 'number', unhealthyPodEvictionPolicy: 'text', selector }),
  NetworkPolicy: kind({
    podSelector: selector,
    policyTypes: ['text'],
    ingress: [
      { from: [{ namespaceSelector: { matchLabels: 'map' }, podSelector: { matchLabels: 'map' } }], ports },
    ],
    egress: [{ ports }],
  }),
  Kustomization: kustomization,
  Component: kustomization,
  PodMonitor: kind({ selector, podMetricsEndpoints: [{ port: 'text', path: 'text', interval: 'text' }] }),
  PrometheusRule: kind({
    groups: [
      {
        name: 'text',
        rules: [{ alert: 'text', expr: 'text', for: 'text', labels: 'map', annotations: 'map' }],
      },
    ],
  }),
}

/** Lists the values that do not match a shape, with their paths. */
export function misfits(value: unknown, shape: Shape | undefined, at = ''): readonly string[] {
  if (shape === undefined) return [`${at}: no such field`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at}: no list`]
    return value.flatMap((item, index) => misfits(item, shape[0], `${at}/${index}`))
  }
  if (shape === 'text') return typeof value === 'string' ? [] : [`${at}: no text`]
  if (shape === 'number') return Number.isInteger(value) ? [] : [`${at}: no number`]
  if (shape === 'port') return ['string', 'number'].includes(typeof value) ? [] : [`${at}: no port`]
  if (shape === 'boolean') return typeof value === 'boolean' ? [] : [`${at}: no boolean`]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: no object`]
  return Object.entries(value).flatMap(([name, one]) =>
    misfits(
      one,
      shape === 'map' ? 'text' : (shape as Readonly<Record<string, Shape>>)[name],
      `${at}/${name}`,
    ),
  )
}

interface RestrictedPod {
  readonly securityContext: { readonly runAsUser?: number }
  readonly initContainers?: readonly { readonly securityContext: object }[]
  readonly containers: readonly { readonly securityContext: object }[]
}

/**
 * Expects a pod to conform to the Pod Security Standard "restricted", with a read-only root filesystem. The shapes above have
 * no field with which it could share something of its node.
 */
export function expectRestricted({ securityContext, initContainers = [], containers }: RestrictedPod): void {
  expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(securityContext.runAsUser).not.toBe(0)
  for (const container of [...initContainers, ...containers])
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
}
