import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Sees that files change, come or go. Who makes one closes it. */
export interface Lookout {
  /** From now on these files count, as they are now. */
  lookAt(files: readonly string[]): void
  /** The files that are no longer what they were. */
  changed(): ReadonlySet<string>
  /** Resolves when something stirs in a folder of them, or when the signal comes. */
  stirred(signal: AbortSignal): Promise<void>
  close(): void
}

/** An editor writes a file in several steps. */
const quietMs = 50

/** Watches folders, for a file that is replaced is another file. */
export function newLookout(): Lookout {
  const watchers = new Map<string, FSWatcher>()
  let stamps = new Map<string, string>()
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const touched = () => {
    clearTimeout(timer)
    timer = setTimeout(() => wake(), quietMs)
  }
  return {
    lookAt(files) {
      for (const folder of new Set(files.map(file => dirname(file))))
        if (!watchers.has(folder) && existsSync(folder))
          watchers.set(folder, watch(folder, touched).on('error', touched))
      stamps = new Map(files.map(file => [file, stampOf(file)]))
    },
    changed: () =>
      new Set([...stamps].filter(([file, stamp]) => stampOf(file) !== stamp).map(([file]) => file)),
    stirred: signal =>
      new Promise(resolve => {
        wake = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (signal.aborted) resolve()
      }),
    close() {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** What changes whenever a file does. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? 'none' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`
}
