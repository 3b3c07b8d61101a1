import type { ApplyEvent } from '../../src/apply/event.js'
import type { SiteWriter } from '../../src/client/site-writer.js'
import { stageNames } from '../../src/contract/stages.js'
import type { Observation } from '../../src/plan/observation.js'
import { planDocument } from '../../src/plan/saved/plan-document.js'
import { eventDocument } from '../../src/report/event-text.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, siteFacts } from '../support/a-plan.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { virtualClock } from '../support/virtual-clock.js'

type Looks = Parameters<typeof scriptedSite>[0]

const url = 'https://gis.example.org/arcgis/admin'
const start = Date.UTC(2026, 2, 4, 5, 6, 7)
const tool = 'landform 0.1.0'

/** The lines that real runs tell of one site, always in the same way: each type once, where it is told first. */
export async function toldLines(): Promise<ReadonlyMap<string, string>> {
  const runs = [await eventsOf(smoothly, {}), await eventsOf(withTrouble, lostUpdate), rare]
  const lines = new Map<string, string>()
  for (const [index, event] of runs.flat().entries())
    if (!lines.has(event.type) && tellsMuch(event))
      lines.set(event.type, JSON.stringify(eventDocument(named(event), start + index * 1000)))
  return lines
}

/** The plan of a site that somebody began to configure, which is short enough to be shown whole. */
export function aShownPlan(): object {
  const desired = aManifest({ policy: aPolicy() })
  return planDocument(aPlan({ desired, observed: underWay('in_progress'), now: start, tool }))
}

async function eventsOf(looks: Looks, changes: Partial<SiteWriter>): Promise<readonly ApplyEvent[]> {
  const clock = virtualClock(start)
  const site = scriptedSite(looks, changes)
  const ports = portsFor(url, { client: site, clock })
  const desired = aManifest({ policy: aPolicy() })
  const { events } = await applied(await planFor(url, desired, ports), ports)
  return events
}

const lostUpdate: Partial<SiteWriter> = {
  async update() {
    return { ok: false, failure: { kind: 'no-answer', reason: 'ECONNRESET' } }
  },
}

/** The answer to `configure` has no stages here. */
function tellsMuch(event: ApplyEvent): boolean {
  return event.type !== 'stages-changed' || event.changed.length > 0
}

/** The tests plan under a name of their own. */
function named(event: ApplyEvent): ApplyEvent {
  return event.type === 'stream-started' ? { ...event, tool } : event
}

function underWay(first: string, message = 'Creating a new organization.'): Observation {
  const stages = stageNames.slice(0, 3).map((name, index) => ({
    name,
    state: index === 0 ? first : 'not_started',
    startTime: start,
    lastUpdated: start,
  }))
  return { kind: 'in-progress', ...siteFacts({ message, stages }) }
}

const looked = (value: Observation) => ({ ok: true, value }) as const
const ready: Observation = { kind: 'ready', ...siteFacts() }
/** For the plan, and for the look before the first request. */
const untouched = Array(2).fill(looked({ kind: 'not-configured', ...siteFacts() }))
const smoothly = [
  ...untouched,
  looked(underWay('in_progress')),
  ...Array(20).fill(looked(underWay('in_progress'))),
  looked(underWay('completed', 'The license is valid.')),
  looked(ready),
  looked(ready),
]
const withTrouble = [
  ...untouched,
  looked(underWay('in_progress')),
  { ok: false, failure: { kind: 'trouble', status: 503 } },
  looked({ kind: 'unrecognized', state: 'paused', ...siteFacts() }),
  ...Array(400).fill(looked(underWay('in_progress'))),
  looked(underWay('completed')),
  looked(ready),
] satisfies Looks

/** What takes a second run. */
const rare: readonly ApplyEvent[] = [{ type: 'submission-adopted' }]
