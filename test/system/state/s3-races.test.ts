import { numbersRaced } from '../../proofs/processes/number-race.js'
import { writerProcess } from '../../proofs/processes/writer-process.js'
import { textOfVersion, writtenSite } from '../../proofs/processes/written.js'
import { s3Location, s3Place } from '../../support/s3-place.js'
import { type S3Server, s3Server } from '../../support/s3-server.js'

let server: S3Server
beforeEach(async () => {
  server = await s3Server()
})
afterEach(() => server.close())

test('of twenty processes that ask for the same version at once, one makes it', async () => {
  const places = Array.from({ length: 20 }, () => s3Location(server))
  expect(await numbersRaced('s3', places, 5, server.environment)).toEqual({ won: 5, violations: [] })
})

test('the check finds out a server that ignores the condition, and no version is made there', async () => {
  server.faults.ignoresConditions = true
  const places = Array.from({ length: 3 }, () => s3Location(server))
  const { won, violations } = await numbersRaced('s3', places, 1, server.environment)
  expect(won).toBe(0)
  expect(violations).toEqual([expect.stringContaining('1 unwritable s3')])
})

test('a process that is killed while it writes leaves whole versions without a gap', async () => {
  for (let kill = 1; kill <= 4; kill += 1) {
    const series = s3Place(server).series(writtenSite)
    const before = await series.all()
    const from = (before.ok ? before.value.length : 0) + 1
    const writer = await writerProcess('s3', s3Location(server), { environment: server.environment })
    await writer.ask(`${from} ${from + 500}`)
    writer.child.kill('SIGKILL')
    await writer.ended
    const after = await series.all()
    const found = after.ok ? after.value : []
    expect(found.length).toBeGreaterThanOrEqual(from)
    expect(found).toEqual(found.map((_, at) => ({ serial: at + 1, text: textOfVersion(at + 1, 0) })))
    expect(await series.add({ serial: found.length + 1, text: textOfVersion(found.length + 1, 0) })).toEqual({
      ok: true,
      value: true,
    })
  }
})
