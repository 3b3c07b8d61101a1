import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { type NamedFileDefect, readLimited } from '../../library/read-files.js'
import type { Manifest } from '../../manifest/manifest.js'
import { placementDiagnostics, storageDiagnostics } from '../../plan/placement/cluster-diagnostics.js'
import { type ClusterListReply, clusterCaps } from '../../plan/placement/cluster-list.js'
import { previewPlacement } from '../../plan/placement/node-fit.js'
import { type ClusterNode, readNodes } from '../../plan/placement/nodes.js'
import { previewStorage, readStorageClasses, type StorageClass } from '../../plan/placement/storage.js'
import type { Plan } from '../../plan/plan.js'
import {
  buildPlacementSection,
  buildStorageSection,
  describeListFault,
  listRemedy,
  placementDocument,
  storageDocument,
} from '../../report/cluster-preview.js'
import { display } from '../../report/display.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import { describeNamedFileDefect } from '../../report/file-problem.js'
import type { Section } from '../../report/phrase.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'

export interface ClusterArguments {
  readonly file: string
  readonly nodes: string | undefined
  readonly 'storage-classes': string | undefined
}

/** The data that was read of a cluster; absent where it was not requested. */
interface Cluster {
  readonly nodes?: readonly ClusterNode[]
  readonly storageClasses?: readonly StorageClass[]
}

export type ClusterReply = Result<Cluster, Failure>

/** Standard input can be read once. */
export function refuseSharedInput({ file, nodes, 'storage-classes': classes }: ClusterArguments): void {
  if ([file, nodes, classes].filter(one => one === '-').length > 1)
    throw new UsageError('only one of the manifest, --nodes and --storage-classes can be -, standard input')
}

export async function readCluster(args: ClusterArguments, host: Host): Promise<ClusterReply> {
  const nodes = await read(host, args.nodes, { what: 'node list', of: readNodes })
  if (!nodes.ok) return nodes
  const classes = await read(host, args['storage-classes'], {
    what: 'list of storage classes',
    of: readStorageClasses,
  })
  if (!classes.ok) return classes
  return {
    ok: true,
    value: {
      ...(nodes.value !== undefined && { nodes: nodes.value }),
      ...(classes.value !== undefined && { storageClasses: classes.value }),
    },
  }
}

interface Wanted<T> {
  readonly what: string
  of(bytes: Uint8Array): ClusterListReply<T>
}

type Read<T> = Result<readonly T[] | undefined, Failure>

async function read<T>(host: Host, file: string | undefined, { what, of }: Wanted<T>): Promise<Read<T>> {
  if (file === undefined) return { ok: true, value: undefined }
  const name = file === '-' ? 'on standard input' : display(file)
  // It may be a pipe, as shells make of `<(kubectl …)`.
  const bytes: Result<Uint8Array, NamedFileDefect> =
    file === '-'
      ? { ok: true, value: await host.readInput(clusterCaps.bytes) }
      : readLimited(file, { maxBytes: clusterCaps.bytes })
  if (!bytes.ok) {
    const message = `the ${what} ${name} ${describeNamedFileDefect(bytes.error, 'list')}`
    return { ok: false, error: { exitCode: exitCodes.missing, message } }
  }
  const reading = of(bytes.value)
  if (reading.ok) return reading
  const { pointer, fault } = reading.error
  const message = `the ${what} ${name} cannot be used: ${pointer === '' ? 'it' : pointer} ${describeListFault(fault)}`
  return { ok: false, error: { exitCode: exitCodes.invalid, message, next: listRemedy(reading.error) } }
}

/** A preview of a manifest in a cluster, in every format of a plan. It accompanies the plan and is no part of it. */
export interface ClusterPreview {
  readonly diagnostics: readonly Diagnostic[]
  /** Members of the JSON document of the plan. */
  readonly members: object
  /** The sections of every other format. */
  readonly sections: readonly Section[]
}

/** Of a site that is there already the storage classes are only shown: its volumes are made. */
export function clusterPreview(manifest: Manifest, { actions }: Plan, cluster: Cluster): ClusterPreview {
  const { nodes, storageClasses } = cluster
  const placement = nodes && previewPlacement(manifest.policy, nodes)
  const storage = storageClasses && previewStorage(manifest, storageClasses)
  const creates = actions.some(({ change }) => change === 'create')
  return {
    diagnostics: [
      ...(storage && creates ? storageDiagnostics(manifest, storage) : []),
      ...(placement ? placementDiagnostics(manifest, placement) : []),
    ],
    members: {
      ...(placement && { placement: placementDocument(placement) }),
      ...(storage && { storage: storageDocument(storage) }),
    },
    sections: [
      ...(placement ? [buildPlacementSection(placement)] : []),
      ...(storage ? [buildStorageSection(storage)] : []),
    ],
  }
}
