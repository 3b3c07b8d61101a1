/** A pod, of what the standard "restricted" looks at. */
export interface PodSpec {
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly securityContext?: Security
  readonly initContainers?: readonly PodContainer[]
  readonly containers: readonly PodContainer[]
  readonly volumes?: readonly { readonly name: string }[]
}

export interface PodContainer {
  readonly name: string
  readonly image?: string
  readonly securityContext?: Security
  readonly ports?: readonly { readonly hostPort?: number }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Security {
  readonly privileged?: boolean
  readonly allowPrivilegeEscalation?: boolean
  readonly readOnlyRootFilesystem?: boolean
  readonly runAsNonRoot?: boolean
  readonly runAsUser?: number
  readonly seccompProfile?: { readonly type: string }
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] }
  readonly seLinuxOptions?: object
  readonly sysctls?: readonly object[]
}

const volumeTypes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

/** What a pod does that the standard "restricted" of Kubernetes forbids, and a root filesystem that can be written. */
export function podSecurityComplaints(pod: PodSpec): readonly string[] {
  const of = pod.securityContext ?? {}
  const shares = [pod.hostNetwork, pod.hostPID, pod.hostIPC].some(one => one === true)
  return [
    ...(shares ? ['the pod shares something of its node'] : []),
    ...(of.sysctls === undefined ? [] : ['the pod sets something of the kernel']),
    ...(pod.volumes ?? [])
      .filter(({ name, ...type }) => !Object.keys(type).every(one => volumeTypes.includes(one)))
      .map(({ name }) => `${name} is no volume that is allowed`),
    ...[...(pod.initContainers ?? []), ...pod.containers].flatMap(container =>
      listContainerErrors(container, of).map(what => `${container.name} ${what}`),
    ),
  ]
}

function listContainerErrors({ securityContext = {}, ports = [] }: PodContainer, ofPod: Security) {
  const { capabilities, seccompProfile, ...own } = { ...ofPod, ...securityContext }
  const claims: readonly (readonly [boolean, string])[] = [
    [own.privileged !== true, 'is privileged'],
    [own.allowPrivilegeEscalation === false, 'may get more rights'],
    [own.readOnlyRootFilesystem === true, 'may write to its root filesystem'],
    [own.runAsNonRoot === true && own.runAsUser !== 0, 'may be root'],
    [['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? ''), 'may make every system call'],
    [capabilities?.drop?.includes('ALL') === true, 'keeps capabilities'],
    [(capabilities?.add ?? []).every(one => one === 'NET_BIND_SERVICE'), 'adds capabilities'],
    [own.seLinuxOptions === undefined, 'changes SELinux'],
    [ports.every(({ hostPort = 0 }) => hostPort === 0), 'has a port of its node'],
  ]
  return claims.filter(([holds]) => !holds).map(([, what]) => what)
}
