import { realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { baseOf } from '../manifest/extends.js'
import { findPathProblem } from '../manifest/path-problem.js'
import { mergeWithBase, readCleanBase } from '../manifest/quick-base.js'
import type { Source } from '../manifest/source.js'
import type { JsonObject } from '../schema/json-schema.js'
import { isBelow, manifestRoot } from './manifest-root.js'

/** The bases that a run has read, so that each further manifest over one of them costs only its own text. */
export interface KnownBases {
  /** Merges the value of `file` with the base that it extends; `undefined` if that is not known, or unusual. */
  merge(file: string, own: JsonObject): JsonObject | undefined
  /** Records the bases of a manifest, nearest first, which were read without a problem. */
  add(source: Source, file: string, bases: readonly Source[]): void
}

/** Bases are known by their path within the root of the manifest: the rules that allow one are the same for all. */
export function rememberBases(): KnownBases {
  const values = new Map<string, JsonObject | undefined>()
  const folders = new Map<string, { readonly own: string; readonly root: string }>()
  const findKey = (file: string, path: string): string | undefined => {
    const folder = dirname(file)
    const known = folders.get(folder) ?? findFolder(folder)
    folders.set(folder, known)
    const wanted = resolve(known.own, path)
    if (findPathProblem(path) !== undefined || !isBelow(known.root, wanted)) return undefined
    return `${known.root}\0${relative(known.root, wanted)}`
  }
  return {
    merge: (file, own) =>
      mergeWithBase(own, path => {
        const key = findKey(file, path)
        return key === undefined ? undefined : values.get(key)
      }),
    add(source, file, bases) {
      const base = bases.length === 0 ? undefined : baseOf(source)
      const key = base?.kind === 'path' ? findKey(file, base.path) : undefined
      if (key !== undefined && !values.has(key)) values.set(key, readCleanBase(bases))
    },
  }
}

function findFolder(folder: string): { readonly own: string; readonly root: string } {
  const own = realpathSync(folder)
  return { own, root: manifestRoot(own) }
}
