import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { policyFileNames } from '../../policy/policy.js'
import type { TestedFile } from '../../report/testing/tested.js'

/** What watching needs of the command. */
export interface WatchPorts {
  /** The files of tests that there are now. */
  list(): Promise<readonly string[]>
  /** Runs some of them again. */
  again(files: readonly string[]): Promise<readonly TestedFile[]>
  say(text: string): void
}

/** An editor writes a file in several steps. */
const quietMs = 50

/** Runs what a change affects again, until the signal comes. */
export async function watchTests(
  first: readonly TestedFile[],
  signal: AbortSignal,
  { list, again, say }: WatchPorts,
): Promise<void> {
  const known = new Map(first.map(one => [one.file, one]))
  const watchers = new Map<string, FSWatcher>()
  let stamps = new Map<string, string>()
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const touched = () => {
    clearTimeout(timer)
    timer = setTimeout(() => wake(), quietMs)
  }
  const look = () => {
    const files = [...known.values()].flatMap(one => one.files.map(path => resolve(path)))
    const folders = new Set(
      [...files, ...[...known.keys()].map(file => resolve(file))].map(file => dirname(file)),
    )
    for (const folder of folders)
      if (!watchers.has(folder) && existsSync(folder))
        watchers.set(folder, watch(folder, touched).on('error', touched))
    const policies = [...folders].flatMap(folder => policyFileNames.map(name => resolve(folder, name)))
    stamps = new Map([...files, ...policies].map(file => [file, stampOf(file)]))
  }
  look()
  say(waiting)
  signal.addEventListener('abort', () => wake())
  while (!signal.aborted) {
    await new Promise<void>(resolve => {
      wake = resolve
      if (signal.aborted) resolve()
    })
    if (signal.aborted) break
    const changed = new Set(
      [...stamps].filter(([file, stamp]) => stampOf(file) !== stamp).map(([file]) => file),
    )
    const there = await list()
    for (const file of known.keys()) if (!there.includes(file)) known.delete(file)
    const affected = there.filter(file => isAffected(known.get(file), changed))
    if (affected.length > 0) {
      for (const one of await again(affected)) known.set(one.file, one)
      say(waiting)
    }
    look()
  }
  clearTimeout(timer)
  for (const watcher of watchers.values()) watcher.close()
}

const waiting = 'waiting for changes; end with Ctrl-C\n'

/** One that is new was never run; a policy counts for whatever lies in its folder or below. */
function isAffected(known: TestedFile | undefined, changed: ReadonlySet<string>): boolean {
  if (known === undefined) return true
  const policies = [...changed].filter(file => policyFileNames.some(name => file.endsWith(name)))
  return (
    known.files.some(file => changed.has(resolve(file))) ||
    policies.some(file => resolve(known.file).startsWith(dirname(file)))
  )
}

/** What changes whenever a file does. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? 'none' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`
}
