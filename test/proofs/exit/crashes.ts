import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gone } from './process.js'

const canary = 'hunter2-Correct-horse'
const never = 'new Promise(() => {})'

/** What becomes of a look at the disk inside the program, and how a process ends that meets it. */
const harms: Readonly<Record<string, string>> = {
  'a promise that stalls': never,
  'an exception that nobody expects': `(setImmediate(() => { throw new Error('${canary}') }), ${never})`,
  'a rejection that nobody handles': `(Promise.reject(new Error('${canary}')), ${never})`,
}

/** Lets the program stall and throw: it ends with 70, and says neither the message nor where it lies on the machine. */
export async function misreported(folder: string, codes: Set<number>): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, instead] of Object.entries(harms)) {
    const harm = join(folder, 'harm.cjs')
    writeFileSync(
      harm,
      `const fs = require('node:fs/promises'); for (const name of ['lstat', 'stat', 'readdir', 'open']) fs[name] = () => ${instead}`,
    )
    const state = ['--url', 'http://127.0.0.1:9/admin', '--state', `file:${folder}/kept`]
    const { code, err } = await gone(['state', 'show', ...state], { cwd: folder, harm })
    codes.add(code)
    if (code !== 70) found.push(`${name} ends with ${code}: ${err}`)
    if (err.includes(canary)) found.push(`${name}: the message is shown: ${err}`)
    if (/\.cjs:\d+|\n\s+at /.test(err)) found.push(`${name}: the places of the code are shown: ${err}`)
  }
  return found
}

/** Programs with the mistakes that are looked for. */
export function wrongPrograms(folder: string) {
  const script = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return {
    stalls: script('stalls.cjs', `${never}.then(() => { process.exitCode = 0 })`),
    leaves: script('leaves.cjs', `process.stdout.write('x'.repeat(1 << 20)); process.exit(0)`),
  }
}
