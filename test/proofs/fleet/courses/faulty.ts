import { readFile, writeFile } from 'node:fs/promises'
import type { RunState } from '../../../../src/plan/run-state.js'
import { type FaultySite, faultySites } from '../../../support/a-fleet.js'
import { type Found, played, type Size } from '../course.js'
import { aWorker, runs, submitted, until, untilAllEnded } from '../rollout.js'
import type { Stage } from '../stage.js'

/** Makes every fifth site faulty: waves must stop there, and continue after a new submission. */
export function faulty({ sites, limit, mostMs }: Size): Promise<Found> {
  const numbers = Array.from({ length: sites }, (_, at) => at + 1)
  const faults = new Map(
    numbers.flatMap(site => {
      const fault =
        site % 5 === 0 && site < sites ? faultySites[(site / 5 - 1) % faultySites.length] : undefined
      return fault === undefined ? [] : [[site, fault] as const]
    }),
  )
  const options = {
    stageMs: 40,
    changes: new Map(
      [...faults].flatMap(([site, { what, change }]) =>
        change === undefined || isRejected(what) ? [] : [[site, change] as const],
      ),
    ),
    faults: [...faults].flatMap(([site, { fault }]) => (fault === undefined ? [] : [`${site}:${fault}`])),
  }
  return played({ sites, limit, mostMs }, options, async stage => {
    const original = await Promise.all(stage.files.map(file => readFile(file, 'utf8')))
    await submitted(stage, ['--waves', '1,10%,100%', '--timeout', '100s'])
    await spoil(stage, faults)
    const workers = ['ada', 'bob'].map(name => aWorker(stage, name, { limit }))
    await untilStopped(stage, mostMs)
    const halted = await runs(stage)
    const asked = new Set((await stage.service.seen()).map(({ site }) => site))
    const waiting = halted.filter(({ state }) => state === 'waiting').map(({ site }) => site)
    const wanted = sites - Math.ceil(sites / 10)
    const cancel = await stage.run(['fleet', 'cancel', '--all', '--yes'])
    await Promise.all(stage.files.map((file, at) => writeFile(file, original[at] ?? '')))
    await submitted(stage, ['--keep-going', '--timeout', '100s'])
    await spoil(stage, faults)
    await untilAllEnded(stage, mostMs)
    for (const worker of workers) worker.signal('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
    const first = new Set(halted.filter(({ state }) => state !== 'waiting').map(({ site }) => site))
    return {
      losses: [],
      // Between the two submissions, no worker has the sites.
      isCountedAtService: false,
      faulty: [...faults.keys()],
      ends: [['cancel', cancel.code, 0]],
      violations: [
        ...(waiting.length === wanted
          ? []
          : [`${waiting.length} sites waited after the wave that failed, not ${wanted}`]),
        ...waiting
          .filter(site => asked.has(site))
          .map(site => `site ${site} of a wave that was not begun got a request`),
        ...(await runs(stage)).flatMap(({ site, state, message }) => {
          const fault = faults.get(site)
          if (fault === undefined) return []
          const right = stateOf(fault, first.has(site) ? 1 : 0)
          return state === right ? [] : [`site ${site}, ${fault.what}: ${state}, not ${right}: ${message}`]
        }),
      ],
    }
  })
}

/** Breaks manifests after their submission, because a submission would reject them. */
async function spoil({ files }: Stage, faults: ReadonlyMap<number, FaultySite>): Promise<void> {
  for (const [site, { what, change }] of faults) {
    const file = files[site - 1] ?? ''
    if (change !== undefined && isRejected(what)) await writeFile(file, change(await readFile(file, 'utf8')))
  }
}

function isRejected(what: string): boolean {
  return what === 'the manifest is not valid' || what === 'the license is missing'
}

function untilStopped(stage: Stage, mostMs: number): Promise<void> {
  return until('the rollout has stopped', mostMs, async () => {
    const [rollout] = await stage.rows<{ state: string }>(`select state from landform.rollout`)
    return rollout?.state === 'stopped'
  })
}

const stateByCode: Readonly<Record<number, RunState>> = {
  0: 'done',
  3: 'unfinished',
  4: 'ambiguous',
  5: 'failed',
  65: 'refused',
  66: 'refused',
  69: 'failed',
  75: 'failed',
  77: 'refused',
}

/** The state of a faulty site in a fleet, which retries temporary failures within the same run. */
function stateOf({ what, exitCodes: [first, again] }: FaultySite, run: 0 | 1): RunState {
  if (first === 75 && again === 0) return 'done'
  // Sending the same policy again changes nothing, so the fleet retries until the timeout.
  if (what === 'update is lost') return 'failed'
  return stateByCode[run === 0 ? first : again] ?? 'done'
}
