export interface SystemCall {
  readonly name: string
  /** The number of the call among those of its name, from 1. */
  readonly when: number
  readonly text: string
  /** True if the call was made to fail, or the process ended in it. */
  readonly isHit: boolean
}

/** Parses the trace of one thread. */
export function systemCalls(trace: string): readonly SystemCall[] {
  const counts = new Map<string, number>()
  const calls: SystemCall[] = []
  for (const text of trace.split('\n')) {
    const [, name] = /^(\w+)\(/.exec(text) ?? []
    if (name === undefined) continue
    const when = (counts.get(name) ?? 0) + 1
    counts.set(name, when)
    // A call without a result is the one in which the process was killed.
    const isHit = text.endsWith('(INJECTED)') || text.endsWith('= ?')
    calls.push({ name, when, text, isHit })
  }
  return calls
}

/** Tests whether a call is on a folder, its content, or its parent. */
export function isOn({ text }: SystemCall, folder: string, around: string): boolean {
  return text.includes(folder) || text.includes(`"${around}"`) || text.includes(`<${around}>`)
}
