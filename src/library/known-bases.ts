import { lstatSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { findPathProblem } from '../manifest/path-problem.js'
import { mergeWithBase } from '../manifest/quick-check.js'
import { readOrdinaryObject } from '../manifest/quick-value.js'
import { maxLayers } from '../manifest/yaml-limits.js'
import type { JsonObject } from '../schema/json-schema.js'
import { isBelow, manifestRoot } from './manifest-root.js'
import { readNamed } from './read-named.js'

/** The bases that a run has read, so that each further manifest over one of them costs only its own text. */
export interface KnownBases {
  /** Finds the base that `file` extends at that path: the same object for all; `undefined` if it is missing, or unusual. */
  find(file: string, path: string): JsonObject | undefined
  /** The real paths of all bases that were found. */
  readonly used: ReadonlySet<string>
}

/** A base with everything that it extends itself. */
interface Chain {
  readonly value: JsonObject
  readonly files: readonly string[]
}

interface Folder {
  readonly own: string
  readonly root: string
}

export function rememberBases(): KnownBases {
  /** By the root of the manifest and the path in it: the rules that allow a base are the same for all of one root. */
  const chains = new Map<string, Chain | undefined>()
  const folders = new Map<string, Folder>()
  const used = new Set<string>()

  const findChain = ({ own, root }: Folder, path: string): Chain | undefined => {
    const wanted = resolve(own, path)
    if (findPathProblem(path) !== undefined || !isBelow(root, wanted)) return undefined
    const key = `${root}\0${relative(root, wanted)}`
    if (chains.has(key)) return chains.get(key)
    // A base that extends itself finds nothing here.
    chains.set(key, undefined)
    const chain = readChain(wanted, root)
    chains.set(key, chain)
    return chain
  }
  const readChain = (file: string, root: string): Chain | undefined => {
    const reply = isFileItself(file) ? readNamed(file, 'manifest') : undefined
    const own = reply?.ok === true ? readOrdinaryObject(reply.value) : undefined
    if (own === undefined || !('extends' in own)) return own && { value: own, files: [file] }
    return mergeInto(own, { own: dirname(file), root }, file)
  }
  const mergeInto = (own: JsonObject, folder: Folder, file: string): Chain | undefined => {
    let files: readonly string[] = []
    const value = mergeWithBase(own, path => {
      const chain = findChain(folder, path)
      files = [file, ...(chain?.files ?? [])]
      return chain?.value
    })
    return value === undefined || files.length > maxLayers ? undefined : { value, files }
  }
  return {
    used,
    find(file, path) {
      const at = dirname(file)
      const folder = folders.get(at) ?? findFolder(at)
      folders.set(at, folder)
      const chain = findChain(folder, path)
      // The file itself is one more.
      if (chain === undefined || chain.files.length >= maxLayers) return undefined
      for (const one of chain.files) used.add(one)
      return chain.value
    },
  }
}

function findFolder(folder: string): Folder {
  const own = realpathSync(folder)
  return { own, root: manifestRoot(own) }
}

/** True for a regular file that no link leads to; the closer check knows what to do with others. */
function isFileItself(path: string): boolean {
  try {
    return realpathSync(path) === path && lstatSync(path).isFile()
  } catch {
    return false
  }
}
