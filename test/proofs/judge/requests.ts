import type { RunState } from '../../../src/plan/run-state.js'

/** One request to one of many sites, as the service saw it; times in milliseconds since 1970. */
export interface Seen {
  /** When it was carried out. */
  readonly at: number
  /** From 1. */
  readonly site: number
  readonly operation: string
  /** The name of the process that sent it; empty if it has none. */
  readonly by: string
  /** True if the service accepted it, whatever its sender received. */
  readonly accepted: boolean
}

/** A process that lost its sites: it was killed, or suspended for longer than its lease. */
export interface Loss {
  readonly by: string
  readonly at: number
}

/** The newest run of a site. */
export interface FleetRun {
  /** From 1. */
  readonly site: number
  readonly state: RunState
  readonly exitCode: number | null
  readonly message: string | null
}

/** Facts about several processes that share many sites, in addition to their requests. */
export interface FleetFacts {
  readonly sites: readonly number[]
  /** Sites that may end in any state, but never get two requests. All others must be configured and updated in the end. */
  readonly faulty?: readonly number[]
  /** The last run of each site, as the database has it. */
  readonly runs?: readonly FleetRun[]
  readonly losses: readonly Loss[]
  /** The ends of processes, each with its expected codes. */
  readonly ends?: readonly (readonly [who: string, code: unknown, ...right: (number | string)[]])[]
  /** The number of sites that may be worked on at once. */
  readonly limit?: number
  /** False if a worker leaves a site and returns to it: then the requests do not show how many sites are worked on at once. */
  readonly isCountedAtService?: boolean
  /** Other counts of the sites that were worked on at once, by their source. */
  readonly peaks?: Readonly<Record<string, number>>
  /** The time within which another process must poll a site of a lost one. */
  readonly touchMs?: number
  /** Processes outside the fleet: they may only poll a site that another process works on. */
  readonly visitors?: readonly string[]
  /** Processes without a database: they may poll a site until it is ready, while another takes it over. */
  readonly cutOff?: readonly string[]
}

/** A request may still arrive this long after its sender has ended. */
const travelMs = 500

export interface Judgement {
  readonly violations: readonly string[]
  /** The number of sites whose configuration was accepted. */
  readonly configured: number
  /** The times from each loss to the first request of another process to each of its sites, sorted. */
  readonly touchesMs: readonly number[]
  /** The most sites that were worked on at once. */
  readonly most: number
}

/** Judges I1, I2, I5 and the limit of the fleet, by the requests and the runs of many sites. */
export function judgeRequests(seen: readonly Seen[], facts: FleetFacts): Judgement {
  const { ends = [], faulty = [], limit = Number.POSITIVE_INFINITY, losses, peaks, runs = [] } = facts
  const isCountedAtService = facts.isCountedAtService ?? true
  const sites = bySite(seen)
  const touches = losses.flatMap(loss => touchesAfter(loss, sites))
  const most = mostAtOnce(sites, losses)
  const ambiguous = runs.filter(({ state }) => state === 'ambiguous').map(({ site }) => site)
  const exempt = new Set([...faulty, ...ambiguous])
  const sound = facts.sites.filter(site => !exempt.has(site))
  const isConfigured = (site: number) => sites.get(site)?.some(is('configure')) === true
  return {
    violations: [
      ...[...sites].flatMap(([site, requests]) => [...findRunViolations(site, requests, facts)]),
      ...sound.flatMap(site => [...findUnfinished(site, sites.get(site))]),
      ...runs
        .filter(({ site, state }) => !exempt.has(site) && state !== 'done')
        .map(run => `I5: ${formatRun(run)}`),
      ...runs
        .filter(({ site }) => ambiguous.includes(site) && !faulty.includes(site) && isConfigured(site))
        .map(run => `I2: ${formatRun(run)}, but the site is configured`),
      ...ends
        .filter(([, code, ...right]) => !right.some(one => one === code))
        .map(([who, code, ...right]) => `I2: ${who} ended with ${code}, not ${right.join(' or ')}`),
      ...touches.flatMap(touch => findTouchViolation(touch, facts)),
      ...Object.entries({ ...(isCountedAtService && { service: most }), ...peaks })
        .filter(([, count]) => count > limit)
        .map(([who, count]) => `limit: ${count} sites at once by the ${who}, and the limit is ${limit}`),
    ],
    configured: [...sites.keys()].filter(isConfigured).length,
    touchesMs: touches.flatMap(({ afterMs }) => afterMs ?? []).sort((a, b) => a - b),
    most,
  }
}

function formatRun({ site, state, exitCode, message }: FleetRun): string {
  return `site ${site} is ${state} (${exitCode ?? 'no exit code'}): ${message ?? 'no message'}`
}

function* findUnfinished(site: number, requests: readonly Seen[] | undefined) {
  if (requests === undefined) yield `I5: site ${site} was never polled`
  else
    for (const operation of ['configure', 'update'])
      if (!requests.some(is(operation))) yield `I5: site ${site} has no ${operation} in the end`
}

function* findRunViolations(
  site: number,
  requests: readonly Seen[],
  { losses, visitors = [], cutOff = [] }: FleetFacts,
) {
  const asked = requests.filter(({ operation }) => operation === 'configure').length
  if (asked > 1) yield `I1: site ${site} got ${asked} requests to configure`
  for (const { by, at } of losses)
    if (requests.some(request => request.by === by && request.at > at + travelMs))
      yield `I1: site ${site} got a request of ${by}, which had lost it`
  const writes = requests.filter(({ by, operation }) => operation !== 'root' || !cutOff.includes(by))
  const meeting = interleaved(writes.filter(({ by }) => !visitors.includes(by))) ?? crossed(writes)
  if (meeting !== undefined) yield `I1: site ${site} was worked on by ${meeting} at once`
}

/** Finds processes that worked on a site in turns: one returned to it after another had taken it over. */
function interleaved(requests: readonly Seen[]): string | undefined {
  const turns = requests.map(({ by }) => by).filter((by, at, all) => by !== all[at - 1])
  return new Set(turns).size === turns.length ? undefined : [...new Set(turns)].join(' and ')
}

/** Finds two processes whose writes to a site overlap. */
function crossed(requests: readonly Seen[]): string | undefined {
  const spans = [...new Set(requests.map(({ by }) => by))].flatMap(by => {
    const from = requests.find(request => request.by === by && request.operation !== 'root')?.at
    const to = requests.findLast(request => request.by === by)?.at ?? 0
    return from === undefined ? [] : [{ by, from, to }]
  })
  const pair = spans.flatMap(one =>
    spans.filter(other => other.from > one.from && other.from < one.to).map(other => [one.by, other.by]),
  )[0]
  return pair?.join(' and ')
}

interface Touch extends Loss {
  readonly site: number
  readonly afterMs: number | undefined
}

/** Finds the first request of another process to each site that a lost process had begun but not finished. */
function touchesAfter({ by, at }: Loss, sites: ReadonlyMap<number, readonly Seen[]>): readonly Touch[] {
  return [...sites].flatMap(([site, requests]) => {
    const before = requests.filter(request => request.at <= at)
    if (before.at(-1)?.by !== by || before.some(is('update'))) return []
    const first = requests.find(request => request.at > at && request.by !== by)
    return [{ by, at, site, afterMs: first && first.at - at }]
  })
}

function findTouchViolation({ site, by, afterMs }: Touch, { touchMs }: FleetFacts): readonly string[] {
  if (afterMs === undefined) return [`I5: site ${site} was abandoned when ${by} was gone`]
  if (afterMs <= (touchMs ?? Number.POSITIVE_INFINITY)) return []
  return [`I5: site ${site} was first touched ${afterMs} ms after ${by} was gone`]
}

/** Counts the most sites at once: a process works on a site from its first to its last request, or until it is lost. */
function mostAtOnce(sites: ReadonlyMap<number, readonly Seen[]>, losses: readonly Loss[]): number {
  const edges = [...sites.values()].flatMap(requests =>
    [...new Set(requests.map(({ by }) => by))].flatMap(by => {
      const own = requests.filter(request => request.by === by)
      const lostAt = losses.find(loss => loss.by === by)?.at ?? Number.POSITIVE_INFINITY
      const [from = 0, to = 0] = [own[0]?.at, Math.min(own.at(-1)?.at ?? 0, lostAt)]
      return [[from, 1] as const, [to, -1] as const]
    }),
  )
  let [now, most] = [0, 0]
  for (const [, change] of edges.sort(([a, x], [b, y]) => a - b || x - y)) {
    now += change
    most = Math.max(most, now)
  }
  return most
}

function bySite(seen: readonly Seen[]): ReadonlyMap<number, readonly Seen[]> {
  const sites = new Map<number, Seen[]>()
  for (const request of seen) {
    const requests = sites.get(request.site)
    if (requests === undefined) sites.set(request.site, [request])
    else requests.push(request)
  }
  return sites
}

const is =
  (wanted: string) =>
  ({ operation, accepted }: Seen): boolean =>
    operation === wanted && accepted
