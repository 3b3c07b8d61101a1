import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import type { Design } from './designs.js'

export interface Checked {
  readonly errors: number
  readonly states: number
}

/** Runs Spin on every reachable state of a design. The generated files go into `folder`. */
export function checked({ model, parts }: Design, folder: string): Checked {
  const file = join(root, 'test', 'proofs', 'models', `${model}.pml`)
  const run = (program: string, words: readonly string[]) =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  run('spin', ['-a', ...parts.map(part => `-D${part}`), file])
  run('gcc', ['-DSAFETY', '-o', 'pan', 'pan.c'])
  const said = run(join(folder, 'pan'), ['-m100000'])
  const errors = /errors: (\d+)/.exec(said)?.[1]
  const states = /(\d+) states, stored/.exec(said)?.[1]
  if (errors === undefined || states === undefined || /max search depth too small/.test(said))
    throw new Error(`Spin did not finish: ${said}`)
  return { errors: Number(errors), states: Number(states) }
}
