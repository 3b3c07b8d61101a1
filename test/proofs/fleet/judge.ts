import type { Seen } from './service.js'

/** A process that had sites and lost them: it was killed, or stood still for longer than its lease. */
export interface Loss {
  readonly by: string
  readonly at: number
}

/** What is known of a run of a fleet beside the requests. */
export interface Facts {
  /** Those that have to be configured and updated in the end; the others may come to anything but twice. */
  readonly sound: readonly number[]
  readonly losses: readonly Loss[]
  /** How many sites may be worked on at once. */
  readonly limit?: number
  /** How soon a site of a process that is gone has to be looked at. */
  readonly touchMs?: number
  /** Processes of no fleet: they may look at a site that another has, and no more. */
  readonly visitors?: readonly string[]
  /** Processes without a database: they may look at a site until it is ready, while another takes it over. */
  readonly cutOff?: readonly string[]
}

/** A request may be on its way when its sender is gone. */
const travelMs = 500

export interface Judgement {
  readonly complaints: readonly string[]
  /** Sites whose configuration was accepted. */
  readonly configured: number
  /** From each loss to the first request to each of its sites by another process, sorted. */
  readonly touchesMs: readonly number[]
  /** How many sites were worked on at once, at most. */
  readonly most: number
}

/** What the requests say about a run of a fleet. */
export function judge(seen: readonly Seen[], facts: Facts): Judgement {
  const sites = bySite(seen)
  const touches = facts.losses.flatMap(loss => touchesAfter(loss, sites))
  const most = mostAtOnce(sites, facts.losses)
  return {
    complaints: [
      ...[...sites].flatMap(([site, requests]) => [...findRunViolations(site, requests, facts)]),
      ...facts.sound.filter(site => !sites.has(site)).map(site => `site ${site} was never looked at`),
      ...touches.flatMap(touch => findTouchViolation(touch, facts)),
      ...(most > (facts.limit ?? Number.POSITIVE_INFINITY)
        ? [`${most} sites were worked on at once, and the limit is ${facts.limit}`]
        : []),
    ],
    configured: [...sites.values()].filter(requests => requests.some(is('configure'))).length,
    touchesMs: touches.flatMap(({ afterMs }) => afterMs ?? []).sort((a, b) => a - b),
    most,
  }
}

function* findRunViolations(
  site: number,
  requests: readonly Seen[],
  { sound, losses, visitors = [], cutOff = [] }: Facts,
) {
  const asked = requests.filter(({ operation }) => operation === 'configure').length
  if (asked > 1) yield `site ${site} was asked ${asked} times to configure`
  for (const { by, at } of losses)
    if (requests.some(request => request.by === by && request.at > at + travelMs))
      yield `site ${site} got a request of ${by} after that had lost it`
  const writes = requests.filter(({ by, operation }) => operation !== 'root' || !cutOff.includes(by))
  const meeting = interleaved(writes.filter(({ by }) => !visitors.includes(by))) ?? crossed(writes)
  if (meeting !== undefined) yield `site ${site} was worked on by ${meeting} at once`
  if (!sound.includes(site)) return
  for (const operation of ['configure', 'update'])
    if (!requests.some(is(operation))) yield `site ${site} has no ${operation} in the end`
}

/** Who came back to a site that another had taken over. */
function interleaved(requests: readonly Seen[]): string | undefined {
  const turns = requests.map(({ by }) => by).filter((by, at, all) => by !== all[at - 1])
  return new Set(turns).size === turns.length ? undefined : [...new Set(turns)].join(' and ')
}

/** Who wrote while another had begun to write and was not through. */
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

/** Of each site that the process had begun and not brought to its end. */
function touchesAfter({ by, at }: Loss, sites: ReadonlyMap<number, readonly Seen[]>): readonly Touch[] {
  return [...sites].flatMap(([site, requests]) => {
    const before = requests.filter(request => request.at <= at)
    if (before.at(-1)?.by !== by || before.some(is('update'))) return []
    const first = requests.find(request => request.at > at && request.by !== by)
    return [{ by, at, site, afterMs: first && first.at - at }]
  })
}

function findTouchViolation({ site, by, afterMs }: Touch, { touchMs }: Facts): readonly string[] {
  if (afterMs === undefined) return [`site ${site} was left alone when ${by} was gone`]
  if (afterMs <= (touchMs ?? Number.POSITIVE_INFINITY)) return []
  return [`site ${site} was first touched ${afterMs} ms after ${by} was gone`]
}

/** A process works on a site from its first request to its last one, or until it is gone. */
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
