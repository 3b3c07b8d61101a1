import { numbersRaced } from '../../proofs/processes/number-race.js'
import { type StateServer, stateServers } from '../../proofs/processes/state-server.js'
import { writerProcess } from '../../proofs/processes/writer-process.js'
import { textOfVersion, writtenSite } from '../../proofs/processes/written.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

let shared: StateServer

// `races.test.ts` has the races for every kind of state.
describe.each(['s3', 'azblob', 'kubernetes'] as const)('state in %s', kind => {
  beforeEach(async () => {
    shared = await stateServers[kind](await temporaryFolder())
  })

  test('is not written if the server ignores conditions, which this check detects', async () => {
    shared.faults.ignoresConditions = true
    const places = Array.from({ length: 3 }, () => shared.location)
    const { won, violations } = await numbersRaced(kind, places, 1, shared.environment)
    expect(won).toBe(0)
    expect(violations).toEqual([expect.stringContaining(`1 unwritable ${kind}`)])
  })

  test('is complete after a process was killed while it wrote', async () => {
    for (let kill = 1; kill <= 4; kill += 1) {
      const series = shared.open().series(writtenSite)
      const before = await series.all()
      const from = (before.ok ? before.value.length : 0) + 1
      const writer = await writerProcess(kind, shared.location, { environment: shared.environment })
      await writer.ask(`${from} ${from + 500}`)
      writer.child.kill('SIGKILL')
      await writer.ended
      const after = await series.all()
      const found = after.ok ? after.value : []
      expect(found.length).toBeGreaterThanOrEqual(from)
      expect(found).toEqual(found.map((_, at) => ({ serial: at + 1, text: textOfVersion(at + 1, 0) })))
      const next = { serial: found.length + 1, text: textOfVersion(found.length + 1, 0) }
      expect(await series.add(next)).toEqual({ ok: true, value: true })
    }
  })
})
