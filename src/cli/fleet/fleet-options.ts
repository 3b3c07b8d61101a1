import { parseWaves, type Reach } from '../../apply/fleet/waves.js'
import type { Options } from '../command.js'
import { parseWhole } from '../emulator-options.js'
import { UsageError } from '../usage-error.js'

/** The word that every command about one or many sites has. */
export const manifestsArgument = {
  name: 'files',
  many: true,
  describe: 'Manifest, or several: files, folders, patterns; - is standard input',
} as const

/** The option of the commands that look at many sites. */
export const concurrencyOption = {
  concurrency: {
    kind: 'text',
    value: 'N',
    describe: 'Of several sites, how many at once [default: 4]',
  },
} as const satisfies Options

/** The options of the command that changes many sites. */
export const waveOptions = {
  ...concurrencyOption,
  waves: {
    kind: 'text',
    value: 'N[%],…',
    describe:
      'Of several sites, how many before the others, such as 1,10%,100%; stops after a wave that fails',
  },
  'keep-going': { kind: 'flag', describe: 'Begin the next wave whatever became of one' },
} as const satisfies Options

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
