import { setTimeout } from 'node:timers/promises'
import { type Found, played, type Size } from '../course.js'
import { aWorker, submitted, untilAllEnded, untilConfigured } from '../rollout.js'

/** Everything is cancelled in the middle; nothing is sent any more, until it is resumed. */
export function cancelled(size: Size): Promise<Found> {
  const { sites, limit, mostMs } = size
  return played(size, { stageMs: 500 }, async stage => {
    await submitted(stage)
    const workers = ['ada', 'bob'].map(name => aWorker(stage, name, { limit }))
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const cancel = await stage.run(['fleet', 'cancel', '--all', '--yes'])
    await untilAllEnded(stage, mostMs)
    const before = (await stage.service.seen()).length
    await setTimeout(2000)
    const after = (await stage.service.seen()).length
    const resume = await stage.run(['fleet', 'resume', '--failed', '--yes'])
    await untilAllEnded(stage, mostMs)
    for (const worker of workers) worker.signal('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
    const codes = { cancel: cancel.code, resume: resume.code }
    return {
      losses: [],
      complaints: [
        ...Object.entries(codes).flatMap(([what, code]) =>
          code === 0 ? [] : [`${what} ended with ${code}`],
        ),
        ...(after > before ? [`${after - before} requests came after everything was cancelled`] : []),
      ],
    }
  })
}
