import { parseWaves, type Reach } from '../../apply/fleet/waves.js'
import { parseWhole } from '../emulator/emulator-options.js'
import { UsageError } from '../usage-error.js'

/** Reads `--concurrency`. */
export function parseConcurrency(text = '4'): number {
  return parseWhole('concurrency', text, { from: 1, to: 256 })
}

/** Reads `--waves`; without it all sites are one wave. */
export function parseWavesOption(text: string | undefined): readonly Reach[] {
  const reaches = text === undefined ? [] : parseWaves(text)
  if (reaches !== undefined) return reaches
  throw new UsageError(
    `--waves is a list such as 1,10%,100%, each further than the one before, not ${JSON.stringify(text)}`,
  )
}
