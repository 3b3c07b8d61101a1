// Points each operation elsewhere, by an answer, by an address that reads like that of the site, by the name of a service, or
// by a name that leads elsewhere all at once, and listens there: `npm run verify:redirect [-- --short]`; `--only NAME` does one
// of the six. A client that follows must be heard.
import { confusingAddresses, confusingServices } from '../../dist/test/proofs/network/confusing-addresses.js'
import { operations } from '../../dist/test/proofs/network/operations.js'
import { rebindingComplaints } from '../../dist/test/proofs/network/rebinding.js'
import { redirects } from '../../dist/test/proofs/network/redirects.js'
import {
  addressComplaints,
  pinnedComplaints,
  serviceComplaints,
} from '../../dist/test/proofs/network/try-address.js'
import {
  followedComplaints,
  redirectComplaints,
  redirectGround,
  targets,
} from '../../dist/test/proofs/network/try-redirect.js'
import { stopRawServers } from '../../dist/test/support/raw-server.js'
import { removeTemporaryFolders } from '../../dist/test/support/temporary-folder.js'
import { complain, conclude, count, figures, skip } from './check.mjs'

const { isShort, seed, only } = figures({ only: ['', ''] })
const ground = await redirectGround()
/** Once who follows is let do so, the other hosts are asked: so that is the last one. */
const parts = { answers, addresses, services, allowed, names, followers }
for (const [name, part] of Object.entries(parts)) if (only === '' || only === name) await part()
await ground.house.close()
await stopRawServers()
await removeTemporaryFolders()
conclude()

async function answers() {
  const cells = redirects.flatMap(redirect =>
    operations.flatMap(operation => targets.map(target => ({ redirect, operation, target }))),
  )
  for (const [index, cell] of cells.entries()) {
    // In the short form a seventh of them: every redirect, operation and target, in other company each time.
    if (isShort && (index + seed) % 7 !== 0) continue
    const { operation, redirect, target } = cell
    count('cells')
    complain(`${operation}, ${redirect.what} to ${target}`, await redirectComplaints(cell, ground))
  }
}

async function addresses() {
  for (const [index, [what, address]] of confusingAddresses.entries())
    for (const [turn, operation] of operations.entries()) {
      if (isShort && (index + seed) % operations.length !== turn) continue
      count('addresses')
      complain(`${operation} at ${what}`, await addressComplaints(address, operation, ground))
    }
}

async function services() {
  for (const service of confusingServices) {
    count('names of services')
    complain(JSON.stringify(service.slice(0, 60)), await serviceComplaints(service, ground))
  }
}

async function allowed() {
  for (const operation of operations) {
    count('controls')
    complain(`${operation} at the allowed origin`, await pinnedComplaints(operation, ground))
  }
}

async function names() {
  // Elsewhere the second address of loopback is not there unless somebody adds it.
  if (process.platform === 'linux') {
    complain('a name that leads elsewhere', await rebindingComplaints(ground.trusted))
    count('names that lead elsewhere')
  } else skip('a name that leads to another machine: it needs 127.0.0.2, which Linux has')
}

async function followers() {
  for (const redirect of redirects.filter(({ isFollowed }) => isFollowed)) {
    count('controls')
    complain('a client that follows', await followedComplaints(redirect, ground))
  }
}
