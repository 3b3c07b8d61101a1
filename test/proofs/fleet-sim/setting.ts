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
