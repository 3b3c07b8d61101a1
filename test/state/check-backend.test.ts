import { type BackendViolation, checkBackend, type OpenPlace } from '../../src/state/check-backend.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import {
  type Addition,
  type Series,
  type StateBackend,
  siteKey,
  type Version,
} from '../../src/state/series.js'
import { addingBy } from '../support/some-state.js'

/** A backend with a list of versions for each key, and a mistake. */
function mistaken(
  change: (series: Series, versions: Version[], site: string) => Partial<Series>,
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
      return { ...right, ...change(right, versions, site) }
    },
  }
}

/** Returns a backend that creates documents of several series with one call. */
function together(addTogether: (add: (one: Addition) => Promise<boolean>) => AddTogether): StateBackend {
  const backend = mistaken(() => ({}), siteKey)
  const add = async ({ site, version }: Addition) => {
    const reply = await backend.series(site).add(version)
    return reply.ok && reply.value
  }
  return { ...backend, addTogether: addTogether(add) }
}

type AddTogether = NonNullable<StateBackend['addTogether']>

const violationsOf = (backend: () => StateBackend) =>
  checkBackend(async () => {
    const one = backend()
    return async () => one
  })

const violated = async (backend: () => StateBackend) => {
  const violations = await violationsOf(backend)
  return violations.map(({ guarantee }) => guarantee)
}

test('a correct backend passes', async () => {
  expect(await violated(() => mistaken(() => ({})))).toEqual([])
  expect(await violated(memoryBackend)).toEqual([])
  expect(await violated(() => together(addInOrder))).toEqual([])
})

const addInOrder =
  (add: (one: Addition) => Promise<boolean>): AddTogether =>
  async additions => {
    let value = 0
    while (value < additions.length && (await add(additions[value] as Addition))) value += 1
    return { ok: true, value }
  }

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

const empty = 'begins empty, and leaves no gap'
const text = 'returns the text that was added, to every run'
const byNumber = 'sorts by number, not by text'
const apart = 'keeps every series apart, whatever its address'
const inOrder = 'adds together in the given order, up to the first number that is taken'
const found = <T>(value: T) => ({ ok: true, value })
const [added, taken] = [found(true), found(false)]
const first = 'https://gis.example.org/arcgis/admin'
const withUnixLines = (version: Version) => ({ ...version, text: version.text.replaceAll('\r\n', '\n') })
const international = 'ünï\r\n\0 \u{1f600}'

test.each<[string, () => StateBackend, readonly BackendViolation[]]>([
  [
    'has an old document until the first one is added',
    () => {
      let wasAsked = false
      const old = { serial: 7, text: 'old' }
      return mistaken(({ add, newest }) => ({
        newest: () => (wasAsked ? newest() : Promise.resolve({ ok: true, value: old })),
        add(version) {
          wasAsked = true
          return add(version)
        },
      }))
    },
    [empty, once].map(guarantee => ({
      guarantee,
      actual: found({ serial: 7, text: 'old' }),
      expected: found(undefined),
    })),
  ],
  [
    'says that it added a document after a gap',
    () =>
      mistaken(({ add }, versions) => ({
        add: version =>
          version.serial > versions.length + 1 ? Promise.resolve({ ok: true, value: true }) : add(version),
      })),
    [{ guarantee: empty, actual: true, expected: false }],
  ],
  [
    'keeps a document that it rejected',
    () => {
      let rejected: Version | undefined
      return mistaken(({ add, newest }) => ({
        newest: () => (rejected ? Promise.resolve({ ok: true, value: rejected }) : newest()),
        async add(version) {
          const reply = await add(version)
          if (reply.ok && !reply.value) rejected = version
          return reply
        },
      }))
    },
    [{ guarantee: empty, actual: found({ serial: 2, text: 'too early' }), expected: found(undefined) }],
  ],
  [
    'replaces a document and says that it did not',
    () =>
      mistaken(({ add }, versions) => ({
        add(version) {
          if (version.serial <= versions.length) versions[version.serial - 1] = version
          return add(version)
        },
      })),
    [
      {
        guarantee: once,
        actual: found([{ serial: 1, text: 'other' }]),
        expected: found([{ serial: 1, text: 'same' }]),
      },
    ],
  ],
  [
    'replaces a document by another text',
    () =>
      mistaken(({ add }, versions) => ({
        add: version =>
          [undefined, version.text].includes(versions[version.serial - 1]?.text)
            ? add(version)
            : Promise.resolve({ ok: true, value: true }),
      })),
    [{ guarantee: once, actual: added, expected: taken }],
  ],
  [
    'has no empty document',
    () =>
      mistaken((_, versions) => ({
        newest: async () => ({ ok: true, value: versions.findLast(one => one.text !== '') }),
      })),
    [
      {
        guarantee: text,
        actual: found({ serial: 2, text: international }),
        expected: found({ serial: 3, text: '' }),
      },
    ],
  ],
  [
    'changes the ends of lines when it reads the newest document',
    () =>
      mistaken((_, versions) => ({
        newest: async () => ({ ok: true, value: versions.slice(-1).map(withUnixLines)[0] }),
      })),
    [
      {
        guarantee: text,
        actual: found({ serial: 2, text: international.replace('\r', '') }),
        expected: found({ serial: 2, text: international }),
      },
    ],
  ],
  [
    'changes the ends of lines when it reads every document',
    () =>
      mistaken((_, versions) => ({ all: async () => ({ ok: true, value: versions.map(withUnixLines) }) })),
    [
      {
        guarantee: text,
        actual: found([
          { serial: 1, text: '{"n":1}\n' },
          { serial: 2, text: international.replace('\r', '') },
          { serial: 3, text: '' },
        ]),
        expected: found([
          { serial: 1, text: '{"n":1}\n' },
          { serial: 2, text: international },
          { serial: 3, text: '' },
        ]),
      },
    ],
  ],
  [
    'excludes other runs only twice',
    () =>
      mistaken(({ add }) => ({
        async add(version) {
          const reply = await add(version)
          return version.serial < 3 ? reply : { ok: true, value: true }
        },
      })),
    [{ guarantee: atOnce, actual: [1, 1, 1, 1], expected: [0, 0, 0, 1] }],
  ],
  [
    'has the first text under every number',
    () =>
      mistaken((_, versions) => ({
        newest: async () => ({
          ok: true,
          value: versions[0] && { serial: versions.length, text: versions[0].text },
        }),
      })),
    [
      {
        guarantee: text,
        actual: found({ serial: 2, text: '{"n":1}\n' }),
        expected: found({ serial: 2, text: international }),
      },
      {
        guarantee: byNumber,
        actual: found({ serial: 12, text: '0' }),
        expected: found({ serial: 12, text: '11' }),
      },
      {
        guarantee: apart,
        actual: found({ serial: 2, text: 'first of 0' }),
        expected: found({ serial: 2, text: 'second' }),
      },
    ],
  ],
  [
    'reads one series for all addresses that are not https',
    () => {
      const others: Version[] = []
      return mistaken(({ add }, _, site) => {
        if (site.startsWith('https:')) return {}
        return {
          newest: async () => ({ ok: true, value: others.at(-1) }),
          add(version) {
            others.push(version)
            return add(version)
          },
        }
      })
    },
    [
      {
        guarantee: apart,
        actual: found({ serial: 1, text: 'first of 7' }),
        expected: found({ serial: 1, text: 'first of 3' }),
      },
    ],
  ],
  [
    'counts one too few of the documents that it adds together',
    () =>
      together(add => async additions => {
        const reply = await addInOrder(add)(additions)
        return reply.ok ? { ok: true, value: Math.max(reply.value - 1, 0) } : reply
      }),
    [{ guarantee: inOrder, actual: found(1), expected: found(2) }],
  ],
  [
    'goes on after a number that is taken',
    () =>
      together(add => async additions => {
        let value = 0
        for (const one of additions) if (await add(one)) value += 1
        return { ok: true, value }
      }),
    [{ guarantee: inOrder, actual: found(1), expected: found(0) }],
  ],
  [
    'goes on after a number that is taken, and says that it did not',
    () =>
      together(add => async additions => {
        const replies: boolean[] = []
        for (const one of additions) replies.push(await add(one))
        return { ok: true, value: [...replies, false].indexOf(false) }
      }),
    [
      {
        guarantee: inOrder,
        actual: found({ serial: 2, text: `2 of ${first}` }),
        expected: found({ serial: 1, text: `1 of ${first}` }),
      },
    ],
  ],
])('a backend that %s is detected by its reply', async (_, backend, violations) => {
  expect(await violationsOf(backend)).toEqual(violations)
})

test('a backend that sorts the numbers of all documents as texts is detected', async () => {
  const backend = () =>
    mistaken((_, versions) => ({
      all: async () => ({
        ok: true,
        value: versions.toSorted((one, other) => (`${one.serial}` < `${other.serial}` ? -1 : 1)),
      }),
    }))
  expect(await violated(backend)).toEqual([byNumber])
})

test('a backend that rejects long addresses is detected', async () => {
  const backend = () =>
    mistaken(
      () => ({}),
      site => {
        if (site.length > 200) throw new Error('too long')
        return site
      },
    )
  expect(await violationsOf(backend)).toEqual([
    { guarantee: apart, actual: new Error('too long'), expected: 'a reply, not an exception' },
  ])
})

test.each<[string, (run: object, adders: readonly object[]) => boolean]>([
  ['no run may add documents after another run', (run, adders) => adders.every(one => one === run)],
  [
    'no run may add documents again after another run',
    (run, adders) => !adders.includes(run) || adders.at(-1) === run,
  ],
])('a place where %s is detected', async (_, mayAdd) => {
  const makePlace = async (): Promise<OpenPlace> => {
    const place = memoryBackend()
    const adders: object[] = []
    return async () => {
      const run = {}
      return addingBy(place, async (series, version) => {
        if (!mayAdd(run, adders)) return { ok: true, value: false }
        adders.push(run)
        return series.add(version)
      })
    }
  }
  expect(await checkBackend(makePlace)).toEqual([{ guarantee: text, actual: taken, expected: added }])
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
