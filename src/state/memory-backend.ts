import type { StateBackend, Version } from './series.js'

/** Keeps state until the process ends, for an emulator in the same process. */
export function memoryBackend(): StateBackend {
  const sites = new Map<string, Version[]>()
  const where = 'memory'
  return {
    kind: 'memory',
    isTemporary: true,
    where,
    series(site) {
      const versions = sites.get(site) ?? []
      sites.set(site, versions)
      return {
        where,
        newest: async () => ({ ok: true, value: versions.at(-1) }),
        async add(version) {
          const isNext = version.serial === versions.length + 1
          if (isNext) versions.push(version)
          return { ok: true, value: isNext }
        },
        all: async (_, last = versions.length) => ({ ok: true, value: versions.slice(-last) }),
      }
    },
  }
}
