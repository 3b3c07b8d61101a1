import { keptBy, someHolders } from '../../support/kept-state.js'
import { judge } from '../judge/judge.js'
import { canariesOf, wanted } from '../secrets/canaries.js'
import { newLedger } from '../secrets/ledger.js'
import { type Scanner, scannerFor } from '../secrets/scanner.js'
import { type Counters, factsAfter } from './facts.js'
import type { Cell, JournalState } from './fault-table.js'
import { setups } from './setups.js'
import { makeWorld, type Place, type Ran, runOperation, type World } from './world.js'

/** The result of a cell; the fault table has the expected one. */
export interface Tried {
  readonly exitCode: number
  readonly journal: JournalState
  /** The exit code of one more run. */
  readonly again: number
  readonly violations: readonly string[]
}

/** Collects the exit codes of all cells, and the channels that were searched for secrets. */
export interface Watch {
  readonly secrets: Readonly<Record<string, string>>
  readonly scan: Scanner
  /** Every exit code that a run ended with. */
  readonly codes: Set<number>
  /** The channels in which the control was found, so the search works. */
  readonly channels: Set<string>
  bytes: number
}

/** A value in the manifest of every cell that is not a secret: the search must find it. */
const control = { name: 'control', value: 'siteadmin' }
const used: readonly string[] = ['password', 'answer', 'token']
const channels = {
  printed: 'the output of a run that meets a fault',
  kept: 'the files of a run that meets a fault',
} as const

/** Creates a watch with secrets derived from a seed. */
export function newWatch(seed: number): Watch {
  const canaries = canariesOf(seed)
  return {
    secrets: {
      LANDFORM_ADMIN_PASSWORD: canaries.password,
      LANDFORM_SECURITY_ANSWER: canaries.answer,
      LANDFORM_TOKEN: canaries.token,
    },
    scan: scannerFor([...wanted(canaries).filter(({ name }) => used.includes(name)), control]),
    codes: new Set(),
    channels: new Set(),
    bytes: 0,
  }
}

/** Runs a command that meets the fault of a cell, runs it once more, and judges both runs. A control changes their results. */
export async function tryCell(
  cell: Cell,
  place: Place,
  watch: Watch,
  alter: (ran: Ran) => Ran,
): Promise<Tried> {
  const world = await makeWorld(cell, { ...place, secrets: watch.secrets })
  const ledger = newLedger()
  const found: string[] = []
  let before: Counters | undefined
  const judgeRun = async (one: Ran) => {
    watch.codes.add(one.exitCode)
    ledger.see(channels.printed, `${one.out}${one.err}${JSON.stringify(one.report)}`)
    ledger.seeFiles(channels.kept, world.folder)
    const violations = judge(await factsAfter(cell, world, one, before))
    found.push(...violations.filter(text => !isOfTheCell(text, cell)))
    before = world.emulator.world().counters
  }
  try {
    if (typeof cell.by === 'string') await setups[cell.by](world)
    const all = await Promise.all(
      Array.from({ length: world.runs }, () => runOperation(world, cell.operation)),
    )
    world.repair()
    for (const one of all) await judgeRun(alter(one))
    const journal = place.keeps === 'file' ? await journalOf(world) : cell.journal
    world.runs = 1
    const again = await runOperation(world, cell.operation)
    await judgeRun(alter(again))
    const { bytes, unseen, secrets } = ledger.search(watch.scan, control)
    watch.bytes += bytes
    for (const channel of Object.values(channels)) if (!unseen.includes(channel)) watch.channels.add(channel)
    return {
      exitCode: Math.min(...all.map(({ exitCode }) => exitCode)),
      journal,
      again: again.exitCode,
      violations: [...found, ...judge({ secrets })],
    }
  } finally {
    await world.emulator.close()
  }
}

/** Tests whether the fault itself causes a violation: it damages the state, or responds with an error after accepting. */
function isOfTheCell(violation: string, { journal, by }: Cell): boolean {
  const isError = typeof by !== 'string' && by.some(fault => fault.startsWith('configure@1=error-after:'))
  return (
    (journal === 'unreadable' && violation.startsWith('I4')) || (isError && violation.startsWith('I2: 5'))
  )
}

async function journalOf({ kept: folder, url }: World): Promise<JournalState> {
  const read = await keptBy((await someHolders()).alive, { folder, url }).read()
  return read.ok ? (read.value?.submission?.state ?? 'none') : 'unreadable'
}
