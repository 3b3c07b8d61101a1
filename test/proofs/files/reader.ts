import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { describeDefect } from '../../../src/diagnostics/reference-defect.js'
import { readJailed } from '../../../src/secrets/file-jail.js'

/**
 * Reads a file again and again, and says what came out how often: `node reader.js jailed|naive INSIDE PATH TIMES MOST`. It
 * reads at least `TIMES` times, and on until it met what its reader has to meet, `MOST` times at most: a machine may leave the
 * one that swaps standing for longer than a thousand readings. The naive one looks where a path leads, and then opens it: it
 * has to be led out once. The jailed one has to read the file inside once.
 */
const [how = '', inside = '', path = '', times = '', most = ''] = process.argv.slice(2)
const met = how === 'naive' ? 'outside' : 'inside'
const counts: Record<string, number> = {}

for (let time = 0; time < Number(times) || (time < Number(most) && counts[met] === undefined); time += 1) {
  const said = await (how === 'naive' ? naive() : jailed()).catch(
    ({ code }: NodeJS.ErrnoException) => code ?? 'unknown',
  )
  counts[said] = (counts[said] ?? 0) + 1
}
process.stdout.write(JSON.stringify(counts))

async function jailed(): Promise<string> {
  const reply = await readJailed(inside, path, 1000)
  return reply.kind === 'read'
    ? String(reply.bytes)
    : reply.kind === 'missing'
      ? 'missing'
      : describeDefect(reply.defect)
}

async function naive(): Promise<string> {
  const real = await realpath(join(inside, path))
  return real.startsWith(inside) ? readFile(join(inside, path), 'utf8') : 'is outside its folder'
}
