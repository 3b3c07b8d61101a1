import type { Cell, JournalState } from '../../../scripts/reference/fault-row.js'
import { keptBy, someHolders } from '../../support/kept-state.js'
import { setups } from './setups.js'
import { type Place, type Ran, ran, type World, worldOf } from './world.js'

/** What came of a cell; what it must be is in the table. */
export interface Tried {
  readonly exitCode: number
  readonly journal: JournalState
  /** Exit code of one more run. */
  readonly again: number
  /** What no run may ever do, or leave out. */
  readonly complaints: readonly string[]
}

/** Looks at the world just after a run of a cell: at what was printed, and at what is so. */
export type Witness = (world: World, ran: Ran) => void | Promise<void>

/** Makes a fault happen to a run of the command line, then runs it once more. */
export async function tryCell(cell: Cell, place: Place, witness: Witness = () => {}): Promise<Tried> {
  const world = await worldOf(cell, place)
  try {
    if (typeof cell.by === 'string') await setups[cell.by](world)
    const all = await Promise.all(Array.from({ length: world.runs }, () => ran(world, cell.operation)))
    world.repair()
    for (const one of all) await witness(world, one)
    const journal = place.keeps === 'file' ? await journalOf(world) : cell.journal
    world.runs = 1
    const again = await ran(world, cell.operation)
    await witness(world, again)
    return {
      exitCode: Math.min(...all.map(({ exitCode }) => exitCode)),
      journal,
      again: again.exitCode,
      complaints: [...all, again].flatMap(one => wordsMissing(one)).concat(excess(world, cell)),
    }
  } finally {
    await world.emulator.close()
  }
}

async function journalOf({ kept: folder, url }: World): Promise<JournalState> {
  const read = await keptBy((await someHolders()).alive, { folder, url }).read()
  return read.ok ? (read.value?.submission?.state ?? 'none') : 'unreadable'
}

/** Nobody is left with a code alone: what to repair is a diagnostic at its place, or a next step. */
function wordsMissing({ exitCode, err }: Ran): readonly string[] {
  const wanted = exitCode === 130 || exitCode === 143 ? /interrupted/ : /^next:(?: |$)|:\d+:\d+/m
  const isSaid = exitCode === 0 || wanted.test(err)
  return isSaid ? [] : [`nothing says what to do after ${exitCode}: ${err}`]
}

function excess({ emulator }: World, { by }: Cell): readonly string[] {
  const { received, accepted } = emulator.world().counters.configure
  const isDoubled = typeof by !== 'string' && by.some(fault => fault.includes('duplicate'))
  return accepted > 1 || received > (isDoubled ? 2 : 1)
    ? [`configure was received ${received} times and accepted ${accepted} times`]
    : []
}
