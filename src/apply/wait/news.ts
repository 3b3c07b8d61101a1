/** The number of reports of each thing, by a key for it. */
export type ReportCounts = ReadonlyMap<string, number>

/** However much a site has to say, nobody reads more, and it must not fill the memory. */
const maxKeys = 100

/** Selects what is still to report, each thing at most a number of times, and counts the reports. */
export function selectNews<T>(
  reported: ReportCounts,
  things: readonly T[],
  { key, most }: { readonly key: (thing: T) => string; readonly most: number },
): { readonly told: ReportCounts; readonly tell: readonly T[] } {
  const after = new Map(reported)
  const report = things.filter(thing => {
    const name = key(thing)
    const times = after.get(name) ?? 0
    if (times >= most || (times === 0 && after.size >= maxKeys)) return false
    after.set(name, times + 1)
    return true
  })
  return { told: after, tell: report }
}
