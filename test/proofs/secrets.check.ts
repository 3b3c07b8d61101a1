import { spellingNames } from '../support/spellings.js'
import { type CheckRun, declareCheck } from './check.js'
import { secretNames } from './secrets/canaries.js'
import { looked } from './secrets/channels/looked.js'
import { encodingNames } from './secrets/encodings.js'
import { sameFor } from './secrets/same-output.js'

/**
 * Searches everything that Landform leaves behind, and its memory, for secrets. Each channel has to show a text that was
 * planted there, or nobody searched it. What runs that meet a fault print and keep is searched by `faults`. Words are the parts
 * to search, and `same`; `--seed` makes the same secrets
 * again, and stands before the words, since some parts have names of checks.
 */
export const check = declareCheck({
  name: 'secrets',
  shows:
    'No secret, and no eight characters of one, appear in anything that a run prints, writes or stores, in any encoding. If a site repeats a whole secret, at once or to a later process, it does not appear either, in any spelling that services use.',
  counts: {
    canaries: [12, 12],
    encodings: [9, 9],
    spellings: [17, 17],
    channels: [80, 100],
    controls: [80, 100],
    'outputs compared': [28, 28],
  },
  planted: 'controls',
  short: 'ci',
  gate: 'release',
  figures: {},
  async run(run) {
    const { words } = run
    const scratch = run.scratchFolder()
    run.count('canaries', secretNames.length)
    run.count('encodings', encodingNames.length)
    if (words.length === 0 || words.includes('spellings')) run.count('spellings', spellingNames.length)
    await searchParts(run, scratch)
    if (words.length === 0 || words.includes('same')) await compareOutputs(run, scratch)
  },
})

function again(run: CheckRun, word: string): string {
  return run.again('--seed', `${run.seed}`, word)
}

async function searchParts(run: CheckRun, scratch: string) {
  const { complain, count, isShort, say, seed, skip, words } = run
  for await (const part of looked(scratch, { seed, names: words, isShort })) {
    const { name, skipped, channels, controls, bytes, complaints, milliseconds } = part
    if (skipped !== undefined) {
      skip(`${name}: ${skipped}`, 'channels', 'controls')
      continue
    }
    count('channels', channels)
    count('controls', controls)
    count('bytes', bytes)
    const cells = [
      `${channels} channels`.padStart(14),
      `${bytes} bytes`.padStart(18),
      `${milliseconds} ms`.padStart(12),
    ]
    say(`${name.padEnd(28)}${cells.join('')}`)
    complain(`${name} (${again(run, name)})`, complaints)
  }
}

/** Compares the output for other secrets, which must be the same. */
async function compareOutputs(run: CheckRun, scratch: string) {
  const { complain, count, seed, violation } = run
  const { outputs, differences, isSensitive } = await sameFor(scratch, seed)
  count('outputs compared', outputs)
  complain(`output for other secrets (${again(run, 'same')})`, differences)
  if (!isSensitive) violation('another name of the site made no difference, so nothing was compared')
}
