import { readFileSync } from 'node:fs'
import { run } from '../../../src/cli/run.js'
import { aFleet, type FaultySite, type Fleet, faultySites, siteName } from '../../support/a-fleet.js'
import { fakeHost } from '../../support/fake-host.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders } from '../../support/temporary-folder.js'
import { virtualClock } from '../../support/virtual-clock.js'

let fleet: Fleet | undefined
afterEach(async () => {
  await fleet?.emulator.close()
  await removeTemporaryFolders()
})

/** Faulty sites stand at every second place, so that each has neighbours that are not. */
const faultyAt = (site: number): FaultySite | undefined => faultySites[site / 2 - 1]
const count = faultySites.length * 2

async function faultyFleet(clock: ReturnType<typeof virtualClock>): Promise<Fleet> {
  const numbers = faultySites.map((_, at) => (at + 1) * 2)
  return aFleet(count, {
    now: clock.now,
    wait: clock.sleep,
    siteWords: numbers.flatMap(site => {
      const fault = faultyAt(site)?.fault
      return fault === undefined ? [] : [`${site}:${fault}`]
    }),
    changes: new Map(
      numbers.flatMap(site => {
        const change = faultyAt(site)?.change
        return change === undefined ? [] : [[site, change] as const]
      }),
    ),
  })
}

/** The short form of `npm run verify -- sites`. */
test('twenty faulty sites among forty leave the others alone, and none is asked twice to configure', async () => {
  const clock = virtualClock()
  fleet = await faultyFleet(clock)
  const { folder, counters } = fleet
  const applied = async () => {
    const host = { ...fakeHost({ environment: someSecrets }), clock }
    const report = `${folder}/report.json`
    // All share one clock, which each of their sleeps moves on.
    const wait = ['--timeout', '10m', '--poll-interval', '5s']
    const words = ['apply', folder, '--yes', ...wait, '--format', `json=${report}`]
    const exitCode = await run(words, host)
    const document = JSON.parse(readFileSync(report, 'utf8'))
    expect(listSchemaErrors('fleet', document)).toEqual([])
    const codes = document.sites.map((one: { exitCode: number | null }) => one.exitCode)
    return { exitCode, codes, document, err: host.err() }
  }
  const expected = (which: 0 | 1) =>
    Array.from({ length: count }, (_, at) => faultyAt(at + 1)?.exitCodes[which] ?? 0)
  const accepted = () => Array.from({ length: count }, (_, at) => counters(at + 1).configure.accepted)

  const first = await applied()
  expect(first.codes).toEqual(expected(0))
  expect(first.exitCode).toBe(4)
  expect(first.document.sites.map((one: { site: string }) => one.site)).toContain(siteName(1))
  const again = await applied()
  expect(again.codes).toEqual(expected(1))
  expect(accepted()).toEqual(Array.from({ length: count }, (_, at) => faultyAt(at + 1)?.accepted ?? 1))
  const asked = fleet.served.filter(({ operation }) => operation === 'configure').map(({ site }) => site)
  expect(asked).toHaveLength(new Set(asked).size)
})
