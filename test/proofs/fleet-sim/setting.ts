import { computeFraction } from '../../../src/emulator/service/timeline.js'

/** A fleet that is played: how much of it there is, and what befalls it. Times in milliseconds. */
export interface Setting {
  readonly seed: number
  readonly sites: number
  readonly workers: number
  /** How many sites a worker has at once. */
  readonly limit: number
  /** How many sites all workers have at once. */
  readonly fleetLimit?: number
  /** As `--waves` takes them. */
  readonly waves: string
  readonly keepsGoing: boolean
  /** So many more sites, submitted later, that are to go first. */
  readonly urgent?: { readonly sites: number; readonly afterMs: number }
  /** So many of the last sites are submitted once more, later: what of them has not begun by then never is. */
  readonly again?: { readonly sites: number; readonly afterMs: number }
  /** Workers that die and never come back. */
  readonly deaths: readonly { readonly worker: number; readonly atMs: number }[]
  /** What the engine does wrong, on purpose. */
  readonly mistake?: Mistake
}

export const mistakes = [
  'ignores the fleet limit',
  'ignores the limit of a worker',
  'takes any site next',
  'takes a site twice at once',
  'leaves the sites of dead workers',
  'begins every wave at once',
  'begins what was submitted again since',
] as const
export type Mistake = (typeof mistakes)[number]

/** How fast the parts of a fleet move: the queue is looked at every second, and a lease lasts for ten. */
export const pace = { queueMs: 1000, leaseMs: 10_000, orphansMs: 3000, waveMs: 3000 } as const

/** The longest that a site of a dead worker may go unnoticed. */
export const mostUnnoticedMs = 15_000

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** A fleet in which nothing happens but work. */
export function aSetting(changes: Partial<Setting> = {}): Setting {
  return {
    seed: 1,
    sites: 100,
    workers: 4,
    limit: 5,
    waves: '100%',
    keepsGoing: true,
    deaths: [],
    ...changes,
  }
}

const waves = ['100%', '1,10%,100%', '50%', '3,6,20%']

/** A fleet of some dozens of sites to which everything may happen, by a seed. */
export function smallFleet(seed: number): Setting {
  const draw = (what: string, from: number, to: number) =>
    from + Math.floor(computeFraction(seed, `small ${what}`) * (to - from + 1))
  const workers = draw('workers', 2, 6)
  const sites = draw('sites', 20, 120)
  const deaths = Array.from({ length: draw('deaths', 0, workers - 1) }, (_, worker) => ({
    worker,
    atMs: computeFraction(seed, `death ${worker}`) * 6 * hourMs,
  }))
  return aSetting({
    seed,
    workers,
    sites,
    limit: draw('limit', 2, 12),
    ...(draw('is limited', 0, 1) === 1 && { fleetLimit: draw('fleet limit', 3, 30) }),
    keepsGoing: draw('keeps going', 0, 1) === 1,
    waves: waves[draw('waves', 0, waves.length - 1)] ?? '100%',
    ...(draw('is urgent', 0, 1) === 1 && {
      urgent: { sites: draw('urgent', 1, 20), afterMs: draw('urgent after', 0, 3) * hourMs },
    }),
    ...(draw('is again', 0, 1) === 1 && {
      again: { sites: draw('again', 1, sites), afterMs: (draw('again after', 0, 12) / 4) * hourMs },
    }),
    deaths,
  })
}

/** A fleet whose course is worth a line in the documentation. */
export interface Scenario {
  /** Ends the sentence "a fleet …". */
  readonly what: string
  readonly setting: Setting
}

const ten = { workers: 10, limit: 50 }

/** The same fleet, and what may befall it. */
export function scenarios(sites: number): readonly Scenario[] {
  const share = (part: number) => Math.max(1, Math.round(sites * part))
  const of = (changes: Partial<Setting>) => aSetting({ seed: 9, sites, ...ten, ...changes })
  const half = Array.from({ length: 5 }, (_, worker) => ({ worker, atMs: (4 + worker / 10) * hourMs }))
  return [
    { what: 'of ten workers with fifty sites each', setting: of({}) },
    { what: 'of which 200 sites are under way at once', setting: of({ fleetLimit: 200 }) },
    { what: 'that begins with one site, then a tenth', setting: of({ waves: '1,10%,100%' }) },
    { what: 'that loses half of its workers after four hours', setting: of({ deaths: half }) },
    {
      what: 'that gets a hundredth more after six hours, to go first',
      setting: of({ urgent: { sites: share(0.01), afterMs: 6 * hourMs } }),
    },
    {
      what: 'of which a third is submitted again after an hour',
      setting: of({ again: { sites: share(1 / 3), afterMs: hourMs } }),
    },
    { what: 'of two workers with twenty sites each', setting: of({ workers: 2, limit: 20 }) },
  ]
}
