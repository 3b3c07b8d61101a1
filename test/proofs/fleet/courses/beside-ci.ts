import { type Found, played, type Size } from '../course.js'
import { aWorker, submitted, until, untilAllEnded } from '../rollout.js'
import type { Stage } from '../stage.js'

const state = ['--state', 'postgres:env:LANDFORM_DATABASE_URL']

/** Sites of a fleet that somebody applies by hand, before the fleet has them and while it has. */
export function besideCi(size: Size): Promise<Found> {
  const { limit, mostMs } = size
  return played(size, { stageMs: 1000 }, async stage => {
    const [first = '', second = ''] = stage.files
    const early = stage.start('ci early', ['apply', first, '--yes', '--quiet', ...state])
    await asked(stage, 1, 'configure', mostMs)
    await submitted(stage)
    const bob = aWorker(stage, 'bob', { limit })
    await asked(stage, 2, 'configure', mostMs)
    const late = stage.start('ci late', ['apply', second, '--yes', '--quiet', ...state])
    const codes = { early: await early.ended, late: await late.ended }
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    await bob.ended
    return {
      losses: [],
      visitors: ['ci early', 'ci late'],
      complaints: [
        ...(codes.early === 0
          ? []
          : [`the apply that had its site before the fleet ended with ${codes.early}`]),
        ...(codes.late === 7
          ? []
          : [`the apply of a site that the fleet had ended with ${codes.late}, not 7`]),
      ],
    }
  })
}

function asked(stage: Stage, site: number, operation: string, mostMs: number): Promise<void> {
  return until(`site ${site} was asked to ${operation}`, mostMs, async () =>
    (await stage.service.seen()).some(seen => seen.site === site && seen.operation === operation),
  )
}
