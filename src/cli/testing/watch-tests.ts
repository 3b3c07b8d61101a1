import { dirname, resolve } from 'node:path'
import { policyFileNames } from '../../policy/policy.js'
import type { TestedFile } from '../../report/testing/tested.js'
import { newLookout } from './lookout.js'

/** What watching needs of the command. */
export interface WatchPorts {
  /** The files of tests that there are now. */
  list(): Promise<readonly string[]>
  /** Runs some of them again. */
  again(files: readonly string[]): Promise<readonly TestedFile[]>
  say(text: string): void
}

/** Runs what a change affects again, until the signal comes. */
export async function watchTests(
  first: readonly TestedFile[],
  signal: AbortSignal,
  { list, again, say }: WatchPorts,
): Promise<void> {
  const known = new Map(first.map(one => [one.file, one]))
  const lookout = newLookout(signal)
  try {
    lookout.lookAt(filesOf([...known.values()]))
    say(waiting)
    for (;;) {
      await lookout.stirred()
      if (signal.aborted) return
      const changed = lookout.changed()
      const there = await list()
      for (const file of known.keys()) if (!there.includes(file)) known.delete(file)
      const affected = there.filter(file => isAffected(known.get(file), changed))
      if (affected.length > 0) {
        for (const one of await again(affected)) known.set(one.file, one)
        say(waiting)
      }
      lookout.lookAt(filesOf([...known.values()]))
    }
  } finally {
    lookout.close()
  }
}

const waiting = 'waiting for changes; end with Ctrl-C\n'

/** What tests depend on, and the policies that there may be beside it. */
function filesOf(tested: readonly TestedFile[]): readonly string[] {
  const files = tested.flatMap(one => [one.file, ...one.files]).map(file => resolve(file))
  const folders = [...new Set(files.map(file => dirname(file)))]
  return [...files, ...folders.flatMap(folder => policyFileNames.map(name => resolve(folder, name)))]
}

/** One that is new was never run; a policy counts for whatever lies in its folder or below. */
function isAffected(known: TestedFile | undefined, changed: ReadonlySet<string>): boolean {
  if (known === undefined) return true
  const policies = [...changed].filter(file => policyFileNames.some(name => file.endsWith(name)))
  return (
    known.files.some(file => changed.has(resolve(file))) ||
    policies.some(file => resolve(known.file).startsWith(dirname(file)))
  )
}
