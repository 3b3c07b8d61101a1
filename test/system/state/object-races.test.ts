import type { StateBackend } from '../../../src/state/series.js'
import { numbersRaced } from '../../proofs/processes/number-race.js'
import { writerProcess } from '../../proofs/processes/writer-process.js'
import { textOfVersion, writtenSite } from '../../proofs/processes/written.js'
import { apiServer, namespace } from '../../support/api-server.js'
import { kubeconfig, kubernetesPlace } from '../../support/kubernetes-place.js'
import { s3Location, s3Place } from '../../support/s3-place.js'
import { s3Server } from '../../support/s3-server.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

/** A server that keeps state as objects. */
interface Shared {
  readonly location: string
  readonly environment: Readonly<Record<string, string>>
  readonly faults: { ignoresConditions?: boolean }
  open(): StateBackend
  close(): Promise<void>
}

async function inBucket(): Promise<Shared> {
  const server = await s3Server()
  return { ...server, location: s3Location(server), open: () => s3Place(server) }
}

async function inCluster(): Promise<Shared> {
  const server = await apiServer()
  const KUBECONFIG = await kubeconfig(await temporaryFolder(), server)
  const open = () => kubernetesPlace(KUBECONFIG)
  return { ...server, location: `kubernetes:${namespace}`, environment: { KUBECONFIG }, open }
}

let shared: Shared
afterEach(async () => {
  await shared.close()
  await removeTemporaryFolders()
})

describe.each([
  ['s3', inBucket],
  ['kubernetes', inCluster],
] as const)('state in %s', (kind, start) => {
  beforeEach(async () => {
    shared = await start()
  })

  test('has each version from one of twenty processes that ask for it at once', async () => {
    const places = Array.from({ length: 20 }, () => shared.location)
    expect(await numbersRaced(kind, places, 5, shared.environment)).toEqual({ won: 5, violations: [] })
  })

  test('is not written where the server ignores the condition, which this check finds out', async () => {
    shared.faults.ignoresConditions = true
    const places = Array.from({ length: 3 }, () => shared.location)
    const { won, violations } = await numbersRaced(kind, places, 1, shared.environment)
    expect(won).toBe(0)
    expect(violations).toEqual([expect.stringContaining(`1 unwritable ${kind}`)])
  })

  test('is whole and without a gap after a process was killed while it wrote', async () => {
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
