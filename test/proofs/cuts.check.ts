import { type CheckRun, declareCheck } from './check.js'
import { type Cut, uncut } from './cuts/cut.js'
import { type Call, cutCalls, judgeCut } from './cuts/cut-calls.js'

const calls = ['configure', 'poll'] as const

/**
 * Cuts a `configure` and a poll at every byte of the request and of the response, with FIN and with RST, and judges the outcome
 * that the client reports.
 */
export const check = declareCheck({
  name: 'cuts',
  shows:
    'A request or response that is cut at any byte is never sent again, and its outcome counts as unknown.',
  counts: { cuts: [300, 9000], 'controls found': [4, 4] },
  short: 'test',
  /** The distance between two cuts, in bytes. */
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
  const violations: string[] = []
  let points = 0
  for (let afterBytes = 0; afterBytes < length; afterBytes += run.figures.step)
    for (const how of ['FIN', 'RST'] as const) {
      const ending = await cut.made(call, { of, afterBytes, how })
      violations.push(...judgeCut(ending))
      points += 1
      const { reply } = ending
      const word = reply.ok
        ? 'ok'
        : `${reply.error.kind} ${'reason' in reply.error ? reply.error.reason : ''}`
      endings.set(word, (endings.get(word) ?? 0) + 1)
    }
  run.count('cuts', points)
  run.report(`${call}, ${of}`, violations)
  const counts = [...endings].map(([word, times]) => `${times} ${word}`).join(', ')
  run.say(
    `${call.padEnd(12)}${of.padEnd(10)}${String(length).padStart(7)}${String(points).padStart(8)}  ${counts}`,
  )
}

/** Plants a cut response that counts as a complete one, and a request that reaches the service twice. */
async function control(run: Run, cut: CutCalls) {
  for (const call of calls) {
    const ending = await cut.made(call, uncut)
    for (const one of [ending, { ...ending, connections: ending.connections + 1 }])
      if (judgeCut(one).length > 0) run.count('controls found')
  }
}
