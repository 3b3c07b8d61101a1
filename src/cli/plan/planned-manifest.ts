import { realpath, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import { display } from '../../report/display.js'
import { exitCodes } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'
import { staleFailure } from './plan-refusals.js'

/** Where the plan comes from, and what its user said of it. */
interface Given {
  /** The saved plan, as it was named. */
  readonly file: string
  /** The manifest that it has to be made from, as it was named. */
  readonly pinned: string | undefined
  /** How to plan again. */
  readonly again: string
}

/**
 * Refuses the manifest that a saved plan names where it is another one than the user named; or, where they named none, where
 * it is no regular file at or below the working folder or that of the plan. A plan may come from anywhere, and a path in it
 * was typed by nobody.
 */
export async function manifestRefusal(saved: SavedPlan, given: Given): Promise<Failure | undefined> {
  const { manifest } = saved.plan
  const real = await realPath(manifest)
  if (given.pinned !== undefined) return pinRefusal(manifest, real, { ...given, pinned: given.pinned })
  const folders = await Promise.all(['.', dirname(given.file)].map(realPath))
  const isNear = folders.some(folder => folder !== undefined && real !== undefined && isBelow(folder, real))
  if (isNear || real === undefined) return undefined
  const fact = `the manifest ${display(manifest)}, which lies neither in this folder nor in that of the plan`
  return staleFailure([fact], given.again, `where that manifest is meant, name it with --manifest`)
}

/** True where a path leads to a regular file with content: nobody typed it, and what has no end is not opened. */
export async function isPlainFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  // What the system makes up when it is read has no size, and may never end.
  return found?.isFile() === true && found.size > 0
}

async function pinRefusal(
  manifest: string,
  real: string | undefined,
  { pinned, again }: Given & { readonly pinned: string },
): Promise<Failure | undefined> {
  const named = await realPath(pinned)
  if (named === undefined)
    return { exitCode: exitCodes.missing, message: `the manifest ${display(pinned)} does not exist` }
  if (named === real) return undefined
  return staleFailure(
    [`the manifest: the plan was made from ${display(manifest)}, not from ${display(pinned)}`],
    again,
  )
}

async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
