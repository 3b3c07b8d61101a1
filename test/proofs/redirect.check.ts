import { stopRawServers } from '../support/raw-server.js'
import { type CheckRun, declareCheck } from './check.js'
import { confusingAddresses, confusingServices } from './network/confusing-addresses.js'
import { operations } from './network/operations.js'
import { rebindingComplaints } from './network/rebinding.js'
import { redirects } from './network/redirects.js'
import { addressComplaints, pinnedComplaints, serviceComplaints } from './network/try-address.js'
import {
  followedComplaints,
  type RedirectGround,
  redirectComplaints,
  redirectGround,
  targets,
} from './network/try-redirect.js'

/**
 * Points each operation elsewhere, by an answer, by an address that reads like that of the site, by the name of a service, or
 * by a name that leads elsewhere all at once, and listens there. A client that follows must be heard.
 */
export const check = declareCheck({
  name: 'redirect',
  shows: 'No response, unusual address or service name can redirect a request or a secret.',
  counts: { cells: [35, 250], addresses: [50, 300], 'names of services': [20, 20], controls: [11, 11] },
  planted: 'controls',
  short: 'ci',
  gate: 'release',
  figures: {
    /** Only the part with this name. */
    only: ['', ''],
  },
  async run(run) {
    const { only } = run.figures
    const ground = await redirectGround()
    try {
      for (const [name, tryPart] of Object.entries(parts))
        if (only === '' || only === name) await tryPart(run, ground)
    } finally {
      await ground.house.close()
      await stopRawServers()
    }
  },
})

type Part = (run: CheckRun, ground: RedirectGround) => Promise<void>

/** A client that follows asks the other hosts, so it comes last. */
const parts: Readonly<Record<string, Part>> = {
  answers: tryAnswers,
  addresses: tryAddresses,
  services: tryServices,
  allowed: tryAllowedOrigin,
  names: tryNames,
  followers: tryFollowers,
}

async function tryAnswers({ complain, count, isShort, seed }: CheckRun, ground: RedirectGround) {
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

async function tryAddresses({ complain, count, isShort, seed }: CheckRun, ground: RedirectGround) {
  for (const [index, [what, address]] of confusingAddresses.entries())
    for (const [turn, operation] of operations.entries()) {
      if (isShort && (index + seed) % operations.length !== turn) continue
      count('addresses')
      complain(`${operation} at ${what}`, await addressComplaints(address, operation, ground))
    }
}

async function tryServices({ complain, count }: CheckRun, ground: RedirectGround) {
  for (const service of confusingServices) {
    count('names of services')
    complain(JSON.stringify(service.slice(0, 60)), await serviceComplaints(service, ground))
  }
}

async function tryAllowedOrigin({ complain, count }: CheckRun, ground: RedirectGround) {
  for (const operation of operations) {
    count('controls')
    complain(`${operation} at the allowed origin`, await pinnedComplaints(operation, ground))
  }
}

async function tryNames({ complain, count, skip }: CheckRun, ground: RedirectGround) {
  // Elsewhere the second address of loopback is not there unless somebody adds it.
  if (process.platform === 'linux') {
    complain('a name that leads elsewhere', await rebindingComplaints(ground.trusted))
    count('names that lead elsewhere')
  } else skip('a name that leads to another machine: it needs 127.0.0.2, which Linux has')
}

async function tryFollowers({ complain, count }: CheckRun, ground: RedirectGround) {
  for (const redirect of redirects.filter(({ isFollowed }) => isFollowed)) {
    count('controls')
    complain('a client that follows', await followedComplaints(redirect, ground))
  }
}
