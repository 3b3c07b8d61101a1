import { installGate } from '../../packages/fleet/src/worker/worker.js'
import { siteReader } from '../../src/client/site-reader.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'

let emulator: Emulator | undefined
afterEach(() => emulator?.close())

test('the lease is checked before each request is sent', async () => {
  emulator = await startEmulator()
  const { signal } = new AbortController()
  let isFresh = true
  const came: number[] = []
  const open = installGate({ isFresh: () => isFresh }, () => came.push(emulator?.world().calls.any ?? 0))
  const look = () => siteReader(emulator?.url ?? '').observe(signal)
  await look()
  expect(came).toEqual([])
  isFresh = false
  await look()
  await look()
  expect(came).toEqual([1, 2])
  open()
  await look()
  expect(came).toEqual([1, 2])
})
