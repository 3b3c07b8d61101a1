import { exampleStages } from '../../scripts/reference/example-events.js'
import type { Clock } from '../../src/apply/clock.js'
import type { ApplyEvent } from '../../src/apply/generated/event.js'
import type { SiteWriter } from '../../src/client/site-client.js'
import type { Observation } from '../../src/plan/observation.js'
import { openIntentNotes } from '../../src/state/intent-notes.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { openSiteNotes } from '../../src/state/noted-intents.js'
import { stateStore } from '../../src/state/state-store.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { siteFacts } from '../support/a-plan.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

type Polls = Parameters<typeof scriptedSite>[0]

const url = 'https://gis.example.org/arcgis/admin'

/** The first event of each type from real runs on one site, which are the same every time. */
export async function emittedEvents(): Promise<ReadonlyMap<ApplyEvent['type'], ApplyEvent>> {
  const runs = [
    await eventsOf(smoothly, {}),
    await eventsOf(withFailure, lostUpdate),
    await eventsOf(smoothly, lostConfigure),
    await eventsOf(smoothly, otherUserTypes),
  ]
  const events = new Map<ApplyEvent['type'], ApplyEvent>()
  for (const event of runs.flat())
    if (!events.has(event.type) && emitsMuch(event)) events.set(event.type, event)
  return events
}

async function eventsOf(looks: Polls, changes: Partial<SiteWriter>): Promise<readonly ApplyEvent[]> {
  const site = scriptedSite(looks, changes)
  const clock = virtualClock()
  const ports = { ...portsFor(url, { client: site, clock }), state: stateWithoutNotes(clock) }
  const desired = aManifest({ policy: aPolicy() })
  const { events } = await applied(await planFor(url, desired, ports), ports, { checkLicense: true })
  return events
}

/** State on a machine where notes cannot be written. */
function stateWithoutNotes(clock: Clock) {
  const notes = {
    ...openIntentNotes(undefined),
    fileOf: () => '/home/gis/.local/state/landform/intents/site.json',
  }
  const of = { site: { url }, where: 'memory', isEmulatorGone: async () => false }
  return stateStore(
    memoryBackend(),
    { url },
    { ...statePortsFor(clock.now), notes: openSiteNotes({ notes, ...of }) },
  )
}

const noAnswer = { ok: false, error: { kind: 'no-answer', reason: 'ECONNRESET' } } as const

const lostUpdate: Partial<SiteWriter> = { update: async () => noAnswer }

const otherUserTypes: Partial<SiteWriter> = {
  validateLicense: async () => ({ kind: 'valid', userTypes: ['otherUT'] }),
}

const lostConfigure: Partial<SiteWriter> = {
  async openConfigure() {
    const observed: Observation = { kind: 'not-configured', ...siteFacts() }
    const call = { observed, send: async () => noAnswer, deadlineMs: 900_000, discard: () => undefined }
    return { ok: true, value: call }
  },
}

/** Excludes the empty `stages-changed` of the response to `configure`. */
function emitsMuch(event: ApplyEvent): boolean {
  return event.type !== 'stages-changed' || event.changed.length > 0
}

function underWay(first: string, message = 'Creating a new organization.'): Observation {
  const stages = exampleStages.map((stage, index) => (index === 0 ? { ...stage, state: first } : stage))
  return { kind: 'in-progress', ...siteFacts({ message, stages }) }
}

const looked = (value: Observation) => ({ ok: true, value }) as const
const ready: Observation = { kind: 'ready', ...siteFacts() }
/** For the plan, and for the poll before the first request. */
const untouched = Array(2).fill(looked({ kind: 'not-configured', ...siteFacts() }))
const smoothly = [
  ...untouched,
  looked(underWay('in_progress')),
  ...Array(20).fill(looked(underWay('in_progress'))),
  looked(underWay('completed', 'The license is valid.')),
  looked(ready),
  looked(ready),
]
const withFailure = [
  ...untouched,
  looked(underWay('in_progress')),
  { ok: false, error: { kind: 'trouble', status: 503 } },
  looked({ kind: 'unrecognized', state: 'paused', ...siteFacts() }),
  ...Array(400).fill(looked(underWay('in_progress'))),
  looked(underWay('completed')),
  looked(ready),
] satisfies Polls
