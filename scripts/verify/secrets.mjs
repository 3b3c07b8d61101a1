// Looks for secrets in everything that Landform leaves behind, and in its memory: `npm run verify:secrets`. Each channel has to
// show a text that was planted there, or nobody looked. `-- --seed N` makes the same secrets again.
import { canariesOf, secretNames } from '../../dist/test/proofs/secrets/canaries.js'
import { watchedCells } from '../../dist/test/proofs/secrets/cells.js'
import { looked } from '../../dist/test/proofs/secrets/channels/looked.js'
import { encodingNames } from '../../dist/test/proofs/secrets/encodings.js'
import { sameFor } from '../../dist/test/proofs/secrets/same-output.js'
import { complain, conclude, count, figures, say, scratchFolder, skip, violation } from './check.mjs'

const { seed, words, isShort } = figures({})
const scratch = scratchFolder()

count('canaries', secretNames.length)
count('encodings', encodingNames.length)

for await (const { name, skipped, channels, controls, bytes, complaints, milliseconds } of looked(scratch, {
  seed,
  names: words,
  isShort,
})) {
  if (skipped !== undefined) {
    skip(`${name}: ${skipped}`, 'channels', 'controls')
    continue
  }
  count('channels', channels)
  count('controls', controls)
  count('bytes', bytes)
  say(
    `${name.padEnd(28)}${`${channels} channels`.padStart(14)}${`${bytes} bytes`.padStart(18)}${`${milliseconds} ms`.padStart(12)}`,
  )
  complain(`${name} (npm run verify:secrets -- --seed ${seed} ${name})`, complaints)
}

if (words.length === 0 || words.includes('cells')) {
  const { cells, channels, controls, bytes, complaints } = await watchedCells(
    canariesOf(seed),
    isShort ? 'first' : 'all',
  )
  count('cells', cells)
  count('channels', channels)
  count('controls', controls)
  count('bytes', bytes)
  say(`cells of the fault table ${cells}, ${bytes} bytes`)
  complain(`cells (npm run verify:secrets -- --seed ${seed} cells)`, complaints)
}

if (words.length === 0 || words.includes('same')) {
  const { outputs, differences, isSensitive } = await sameFor(scratch, seed)
  count('outputs compared', outputs)
  complain(`output for other secrets (npm run verify:secrets -- --seed ${seed} same)`, differences)
  if (!isSensitive) violation('another name of the site made no difference, so nothing was compared')
}
conclude()
