import type { ApplyEvent } from '../../src/apply/generated/event.js'
import { stageNames } from '../../src/contract/responses.js'
import type { StageRecord } from '../../src/plan/observation.js'
import { eventDocument } from '../../src/report/events.js'

/** One event of each type, as runs emit it; a new type does not compile without one. */
type ExampleEvents = { readonly [Type in ApplyEvent['type']]: ApplyEvent & { readonly type: Type } }

const start = Date.UTC(2026, 2, 4, 5, 6, 7)

/** The first stages, one of them in progress. */
export const exampleStages: readonly StageRecord[] = stageNames.slice(0, 3).map((name, index) => ({
  name,
  state: index === 0 ? 'in_progress' : 'not_started',
  startTime: start,
  lastUpdated: start,
}))

/** The events that the reference shows, in the order of one run; a test compares them with the events of real runs. */
export const exampleEvents: ExampleEvents = {
  'stream-started': {
    type: 'stream-started',
    formatVersion: 1,
    name: 'production',
    url: 'https://gis.example.org/arcgis/admin',
    tool: 'landform/0.1.0',
  },
  'site-locked': { type: 'site-locked', fence: 1 },
  'action-started': {
    type: 'action-started',
    operation: 'configure',
    change: 'create',
    reason: 'not-configured',
  },
  'user-type-unlisted': {
    type: 'user-type-unlisted',
    userType: 'editorUT',
    listed: ['creatorUT', 'GISProfessionalAdvUT'],
  },
  'intent-written': { type: 'intent-written', generation: 1 },
  'intent-not-noted': { type: 'intent-not-noted', folder: '/home/gis/.local/state/landform/intents' },
  'configure-accepted': { type: 'configure-accepted' },
  'configure-begun': { type: 'configure-begun' },
  'submission-adopted': { type: 'submission-adopted' },
  'stages-changed': {
    type: 'stages-changed',
    changed: exampleStages.map(stage => ({ ...stage, from: null })),
    stages: exampleStages,
    elapsedMs: 0,
  },
  'site-said': {
    type: 'site-said',
    message: 'Creating a new organization.',
    warnings: [],
    elapsedMs: 0,
  },
  'observation-failed': {
    type: 'observation-failed',
    failure: { kind: 'trouble', status: 503 },
    elapsedMs: 5000,
  },
  'observation-restored': { type: 'observation-restored', failedMs: 5000, elapsedMs: 10_000 },
  anomaly: { type: 'anomaly', anomaly: { kind: 'unknown-state', state: 'paused' }, elapsedMs: 10_000 },
  heartbeat: { type: 'heartbeat', stages: exampleStages, elapsedMs: 30_000 },
  'stage-stalled': {
    type: 'stage-stalled',
    stage: 'License validation',
    unmovedMs: 900_000,
    elapsedMs: 915_000,
  },
  'stage-moved': {
    type: 'stage-moved',
    stage: 'License validation',
    unmovedMs: 2_000_000,
    elapsedMs: 2_015_000,
  },
  'site-ready': { type: 'site-ready', elapsedMs: 2_020_000, warnings: [], timings: [] },
  'record-written': { type: 'record-written', serial: 1 },
  'action-finished': { type: 'action-finished', operation: 'configure' },
  'outcome-unknown': {
    type: 'outcome-unknown',
    operation: 'update',
    failure: { kind: 'no-answer', reason: 'ECONNRESET' },
  },
  'stream-finished': { type: 'stream-finished', outcome: { kind: 'done' } },
}

/** Formats the line that `--events` writes for each type; an event without a time of its own follows the previous one. */
export function formatExampleLines(): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  let elapsedMs = 0
  for (const event of Object.values(exampleEvents)) {
    if ('elapsedMs' in event) elapsedMs = event.elapsedMs
    lines.set(event.type, JSON.stringify(eventDocument(event, start + elapsedMs)))
  }
  return lines
}
