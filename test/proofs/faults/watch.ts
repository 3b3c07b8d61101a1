import type { Cell } from '../../../scripts/reference/fault-row.js'
import { canariesOf, wanted } from '../secrets/canaries.js'
import { newLedger } from '../secrets/ledger.js'
import { type Scanner, scannerFor } from '../secrets/scanner.js'
import { exitTruth } from './exit-oracle.js'
import type { Witness } from './try-cell.js'

/** What is watched in every run of a cell, beside its line of the table: its exit code, and the secrets that it gets. */
export interface Watch {
  readonly secrets: Readonly<Record<string, string>>
  readonly scan: Scanner
  /** Every exit code that a run ended with. */
  readonly codes: Set<number>
  /** The channels in which a text was found that has to be there: so they were really searched. */
  readonly channels: Set<string>
  /** How much was searched. */
  bytes: number
}

/** Stands in the manifest of every cell, and is no secret. */
const control = { name: 'control', value: 'siteadmin' }
const used: readonly string[] = ['password', 'answer', 'token']
const channels = {
  printed: 'what a run that meets a fault prints',
  kept: 'what a run that meets a fault leaves behind',
} as const

/** A watch with secrets of its own, which the same seed makes again. */
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

/** Watches the runs of one cell. `complaints` are the exit codes that are not so, and the secrets that were found. */
export function watchCell(watch: Watch, cell: Cell) {
  const lies: string[] = []
  const ledger = newLedger()
  const truth = exitTruth(cell, lies)
  const witness: Witness = async (world, ran) => {
    watch.codes.add(ran.exitCode)
    await truth(world, ran)
    ledger.see(channels.printed, `${ran.out}${ran.err}${JSON.stringify(ran.report)}`)
    ledger.seeFiles(channels.kept, world.folder)
  }
  const complaints = (): readonly string[] => {
    const { bytes, unseen, complaints: leaks } = ledger.judge(watch.scan, control)
    watch.bytes += bytes
    for (const channel of Object.values(channels)) if (!unseen.includes(channel)) watch.channels.add(channel)
    return [...lies, ...leaks]
  }
  return { witness, complaints }
}
