import { checkBackend } from '../../src/state/check-backend.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { Series, StateBackend, Version } from '../../src/state/series.js'

/** A backend with a list of versions for each key, and a mistake. */
function mistaken(
  change: (series: Series, versions: Version[]) => Partial<Series>,
  keyOf = (site: string) => site,
): StateBackend {
  const kept = new Map<string, Version[]>()
  return {
    kind: 'own',
    where: 'own:place',
    series(site) {
      const versions = kept.get(keyOf(site)) ?? []
      kept.set(keyOf(site), versions)
      const right: Series = {
        where: 'own:place',
        newest: async () => ({ ok: true, value: versions.at(-1) }),
        async add(version) {
          const isNext = version.serial === versions.length + 1
          if (isNext) versions.push(version)
          return { ok: true, value: isNext }
        },
        all: async () => ({ ok: true, value: [...versions] }),
      }
      return { ...right, ...change(right, versions) }
    },
  }
}

const violated = async (backend: () => StateBackend) => {
  const violations = await checkBackend(async () => {
    const one = backend()
    return async () => one
  })
  return violations.map(({ guarantee }) => guarantee)
}

test('a correct backend passes', async () => {
  expect(await violated(() => mistaken(() => ({})))).toEqual([])
  expect(await violated(memoryBackend)).toEqual([])
})

const once = 'gives each number once, also for the same text, and changes nothing'
const atOnce = 'gives a number to one of several runs that ask at once'
const pause = () => new Promise(resolve => setImmediate(resolve))

test.each<[string, () => StateBackend, readonly string[]]>([
  [
    'replaces a document',
    () =>
      mistaken((_, versions) => ({
        async add(version) {
          versions[version.serial - 1] = version
          return { ok: true, value: true }
        },
      })),
    ['begins empty, and leaves no gap', once, atOnce],
  ],
  [
    'says that the same text was added twice',
    () =>
      mistaken(({ add }, versions) => ({
        async add(version) {
          const isSame = versions[version.serial - 1]?.text === version.text
          return isSame ? { ok: true, value: true } : add(version)
        },
      })),
    [once, atOnce],
  ],
  [
    'reads before it adds',
    () =>
      mistaken((_, versions) => ({
        async add(version) {
          const isNext = version.serial === versions.length + 1
          await pause()
          if (isNext) versions[version.serial - 1] = version
          return { ok: true, value: isNext }
        },
      })),
    [atOnce],
  ],
  [
    'sorts numbers as texts',
    () =>
      mistaken((_, versions) => ({
        newest: async () => ({
          ok: true,
          value: versions.toSorted((one, other) => (`${one.serial}` < `${other.serial}` ? -1 : 1)).at(-1),
        }),
      })),
    ['sorts by number, not by text'],
  ],
  [
    'keeps one series for each host',
    () =>
      mistaken(
        () => ({}),
        site => new URL(site).hostname,
      ),
    ['keeps every series apart, whatever its address'],
  ],
  [
    'trims texts',
    () => mistaken(({ add }) => ({ add: version => add({ ...version, text: version.text.trim() }) })),
    ['returns the text that was added, to every run'],
  ],
])('a backend that %s is detected', async (_, backend, guarantees) => {
  expect(await violated(backend)).toEqual(guarantees)
})

test('an exception counts as a violation of the guarantee', async () => {
  const backend = () =>
    mistaken(() => ({
      async all() {
        throw new Error('closed')
      },
    }))
  expect(await violated(backend)).toContain('begins empty, and leaves no gap')
})
