/** A call as strace shows it. */
export interface SystemCall {
  readonly name: string
  /** Counts the calls of this name, from 1. */
  readonly when: number
  readonly text: string
  /** It was made to fail, or the process ended in it. */
  readonly isHit: boolean
}

/** The calls of a trace of one thread, in order. */
export function systemCalls(trace: string): readonly SystemCall[] {
  const counts = new Map<string, number>()
  const calls: SystemCall[] = []
  for (const text of trace.split('\n')) {
    const [, name] = /^(\w+)\(/.exec(text) ?? []
    if (name === undefined) continue
    const when = (counts.get(name) ?? 0) + 1
    counts.set(name, when)
    // What has no result is what the process was killed in.
    const isHit = text.endsWith('(INJECTED)') || text.endsWith('= ?')
    calls.push({ name, when, text, isHit })
  }
  return calls
}

/** True of a call on a folder, on what is in it, or on the folder around it. */
export function isOn({ text }: SystemCall, folder: string, around: string): boolean {
  return text.includes(folder) || text.includes(`"${around}"`) || text.includes(`<${around}>`)
}
