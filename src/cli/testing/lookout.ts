import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Sees that files change, come or go. Who makes one closes it. */
export interface Lookout {
  /** From now on these files count: those that are new to it as they are now. */
  lookAt(files: readonly string[]): void
  /** The files that are no longer what they were when this was asked last. */
  changed(): ReadonlySet<string>
  /** Resolves when something stirs in a folder of them, or has since it was asked last, or when the signal comes. */
  stirred(): Promise<void>
  close(): void
}

/** An editor writes a file in several steps. */
const quietMs = 50

/** Watches folders, for a file that is replaced is another file. */
export function newLookout(signal: AbortSignal): Lookout {
  const watchers = new Map<string, FSWatcher>()
  let stamps = new Map<string, string>()
  let hasStirred = signal.aborted
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const stir = () => {
    hasStirred = true
    wake()
  }
  const touched = () => {
    clearTimeout(timer)
    timer = setTimeout(stir, quietMs)
  }
  signal.addEventListener('abort', stir)
  return {
    lookAt(files) {
      for (const folder of new Set(files.map(file => dirname(file))))
        if (!watchers.has(folder) && existsSync(folder))
          watchers.set(folder, watch(folder, touched).on('error', touched))
      stamps = new Map(files.map(file => [file, stamps.get(file) ?? stampOf(file)]))
    },
    changed() {
      const before = stamps
      stamps = new Map([...before.keys()].map(file => [file, stampOf(file)]))
      return new Set([...before].filter(([file, stamp]) => stamps.get(file) !== stamp).map(([file]) => file))
    },
    async stirred() {
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

/** What changes whenever a file does. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? 'none' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`
}
