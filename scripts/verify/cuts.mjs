// Cuts a `configure` and a look at every byte of the request and of the answer, with FIN and with RST, and holds what the
// client says against what the service did: `npm run verify:cuts [-- --short]`; `--step N` takes only every so many bytes.
// Ends with 1 where a cut request is sent again, or taken for certain.
import { uncut } from '../../dist/test/proofs/cuts/cut.js'
import { complaint, cutCalls } from '../../dist/test/proofs/cuts/cut-calls.js'
import { complain, conclude, count, figures, say } from './check.mjs'

const { step } = figures({ step: [29, 1] })
const calls = await cutCalls()
let points = 0

say(`${'call'.padEnd(12)}${'cut in'.padEnd(10)}${'bytes'.padStart(7)}${'points'.padStart(8)}  endings`)
for (const call of ['configure', 'look']) {
  const lengths = await calls.lengthsOf(call)
  for (const of of ['request', 'answer']) await cutEverywhere(call, of, lengths[of])
}
await control()
await calls.close()

count('cuts', points)
conclude()

async function cutEverywhere(call, of, length) {
  const endings = new Map()
  const complaints = []
  let own = 0
  for (let afterBytes = 0; afterBytes < length; afterBytes += step)
    for (const how of ['FIN', 'RST']) {
      const ending = await calls.made(call, { of, afterBytes, how })
      const said = complaint(ending)
      if (said !== undefined) complaints.push(said)
      own += 1
      const word = ending.reply.ok ? 'ok' : `${ending.reply.failure.kind} ${ending.reply.failure.reason}`
      endings.set(word, (endings.get(word) ?? 0) + 1)
    }
  points += own
  complain(`${call}, ${of}`, complaints)
  const counts = [...endings].map(([word, count]) => `${count} ${word}`).join(', ')
  say(`${call.padEnd(12)}${of.padEnd(10)}${String(length).padStart(7)}${String(own).padStart(8)}  ${counts}`)
}

/** What must not be: an answer is taken for one although it was cut, and a request comes to the service twice. */
async function control() {
  for (const call of ['configure', 'look']) {
    const ending = await calls.made(call, uncut)
    const endings = [ending, { ...ending, connections: ending.connections + 1 }]
    for (const one of endings) if (complaint(one) !== undefined) count('controls found')
  }
}
