import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isBelow } from '../../library/read-files.js'
import { policyFileNames } from '../../policy/policy.js'
import type { TestFileResult } from '../../report/test-results.js'

/** The parts of the command that watching needs. */
interface WatchPorts {
  /** Lists the test files that exist now. */
  list(): Promise<readonly string[]>
  /** Runs some of them again. */
  again(files: readonly string[]): Promise<readonly TestFileResult[]>
  say(text: string): void
}

/** Reruns the tests that a change affects, until the signal aborts. */
export async function watchTests(
  first: readonly TestFileResult[],
  signal: AbortSignal,
  { list, again, say }: WatchPorts,
): Promise<void> {
  const known = new Map(first.map(one => [one.file, one]))
  const watcher = createFileWatcher(signal)
  try {
    watcher.observe(listWatchedFiles([...known.values()]))
    say(waiting)
    for (;;) {
      await watcher.waitForChange()
      if (signal.aborted) return
      const changed = watcher.changed()
      const there = await list()
      for (const file of known.keys()) if (!there.includes(file)) known.delete(file)
      const affected = there.filter(file => isAffected(known.get(file), changed))
      if (affected.length > 0) {
        for (const one of await again(affected)) known.set(one.file, one)
        say(waiting)
      }
      watcher.observe(listWatchedFiles([...known.values()]))
    }
  } finally {
    watcher.close()
  }
}

const waiting = 'waiting for changes; end with Ctrl-C\n'

/** Lists the files that tests depend on, and the policies that may appear beside them. */
function listWatchedFiles(tested: readonly TestFileResult[]): readonly string[] {
  const files = tested.flatMap(one => [one.file, ...one.files]).map(file => resolve(file))
  const folders = [...new Set(files.map(file => dirname(file)))]
  return [...files, ...folders.flatMap(folder => policyFileNames.map(name => resolve(folder, name)))]
}

/** Tests whether a change affects a test file. A new one was never run; a policy applies to its folder and all below. */
function isAffected(known: TestFileResult | undefined, changed: ReadonlySet<string>): boolean {
  if (known === undefined) return true
  const policies = [...changed].filter(file => policyFileNames.some(name => file.endsWith(name)))
  return (
    known.files.some(file => changed.has(resolve(file))) ||
    policies.some(file => isBelow(dirname(file), resolve(known.file)))
  )
}

/** Waits for the end of a write, because editors write a file in several steps. */
const quietMs = 50

/**
 * Detects that files change, appear or disappear, until it is closed. Watches folders, because a watch on a file would
 * not see its replacement.
 */
function createFileWatcher(signal: AbortSignal) {
  const watchers = new Map<string, FSWatcher>()
  let stamps = new Map<string, string>()
  let hasStirred = signal.aborted
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const stir = () => {
    hasStirred = true
    wake()
  }
  const onTouch = () => {
    clearTimeout(timer)
    timer = setTimeout(stir, quietMs)
  }
  signal.addEventListener('abort', stir)
  return {
    /** Observes these files only. Files that were not observed before count as unchanged. */
    observe(files: readonly string[]) {
      for (const folder of new Set(files.map(file => dirname(file))))
        if (!watchers.has(folder) && existsSync(folder))
          watchers.set(folder, watch(folder, onTouch).on('error', onTouch))
      stamps = new Map(files.map(file => [file, stamps.get(file) ?? computeStamp(file)]))
    },
    /** Returns the files that changed since the last call. */
    changed(): ReadonlySet<string> {
      const before = stamps
      stamps = new Map([...before.keys()].map(file => [file, computeStamp(file)]))
      return new Set([...before].filter(([file, stamp]) => stamps.get(file) !== stamp).map(([file]) => file))
    },
    /** Resolves once anything changes in a folder of the files, or has changed since the last call, or the signal aborts. */
    async waitForChange() {
      if (!hasStirred)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      hasStirred = signal.aborted
    },
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', stir)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** Computes a value that changes whenever a file does. */
function computeStamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? 'none' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`
}
