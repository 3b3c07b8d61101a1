import { type CheckRun, declareCheck } from './check.js'
import { type Cut, uncut } from './cuts/cut.js'
import { type Call, complaint, cutCalls } from './cuts/cut-calls.js'

const calls = ['configure', 'look'] as const

/**
 * Cuts a `configure` and a poll at every byte of the request and of the answer, with FIN and with RST, and compares what the
 * client concludes with what the service did.
 */
export const check = declareCheck({
  name: 'cuts',
  shows:
    'A request or response that is cut at any byte is never sent again, and its outcome counts as unknown.',
  counts: { cuts: [300, 9000], 'controls found': [4, 4] },
  short: 'test',
  /** Only every so many bytes. */
  figures: { step: [29, 1] },
  async run(run) {
    const cut = await cutCalls()
    run.say(
      `${'call'.padEnd(12)}${'cut in'.padEnd(10)}${'bytes'.padStart(7)}${'points'.padStart(8)}  endings`,
    )
    try {
      for (const call of calls) {
        const lengths = await cut.lengthsOf(call)
        for (const of of ['request', 'answer'] as const) await cutEverywhere(run, cut, call, of, lengths[of])
      }
      await control(run, cut)
    } finally {
      await cut.close()
    }
  },
})

type Run = CheckRun<{ readonly step: readonly [number, number] }>
type CutCalls = Awaited<ReturnType<typeof cutCalls>>

async function cutEverywhere(run: Run, cut: CutCalls, call: Call, of: Cut['of'], length: number) {
  const endings = new Map<string, number>()
  const complaints: string[] = []
  let points = 0
  for (let afterBytes = 0; afterBytes < length; afterBytes += run.figures.step)
    for (const how of ['FIN', 'RST'] as const) {
      const ending = await cut.made(call, { of, afterBytes, how })
      const found = complaint(ending)
      if (found !== undefined) complaints.push(found)
      points += 1
      const { reply } = ending
      const word = reply.ok
        ? 'ok'
        : `${reply.error.kind} ${'reason' in reply.error ? reply.error.reason : ''}`
      endings.set(word, (endings.get(word) ?? 0) + 1)
    }
  run.count('cuts', points)
  run.complain(`${call}, ${of}`, complaints)
  const counts = [...endings].map(([word, times]) => `${times} ${word}`).join(', ')
  run.say(
    `${call.padEnd(12)}${of.padEnd(10)}${String(length).padStart(7)}${String(points).padStart(8)}  ${counts}`,
  )
}

/** What must not be: a cut answer taken for a whole one, and a request that reaches the service twice. */
async function control(run: Run, cut: CutCalls) {
  for (const call of calls) {
    const ending = await cut.made(call, uncut)
    for (const one of [ending, { ...ending, connections: ending.connections + 1 }])
      if (complaint(one) !== undefined) run.count('controls found')
  }
}
