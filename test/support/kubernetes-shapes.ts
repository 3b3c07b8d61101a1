/**
 * The few fields of Kubernetes that the examples use, as its API reference has them (batch/v1, core/v1, networking/v1): a
 * strict server refuses any other. A list has one shape for all its items; `map` is text by text.
 */
type Shape = 'text' | 'number' | 'boolean' | 'map' | readonly [Shape] | { readonly [field: string]: Shape }

const labels = { 'app.kubernetes.io/name': 'text' } as const
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
  securityContext,
  resources: { requests: 'map', limits: 'map' },
  volumeMounts: [{ name: 'text', mountPath: 'text', readOnly: 'boolean' }],
} as const
const podSpec = {
  restartPolicy: 'text',
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
      secret: { secretName: 'text', defaultMode: 'number' },
    },
  ],
} as const
const ports = [{ protocol: 'text', port: 'number' }] as const

export const kubernetesShapes: Readonly<Record<string, Shape>> = {
  Job: {
    apiVersion: 'text',
    kind: 'text',
    metadata: { name: 'text', annotations: 'map' },
    spec: {
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
      template: { metadata: { labels }, spec: podSpec },
    },
  },
  NetworkPolicy: {
    apiVersion: 'text',
    kind: 'text',
    metadata: { name: 'text' },
    spec: { podSelector: { matchLabels: labels }, policyTypes: ['text'], egress: [{ ports }] },
  },
  Kustomization: {
    apiVersion: 'text',
    kind: 'text',
    namespace: 'text',
    resources: ['text'],
    images: [{ name: 'text', newName: 'text', newTag: 'text' }],
    patches: [{ target: { kind: 'text' }, patch: 'text' }],
  },
}

/** What does not fit, with its place. */
export function misfits(value: unknown, shape: Shape | undefined, at = ''): readonly string[] {
  if (shape === undefined) return [`${at}: no such field`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at}: no list`]
    return value.flatMap((item, index) => misfits(item, shape[0], `${at}/${index}`))
  }
  if (shape === 'text') return typeof value === 'string' ? [] : [`${at}: no text`]
  if (shape === 'number') return Number.isInteger(value) ? [] : [`${at}: no number`]
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
