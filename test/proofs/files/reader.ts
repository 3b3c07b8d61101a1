import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readJailed } from '../../../src/secrets/file-jail.js'

/**
 * Reads a file again and again, and says what came out how often: `node reader.js jailed|naive INSIDE PATH TIMES`. The
 * naive one looks where a path leads, and then opens it; it ends when it was led out once.
 */
const [how = '', inside = '', path = '', times = ''] = process.argv.slice(2)
const counts: Record<string, number> = {}

for (let time = 0; time < Number(times); time += 1) {
  const said = await (how === 'naive' ? naive() : jailed()).catch(
    ({ code }: NodeJS.ErrnoException) => code ?? 'unknown',
  )
  counts[said] = (counts[said] ?? 0) + 1
  if (how === 'naive' && said === 'outside') break
}
process.stdout.write(JSON.stringify(counts))

async function jailed(): Promise<string> {
  const reply = await readJailed(inside, path, 1000)
  return reply.kind === 'read' ? String(reply.bytes) : reply.kind === 'missing' ? 'missing' : reply.problem
}

async function naive(): Promise<string> {
  const real = await realpath(join(inside, path))
  return real.startsWith(inside) ? readFile(join(inside, path), 'utf8') : 'leads out of its folder'
}
