// Asks an emulator as other machines, pages of other sites and mischief would: `npm run verify:emulator [-- --short]`. It must
// answer none of them, and its own program all the time.
import { chmodSync } from 'node:fs'
import { canaries } from '../../dist/test/proofs/network/canaries.js'
import { spellings } from '../../dist/test/proofs/network/emulator-spellings.js'
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
} from '../../dist/test/proofs/network/try-emulator.js'
import { emulatorProcess } from '../../dist/test/support/emulator-process.js'
import { removeTemporaryFolders, temporaryFolder } from '../../dist/test/support/temporary-folder.js'
import { complain, conclude, count, figures, skip, violation } from './check.mjs'

const { garbageTimes, heldTimes, isShort, seed } = figures({
  garbageTimes: [300, 20_000],
  heldTimes: [200, 2000],
})
const methods = isShort
  ? ['GET', 'POST']
  : ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']
const folder = await temporaryFolder()
chmodSync(folder, 0o700)
const { PATH } = process.env
const env = {
  PATH,
  HOME: folder,
  TMPDIR: folder,
  XDG_CACHE_HOME: folder,
  HOST: '0.0.0.0',
  LANDFORM_CODE_CACHE: folder,
}
const emulator = await emulatorProcess([], 1, { cwd: folder, env })
const [url] = emulator.urls
const stand = standOf(url)
const isThere = async () => (await fetch(url)).status === 200

for (const spelling of spellings) {
  const { asked, complaints } = await turnedAwayComplaints(spelling, methods, stand)
  count('requests turned away', asked)
  complain(spelling.what, complaints)
}
const recorded = await recordedBy(stand)
if (recorded !== 0) violation(`${recorded} of them are on record, as if they had been served`)
complain('asked as it should be', await letInComplaints(stand))
count('controls')

complain('listening elsewhere', await widerComplaints())
const addresses = outerAddresses()
for (const address of addresses) {
  if (!(await isReachableAtAll(address))) {
    skip(`${address}: nobody is reached there, whoever listens`, 'addresses')
    continue
  }
  count('addresses')
  if (await isReachable(address, stand.port)) violation(`it is reached at ${address}`)
}
if (addresses.length === 0)
  skip('reaching it from outside: this machine has no address but loopback', 'addresses')

complain('secrets that it gets', await shownComplaints(url, canaries(), folder))
count('controls')

for (const bytes of garbage(stand, { seed, times: garbageTimes })) {
  count('broken requests')
  await thrown(bytes, stand)
}
if (!(await isThere())) violation('after broken requests it is not there')
const half = await held(heldTimes, stand)
count('held connections', heldTimes)
if (!(await isThere())) violation('beside connections that never end a request it does not answer')
half.close()
if (!(await isThere())) violation('after them it is not there')
emulator.kill()
await removeTemporaryFolders()
conclude()
