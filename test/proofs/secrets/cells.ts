import { complaintsOf, faultCases } from '../faults/cases.js'
import type { Witness } from '../faults/try-cell.js'
import { type Canaries, wanted } from './canaries.js'
import { newLedger } from './ledger.js'
import { scannerFor } from './scanner.js'

/** Stands in the manifest of every cell, and is no secret. */
const control = { name: 'control', value: 'siteadmin' }
const used: readonly string[] = ['password', 'answer', 'token']

/** Tries cells of the fault table, and looks for the secrets in what each run prints and leaves behind. */
export async function watchedCells(canaries: Canaries, which: keyof typeof faultCases) {
  const secrets = {
    LANDFORM_ADMIN_PASSWORD: canaries.password,
    LANDFORM_SECURITY_ANSWER: canaries.answer,
    LANDFORM_TOKEN: canaries.token,
  }
  const scan = scannerFor([...wanted(canaries).filter(({ name }) => used.includes(name)), control])
  const shown = new Set<string>()
  const complaints: string[] = []
  let total = 0
  for (const { name, cell, place } of faultCases[which]) {
    const ledger = newLedger()
    const witness: Witness = ({ folder }, { out, err, report }) => {
      ledger.see(channels.printed, `${out}${err}${JSON.stringify(report)}`)
      ledger.seeFiles(channels.kept, folder)
    }
    // Whether the cell comes to what it should is asked elsewhere.
    await complaintsOf({ id: '', name, cell, place: { ...place, secrets } }, witness)
    const { bytes, unseen, complaints: own } = ledger.judge(scan, control)
    total += bytes
    complaints.push(...own.map(text => `${name}: ${text}`))
    for (const channel of Object.values(channels)) if (!unseen.includes(channel)) shown.add(channel)
  }
  const cells = faultCases[which].length
  return { cells, bytes: total, channels: Object.keys(channels).length, controls: shown.size, complaints }
}

const channels = {
  printed: 'what a run that meets a fault prints',
  kept: 'what a run that meets a fault leaves behind',
} as const
