// Lets every operation meet certificates and servers that are not to be believed, and listens to each byte that goes to them:
// `npm run verify:tls [-- --short]`. Beside it stand the same operations with a certificate that is right, and a client that
// verifies nothing, whose requests must be heard.
import { operations } from '../../dist/test/proofs/network/operations.js'
import { tlsCases } from '../../dist/test/proofs/network/tls-cases.js'
import { carelessComplaints, heardComplaints, tlsGround } from '../../dist/test/proofs/network/tls-ground.js'
import { tlsClaims } from '../../dist/test/proofs/network/tls-surroundings.js'
import { controlOf, plainComplaints, tlsComplaints } from '../../dist/test/proofs/network/try-tls.js'
import { stopRawServers } from '../../dist/test/support/raw-server.js'
import { removeTemporaryFolders } from '../../dist/test/support/temporary-folder.js'
import { complain, conclude, count, figures } from './check.mjs'

const { isShort, seed } = figures({})
const ground = await tlsGround(!isShort)

for (const way of ['straight', 'by proxy'])
  for (const operation of operations) {
    const { requestAt, complaints } = await controlOf(operation, ground, way)
    ground.requestAt.set(`${operation} ${way}`, requestAt)
    count('controls')
    complain(`${operation} ${way}, with a certificate that is right`, complaints)
  }

const cells = tlsCases.flatMap(cellsOf)
// These wait ten seconds each, and for nothing else.
const isSilent = ({ tls }) => tls.what === 'no word of TLS at all'
const waiting = Promise.all(cells.filter(isSilent).map(tried))
for (const cell of cells.filter(cell => !isSilent(cell))) await tried(cell)
await waiting
complain('the servers', heardComplaints(ground))
complain('a client that verifies nothing', await carelessComplaints(ground))
count('cases', tlsCases.length)

for (const operation of ['observe', 'configure', 'update', 'signIn']) {
  count('cells')
  complain(`${operation} with plain http`, await plainComplaints(operation, ground))
}
for (const claim of tlsClaims.filter(one => one.isShort || !isShort)) {
  count('surroundings')
  complain(claim.what, await claim.complaints(ground))
}

await ground.house.close()
await stopRawServers()
await removeTemporaryFolders()
conclude()

/** In the short form each case meets two of the operations, which take turns by the seed. */
function cellsOf(tls, index) {
  const ways = ['straight', ...(isShort || tls.host !== undefined ? [] : ['by proxy'])]
  const places = tls.isFirstOnly ? ['the first connection'] : ['its request', 'the first connection']
  const all = operations.flatMap(operation =>
    ways.flatMap(way => places.map(at => ({ operation, tls, way, at }))),
  )
  if (!isShort) return all
  return [0, 1].map(turn => all[((index * 2 + turn + seed) * places.length) % all.length])
}

async function tried(cell) {
  count('cells')
  const { operation, tls, way, at } = cell
  complain(`${operation} ${way}, ${at}, ${tls.what}`, await tlsComplaints(cell, ground))
}
