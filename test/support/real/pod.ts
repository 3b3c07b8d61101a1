import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { landformProgram } from '../landform-program.js'
import { runsHere } from '../program.js'

/** The pod fields that the examples use. */
export interface PodSpec {
  readonly serviceAccountName: string
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes: readonly Volume[]
  readonly securityContext: { readonly runAsUser?: number }
}

interface Container {
  readonly name: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly env?: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
  }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly securityContext: { readonly runAsUser?: number }
}

interface Volume {
  readonly name: string
  readonly projected?: { readonly sources: readonly Source[] }
}

interface Source {
  readonly configMap?: Keyed
  readonly secret?: Keyed
  readonly serviceAccountToken?: { readonly path: string }
}

interface Keyed {
  readonly name: string
  readonly items?: readonly { readonly key: string; readonly path: string }[]
}

/** The parts of a pod's environment that come from its cluster. */
export interface PodSources {
  /** Reads the data of a ConfigMap or a Secret, as texts. */
  read(kind: 'configmaps' | 'secrets', name: string): Promise<Readonly<Record<string, string>>>
  /** Returns a token of the service account. */
  token(account: string): Promise<string>
  /** The environment variables for the network of the pod. */
  readonly network: Readonly<Record<string, string>>
}

/** A container that has ended, with its log as `kubectl logs` shows it. */
export interface EndedContainer {
  readonly name: string
  /** 137 after `kill -9`. */
  readonly code: number
  readonly log: string
}

/**
 * Runs the containers of a pod one after the other, up to the first failure. Paths of volumes in arguments, variables and
 * working folders are replaced by folders below `disk`. The containers run as the user that the cluster chose, if this process
 * may switch users, and can write only to their volumes.
 */
export async function runPod(
  { initContainers = [], containers, volumes, serviceAccountName }: PodSpec,
  { sources, disk, started }: PodOptions,
): Promise<readonly EndedContainer[]> {
  const all = [...initContainers, ...containers]
  chmodSync(disk, 0o755)
  const mounts = all.flatMap(({ volumeMounts }) => volumeMounts)
  for (const volume of volumes) {
    const mount = mounts.find(({ name }) => name === volume.name)
    if (mount === undefined) throw new Error(`no container mounts ${volume.name}`)
    const folder = join(disk, mount.mountPath)
    mkdirSync(folder, { recursive: true })
    if (volume.projected === undefined) chmodSync(folder, 0o777)
    else layDown(folder, await readFiles(volume.projected.sources, { sources, serviceAccountName }))
  }
  const paths = [...new Set(mounts.map(({ mountPath }) => mountPath))].toSorted((a, b) => b.length - a.length)
  const place = RegExp(`(^|=)(${paths.join('|')})(?=/|$)`)
  const inside = (text: string) =>
    text.replace(place, (_, before: string, path: string) => `${before}${disk}${path}`)
  const ended: EndedContainer[] = []
  for (const container of all) {
    const one = await runContainer(container, { sources, inside, started, pod: basename(disk) })
    ended.push(one)
    if (one.code !== 0) break
  }
  return ended
}

interface PodOptions {
  readonly sources: PodSources
  readonly disk: string
  /** Called at the start of each container, with a function that kills it as `kill -9` does. */
  readonly started?: ((kill: () => void) => void) | undefined
}

async function runContainer(
  { name, command = ['landform'], args = [], env = [], workingDir = '/', securityContext }: Container,
  {
    sources,
    inside,
    started,
    pod,
  }: Omit<PodOptions, 'disk'> & { readonly pod: string; inside(text: string): string },
): Promise<EndedContainer> {
  const own = env.map(async ({ name: variable, value, valueFrom }) => {
    const reference = valueFrom?.secretKeyRef
    const text = reference && (await sources.read('secrets', reference.name))[reference.key]
    return [variable, inside(value ?? text ?? '')] as const
  })
  const variables = Object.fromEntries(await Promise.all(own))
  const [program = '', ...words] = [...command, ...args].map(inside)
  const [file = '', ...given] =
    program === 'landform' ? [process.execPath, landformProgram, ...words] : [program, ...words]
  const child = spawn(...asPod([file, ...given], securityContext, pod), {
    cwd: inside(workingDir),
    env: { PATH: process.env['PATH'], HOME: '/', ...sources.network, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  let isKilled = false
  started?.(() => {
    isKilled = true
    // In a separate namespace, kills its first process.
    const { pid } = child
    const children = podsAreApart ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') : `${pid}`
    process.kill(Number.parseInt(children, 10), 'SIGKILL')
  })
  const [code] = await once(child, 'close')
  // `unshare` exits with other codes.
  return { name, code: isKilled ? 137 : (code ?? 137), log }
}

const unshare = [
  'unshare',
  '--pid',
  '--fork',
  '--mount-proc',
  '--uts',
  'sh',
  '-c',
  'hostname "$0" && exec "$@"',
] as const

/** True if pods have their own host name and processes, as in a cluster. Then none can see if a process of another runs. */
export const podsAreApart: boolean =
  process.getuid?.() === 0 && (await runsHere([...unshare, 'pod', 'setpriv', '--version']))

/** Returns the command that runs a program as the user of a pod. Users of OpenShift belong to group 0. */
function asPod(
  words: readonly string[],
  { runAsUser }: Container['securityContext'],
  pod: string,
): readonly [program: string, words: readonly string[]] {
  const mayChoose = runAsUser !== undefined && [landformProgram, process.execPath].every(isOpenToAll)
  const user = mayChoose ? ['setpriv', `--reuid=${runAsUser}`, '--regid=0', '--clear-groups'] : []
  const [program = '', ...rest] = podsAreApart ? [...unshare, pod, ...user, ...words] : words
  return [program, rest]
}

/** Tests whether every user of this machine may read a file. */
function isOpenToAll(path: string): boolean {
  const open = (at: string): boolean =>
    (statSync(at).mode & 1) === 1 && (dirname(at) === at || open(dirname(at)))
  return (statSync(path).mode & 4) === 4 && open(dirname(path))
}

async function readFiles(
  all: readonly Source[],
  { sources, serviceAccountName }: { readonly sources: PodSources; readonly serviceAccountName: string },
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const { configMap, secret, serviceAccountToken } of all) {
    const keyed = configMap ?? secret
    if (keyed !== undefined) {
      const data = await sources.read(configMap === undefined ? 'secrets' : 'configmaps', keyed.name)
      const items = keyed.items ?? Object.keys(data).map(key => ({ key, path: key }))
      for (const { key, path } of items) {
        const text = data[key]
        if (text === undefined) throw new Error(`${keyed.name} has no ${key}`)
        files.set(path, text)
      }
    }
    if (serviceAccountToken !== undefined)
      files.set(serviceAccountToken.path, await sources.token(serviceAccountName))
  }
  return files
}

/** Writes files as the kubelet does: behind a link, which it replaces when a file changes. */
function layDown(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, '..1', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o644 })
  }
  symlinkSync('..1', join(folder, '..data'))
  for (const top of new Set([...files.keys()].map(path => path.split('/')[0] ?? '')))
    symlinkSync(join('..data', top), join(folder, top))
}
