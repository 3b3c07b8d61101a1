import { dirname } from 'node:path'
import type { Disk, DiskFile, FileFacts } from '../../../src/state/machine.js'

/** Performs a call to the disk. `perform` gets the name of its fault, if it has one, and takes effect at once. */
export type DiskCall = (call: DiskKind, perform: (fault?: string) => void) => Promise<void>

/** The calls that change something or flush it, and the calls that only read. */
export type DiskKind =
  | 'mkdir'
  | 'create'
  | 'write'
  | 'sync'
  | 'sync-folder'
  | 'link'
  | 'rm'
  | 'readdir'
  | 'read'

const errors = ['EIO', 'ENOSPC'] as const
type ErrorCode = (typeof errors)[number] | 'ENOENT' | 'EEXIST'

/** The faults of each call, in addition to crashes and power losses. */
export const diskFaults = {
  mkdir: ['ENOSPC'],
  create: ['ENOSPC'],
  write: ['ENOSPC', 'EIO'],
  sync: ['EIO'],
  'sync-folder': ['EIO'],
  link: ['EIO', 'ENOSPC'],
  rm: ['EIO'],
  readdir: ['EIO'],
  read: ['EIO'],
} as const satisfies Readonly<Record<DiskKind, readonly (typeof errors)[number][]>>

/** The fate of data that was not flushed. */
export const dataLosses = ['gone', 'whole', 'half', 'zeros'] as const
export type DataLoss = (typeof dataLosses)[number]

/** A power loss: decides which unflushed name changes survive, by their number, and the fate of unflushed data. */
export interface Loss {
  keepsName(change: number): boolean
  readonly data: DataLoss
}

interface File {
  readonly kind: 'file'
  readonly id: number
  text: string
  /** The bytes on the platter. */
  durable: string
  /** After a failed flush the system treats the data as written, and no later flush writes it (fsyncgate). */
  isForgotten: boolean
}

interface Folder {
  readonly kind: 'folder'
  readonly id: number
  names: Map<string, Node>
  /** The names on the platter, and the later changes, in order. */
  durable: Map<string, Node>
  pending: Change[]
}

type Node = File | Folder
interface Change {
  readonly name: string
  /** Absent if the name is removed. */
  readonly node?: Node
}

/**
 * A disk that guarantees no more than POSIX does: data is durable once its file was flushed, a name once its folder was. Until
 * then, a power loss may undo a change, keep it, or keep a later change without an earlier one. The death of a process undoes
 * nothing. Modelled on ALICE (Pillai and others, OSDI 2014).
 */
export interface SimDisk {
  /** Returns the disk as one process uses it. */
  reachedBy(call: DiskCall): Disk
  readonly unflushedNames: number
  readonly hasUnflushedData: boolean
  losePower(loss: Loss): void
  /** Reads each file of a folder, by name, without faults. */
  filesIn(folder: string): ReadonlyMap<string, string>
}

/** Creates an empty disk. The given folders are durable. */
export function simDisk(existing: readonly string[]): SimDisk {
  let made = 0
  const newFolder = (): Folder => {
    made += 1
    return { kind: 'folder', id: made, names: new Map(), durable: new Map(), pending: [] }
  }
  const root = newFolder()
  const nodes = new Set<Node>([root])
  const find = (path: string): Node | undefined => {
    let node: Node | undefined = root
    for (const name of path.split('/').filter(part => part !== ''))
      node = node?.kind === 'folder' ? node.names.get(name) : undefined
    return node
  }
  const need = (path: string, syscall: string): Node => find(path) ?? failing('ENOENT', syscall, path)
  const folderOf = (path: string, syscall: string): Folder => {
    const folder = need(dirname(path), syscall)
    return folder.kind === 'folder' ? folder : failing('ENOENT', syscall, path)
  }
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const change = (folder: Folder, { name, node }: Change) => {
    if (node === undefined) folder.names.delete(name)
    else folder.names.set(name, node)
    folder.pending.push({ name, ...(node !== undefined && { node }) })
    if (node !== undefined) nodes.add(node)
  }
  const flush = (folder: Folder) => {
    folder.durable = new Map(folder.names)
    folder.pending = []
  }
  const makeFolders = (path: string): string | undefined => {
    if (find(path) !== undefined) return undefined
    const first = makeFolders(dirname(path))
    change(folderOf(path, 'mkdir'), { name: nameOf(path), node: newFolder() })
    return first ?? path
  }
  for (const path of existing) makeFolders(path)
  for (const node of nodes) if (node.kind === 'folder') flush(node)

  const opened = (node: Node, path: string, call: DiskCall): DiskFile => ({
    stat: async () => factsOf(node),
    close: async () => undefined,
    async readFile() {
      await call('read', fault => failIf(fault, 'read', path))
      return node.kind === 'file' ? node.text : failing('EIO', 'read', path)
    },
    writeFile: text =>
      call('write', fault => {
        if (node.kind !== 'file') return
        node.text = isError(fault) ? text.slice(0, text.length / 2) : text
        failIf(fault, 'write', path)
      }),
    sync: () =>
      call(node.kind === 'file' ? 'sync' : 'sync-folder', fault => {
        // A failed flush leaves names pending, because a failed journal keeps failing. Data is forgotten instead.
        if (node.kind === 'file' && isError(fault)) node.isForgotten = true
        failIf(fault, 'fsync', path)
        if (node.kind === 'folder') flush(node)
        else if (!node.isForgotten) node.durable = node.text
      }),
  })
  return {
    reachedBy: call => ({
      async open(path, flags) {
        if (flags !== 'wx') return opened(need(path, 'open'), path, call)
        let file: File | undefined
        await call('create', fault => {
          failIf(fault, 'open', path)
          if (find(path) !== undefined) failing('EEXIST', 'open', path)
          made += 1
          file = { kind: 'file', id: made, text: '', durable: '', isForgotten: false }
          change(folderOf(path, 'open'), { name: nameOf(path), node: file })
        })
        return opened(file ?? need(path, 'open'), path, call)
      },
      async mkdir(path) {
        if (find(path) !== undefined) return undefined
        let first: string | undefined
        await call('mkdir', fault => {
          failIf(fault, 'mkdir', path)
          first = makeFolders(path)
        })
        return first
      },
      link: (file, path) =>
        call('link', fault => {
          failIf(fault, 'link', path)
          const node = need(file, 'link')
          if (find(path) !== undefined) failing('EEXIST', 'link', path)
          change(folderOf(path, 'link'), { name: nameOf(path), node })
        }),
      rm: path =>
        call('rm', fault => {
          failIf(fault, 'unlink', path)
          if (find(path) !== undefined) change(folderOf(path, 'unlink'), { name: nameOf(path) })
        }),
      async readdir(path) {
        await call('readdir', fault => failIf(fault, 'scandir', path))
        const node = need(path, 'scandir')
        return node.kind === 'folder' ? [...node.names.keys()] : []
      },
      stat: async path => factsOf(need(path, 'stat')),
      lstat: async path => factsOf(need(path, 'lstat')),
    }),
    get unflushedNames() {
      return [...nodes].reduce((sum, node) => sum + (node.kind === 'folder' ? node.pending.length : 0), 0)
    },
    get hasUnflushedData() {
      return [...nodes].some(node => node.kind === 'file' && node.text !== node.durable)
    },
    losePower({ keepsName, data }) {
      let number = 0
      for (const node of nodes) {
        if (node.kind === 'file') {
          node.text = survivorOf(node, data)
          node.durable = node.text
          continue
        }
        for (const { name, node: kept } of node.pending) {
          if (keepsName(number)) {
            if (kept === undefined) node.durable.delete(name)
            else node.durable.set(name, kept)
          }
          number += 1
        }
        node.names = new Map(node.durable)
        node.pending = []
      }
    },
    filesIn(path) {
      const folder = find(path)
      const files = new Map<string, string>()
      if (folder?.kind === 'folder')
        for (const [name, node] of folder.names) if (node.kind === 'file') files.set(name, node.text)
      return files
    },
  }
}

function survivorOf({ text, durable }: File, data: DataLoss): string {
  if (text === durable) return text
  switch (data) {
    case 'gone':
      return durable
    case 'whole':
      return text
    case 'half':
      return text.slice(0, text.length / 2)
    case 'zeros':
      return '\0'.repeat(text.length)
  }
}

function factsOf(node: Node): FileFacts {
  const isFolder = node.kind === 'folder'
  return {
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isSymbolicLink: () => false,
    uid: process.getuid?.() ?? 0,
    mode: isFolder ? 0o700 : 0o600,
    ino: node.id,
    dev: 1,
  }
}

function isError(fault: string | undefined): boolean {
  return errors.some(code => code === fault)
}

function failIf(fault: string | undefined, syscall: string, path: string): void {
  const code = errors.find(known => known === fault)
  if (code !== undefined) failing(code, syscall, path)
}

function failing(code: ErrorCode, syscall: string, path: string): never {
  throw Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path })
}
