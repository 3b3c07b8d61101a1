import { closeDoubles } from '../support/http-double.js'
import { type CheckRun, declareCheck } from './check.js'
import { type Operation, operations } from './network/operations.js'
import { type TlsCase, tlsCases } from './network/tls-cases.js'
import { heardViolations, listCarelessErrors, startTlsFixture } from './network/tls-fixture.js'
import { tlsClaims } from './network/tls-surroundings.js'
import {
  controlOf,
  plainViolations,
  type TlsCell,
  type TlsGround,
  tlsViolations,
  type Way,
} from './network/try-tls.js'

const ways: readonly Way[] = ['straight', 'by proxy']
const plainOperations: readonly Operation[] = ['observe', 'configure', 'update', 'signIn']

/**
 * Runs every operation with certificates and servers that it must not trust, and records each byte that they receive. The
 * controls use the right certificate, or a client that verifies nothing, whose requests must be recorded.
 */
export const check = declareCheck({
  name: 'tls',
  shows: 'No server with an untrusted certificate ever receives a request.',
  counts: { cases: [18, 18], cells: [36, 300], controls: [12, 12], surroundings: [4, 10] },
  short: 'ci',
  figures: {},
  async run(run) {
    const ground = await startTlsFixture(!run.isShort)
    try {
      await tryControls(run, ground)
      await tryCells(run, ground)
      run.report('the servers', heardViolations(ground))
      run.report('a client that verifies nothing', await listCarelessErrors(ground))
      run.count('cases', tlsCases.length)
      await tryWithoutTls(run, ground)
      await tryClaims(run, ground)
    } finally {
      await ground.house.close()
      await closeDoubles()
    }
  },
})

type TlsFixture = Awaited<ReturnType<typeof startTlsFixture>>

async function tryControls({ report, count }: CheckRun, ground: TlsFixture) {
  for (const way of ways)
    for (const operation of operations) {
      const { requestAt, violations } = await controlOf(operation, ground, way)
      ground.requestAt.set(`${operation} ${way}`, requestAt)
      count('controls')
      report(`${operation} ${way}, with the right certificate`, violations)
    }
}

async function tryCells(run: CheckRun, ground: TlsGround) {
  const cells = tlsCases.flatMap((tls, index) => cellsOf(run, tls, index))
  // These cases wait ten seconds each.
  const isSilent = ({ tls }: TlsCell) => tls.what === 'a port that never responds'
  const waiting = Promise.all(cells.filter(isSilent).map(cell => tryCell(run, ground, cell)))
  for (const cell of cells.filter(cell => !isSilent(cell))) await tryCell(run, ground, cell)
  await waiting
}

/** Lists the cells of a case; in the short form, those of two operations that the seed selects. */
function cellsOf({ isShort, seed }: CheckRun, tls: TlsCase, index: number): readonly TlsCell[] {
  const waysOfCase = isShort || tls.host !== undefined ? ways.slice(0, 1) : ways
  const places: readonly TlsCell['at'][] = tls.isFirstOnly
    ? ['the first connection']
    : ['its request', 'the first connection']
  const all = operations.flatMap(operation =>
    waysOfCase.flatMap(way => places.map(at => ({ operation, tls, way, at }))),
  )
  if (!isShort) return all
  return [0, 1].flatMap(turn => all[((index * 2 + turn + seed) * places.length) % all.length] ?? [])
}

async function tryCell({ report, count }: CheckRun, ground: TlsGround, cell: TlsCell) {
  count('cells')
  const { operation, tls, way, at } = cell
  report(`${operation} ${way}, ${at}, ${tls.what}`, await tlsViolations(cell, ground))
}

async function tryWithoutTls({ report, count }: CheckRun, ground: TlsGround) {
  for (const operation of plainOperations) {
    count('cells')
    report(`${operation} with plain http`, await plainViolations(operation, ground))
  }
}

async function tryClaims({ report, count, isShort }: CheckRun, ground: TlsGround) {
  for (const claim of tlsClaims.filter(one => one.isShort || !isShort)) {
    count('surroundings')
    report(claim.what, await claim.violations(ground))
  }
}
