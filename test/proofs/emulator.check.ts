import { chmodSync } from 'node:fs'
import { emulatorProcess } from '../support/emulator-process.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type CheckRun, declareCheck } from './check.js'
import { canaries } from './network/canaries.js'
import { type Stand, spellings } from './network/emulator-spellings.js'
import {
  garbage,
  held,
  isReachable,
  isReachableAtAll,
  letInComplaints,
  outerAddresses,
  recordedBy,
  shownComplaints,
  standOf,
  thrown,
  turnedAwayComplaints,
  widerComplaints,
} from './network/try-emulator.js'

const fewMethods = ['GET', 'POST']
const allMethods = [...fewMethods, 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']

/**
 * Asks an emulator as other machines, pages of other sites and attackers would. It must answer none of them, and its own
 * program all the time.
 */
export const check = declareCheck({
  name: 'emulator',
  shows:
    'An emulator responds only to programs on its machine: not to other machines, and not to pages of other origins.',
  counts: {
    'requests turned away': [1000, 4000],
    controls: [2, 2],
    addresses: [1, 1],
    'broken requests': [300, 20_000],
    'held connections': [200, 2000],
  },
  planted: 'controls',
  short: 'ci',
  gate: 'change',
  figures: { garbageTimes: [300, 20_000], heldTimes: [200, 2000] },
  async run(run) {
    const { garbageTimes, heldTimes } = run.figures
    const folder = await temporaryFolder()
    chmodSync(folder, 0o700)
    const emulator = await emulatorProcess([], 1, { cwd: folder, env: environmentIn(folder) })
    try {
      const [url = ''] = emulator.urls
      const stand = standOf(url)
      await askFromElsewhere(run, stand)
      await reachFromOutside(run, stand)
      run.complain('secrets that it gets', await shownComplaints(url, canaries(), folder))
      run.count('controls')
      await sendGarbage(run, url, stand, garbageTimes)
      await holdConnections(run, url, stand, heldTimes)
    } finally {
      emulator.kill()
    }
  },
})

/** Surroundings in which everything that an emulator may write goes to one folder, and a variable asks for all addresses. */
function environmentIn(folder: string) {
  const { PATH = '' } = process.env
  return {
    PATH,
    HOME: folder,
    TMPDIR: folder,
    HOST: '0.0.0.0',
  }
}

async function askFromElsewhere({ complain, count, isShort, violation }: CheckRun, stand: Stand) {
  const methods = isShort ? fewMethods : allMethods
  for (const spelling of spellings) {
    const { asked, complaints } = await turnedAwayComplaints(spelling, methods, stand)
    count('requests turned away', asked)
    complain(spelling.what, complaints)
  }
  const recorded = await recordedBy(stand)
  if (recorded !== 0) violation(`${recorded} of them are on record, as if they had been served`)
  complain('asked as it should be', await letInComplaints(stand))
  count('controls')
}

async function reachFromOutside({ complain, count, skip, violation }: CheckRun, { port }: Stand) {
  complain('listening elsewhere', await widerComplaints())
  const addresses = outerAddresses()
  for (const address of addresses) {
    if (!(await isReachableAtAll(address))) {
      skip(`${address}: nobody is reached there, whoever listens`, 'addresses')
      continue
    }
    count('addresses')
    if (await isReachable(address, port)) violation(`it is reached at ${address}`)
  }
  if (addresses.length === 0)
    skip('reaching it from outside: this machine has no address but loopback', 'addresses')
}

async function sendGarbage({ count, seed, violation }: CheckRun, url: string, stand: Stand, times: number) {
  for (const bytes of garbage(stand, { seed, times })) {
    count('broken requests')
    await thrown(bytes, stand)
  }
  if (!(await isAnswering(url))) violation('after broken requests it is not there')
}

async function holdConnections({ count, violation }: CheckRun, url: string, stand: Stand, times: number) {
  const half = await held(times, stand)
  count('held connections', times)
  if (!(await isAnswering(url))) violation('beside connections that never end a request it does not answer')
  half.close()
  if (!(await isAnswering(url))) violation('after them it is not there')
}

async function isAnswering(url: string): Promise<boolean> {
  return (await fetch(url)).status === 200
}
