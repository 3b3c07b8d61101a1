import { setTimeout as delay } from 'node:timers/promises'
import { type Found, played, type Size } from '../course.js'
import { aWorker, submitted, twoWorkers, until, untilAllEnded, untilConfigured } from '../rollout.js'
import type { Stage, StageOptions } from '../stage.js'

interface Killing {
  readonly size: Size
  readonly service: Omit<StageOptions, 'sites'>
  /** How soon another worker must poll the sites of the killed one. */
  readonly touchMs: number
  /** Default: that of the other courses. */
  readonly pollInterval?: string
  /** Default: that of workers. */
  readonly leaseMs?: number
  /** True if the killed worker is started again under its name. */
  readonly returns?: boolean
}

/** Starts two workers, and kills one when a third of the sites are configured. */
export function killed({
  size,
  service,
  touchMs,
  pollInterval,
  leaseMs = 10_000,
  returns = false,
}: Killing): Promise<Found> {
  const { sites, limit, mostMs } = size
  const options = {
    fleetLimit: limit,
    limit,
    lease: `${leaseMs}ms`,
    ...(pollInterval !== undefined && { pollInterval }),
  }
  return played(size, service, async stage => {
    await submitted(stage)
    const [ada, bob] = await twoWorkers(stage, options)
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const at = ada.signal('SIGKILL')
    await ada.ended
    if (returns) aWorker(stage, 'ada again', { ...options, as: 'ada' })
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    const code = await bob.ended
    return {
      losses: returns ? [] : [{ by: 'ada', at }],
      touchMs,
      ends: [['bob', code, 143, 0]],
    }
  })
}

/** Starts two workers, suspends one for longer than its lease, and resumes it once the other has all its sites. */
export function stopped(
  size: Size,
  { leaseMs, touchMs }: { leaseMs: number; touchMs: number },
): Promise<Found> {
  const { sites, limit, mostMs } = size
  const lease = `${leaseMs}ms`
  return played(size, { stageMs: 2000 }, async stage => {
    await submitted(stage)
    const [ada, bob] = await twoWorkers(stage, { limit, lease })
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const at = ada.signal('SIGSTOP')
    await until('another worker has every site', mostMs, async () => {
      const left = await stage.rows<{ n: number }>(
        `select count(*)::int as n from landform.run where worker like 'ada/%' and state = 'running'`,
      )
      return left[0]?.n === 0
    })
    ada.signal('SIGCONT')
    const code = await ada.ended
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    await bob.ended
    return {
      losses: [{ by: 'ada', at }],
      touchMs,
      ends: [['the worker that was suspended', code, 7]],
    }
  })
}

/** Lets both workers run for a few milliseconds of each tenth of a second. Neither may lose its lease. */
export function starved(size: Size, onMs: number): Promise<Found> {
  const { limit, mostMs } = size
  return played(size, { stageMs: 1000 }, async stage => {
    await submitted(stage)
    const workers = ['ada', 'bob'].map(name => aWorker(stage, name, { limit }))
    const throttle = setInterval(async () => {
      for (const worker of workers) worker.signal('SIGCONT')
      await delay(onMs)
      for (const worker of workers) worker.signal('SIGSTOP')
    }, 100)
    await untilAllEnded(stage, mostMs).finally(() => clearInterval(throttle))
    await delay(onMs + 100)
    for (const worker of workers) {
      worker.signal('SIGCONT')
      worker.signal('SIGTERM')
    }
    const codes = await Promise.all(workers.map(({ ended }) => ended))
    return { losses: [], ends: codes.map((code, at) => [`worker ${at + 1}`, code, 143] as const) }
  })
}

/** Submits every site from two processes at once, and once more while workers run; one worker is killed. */
export function submittedTwice(size: Size, touchMs: number): Promise<Found> {
  const { sites, limit, mostMs } = size
  return played(size, { stageMs: 300 }, async stage => {
    await Promise.all([submitted(stage), submitted(stage)])
    const [ada, bob] = await twoWorkers(stage, { limit })
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const at = ada.signal('SIGKILL')
    await submitted(stage)
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    await bob.ended
    return { losses: [{ by: 'ada', at }], touchMs }
  })
}

/** Cancels all runs during the rollout. No request may follow until they are resumed. */
export function cancelled(size: Size): Promise<Found> {
  const { sites, limit, mostMs } = size
  return played(size, { stageMs: 500 }, async stage => {
    await submitted(stage)
    const workers = ['ada', 'bob'].map(name => aWorker(stage, name, { limit }))
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const cancel = await stage.run(['fleet', 'cancel', '--all', '--yes'])
    await untilAllEnded(stage, mostMs)
    const before = (await stage.service.seen()).length
    await delay(2000)
    const after = (await stage.service.seen()).length
    const resume = await stage.run(['fleet', 'resume', '--failed', '--yes'])
    await untilAllEnded(stage, mostMs)
    for (const worker of workers) worker.signal('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
    return {
      losses: [],
      ends: [
        ['cancel', cancel.code, 0],
        ['resume', resume.code, 0],
      ],
      violations:
        after > before ? [`I6: ${after - before} requests arrived after everything was cancelled`] : [],
    }
  })
}

const inDatabase = ['--state', 'postgres:env:LANDFORM_DATABASE_URL']

/** Applies sites of a fleet by hand, before the fleet works on them and while it does. */
export function besideCi(size: Size): Promise<Found> {
  const { limit, mostMs } = size
  return played(size, { stageMs: 1000 }, async stage => {
    const [first = '', second = ''] = stage.files
    const early = stage.start('ci early', ['apply', first, '--yes', '--quiet', ...inDatabase])
    await asked(stage, 1, 'configure', mostMs)
    await submitted(stage)
    const bob = aWorker(stage, 'bob', { limit })
    await asked(stage, 2, 'configure', mostMs)
    const late = stage.start('ci late', ['apply', second, '--yes', '--quiet', ...inDatabase])
    const ends = [
      ['the apply that had its site before the fleet', await early.ended, 0],
      ['the apply of a site that the fleet had', await late.ended, 7],
    ] as const
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    await bob.ended
    return {
      losses: [],
      visitors: ['ci early', 'ci late'],
      ends,
    }
  })
}

function asked(stage: Stage, site: number, operation: string, mostMs: number): Promise<void> {
  return until(`site ${site} was asked to ${operation}`, mostMs, async () =>
    (await stage.service.seen()).some(seen => seen.site === site && seen.operation === operation),
  )
}
