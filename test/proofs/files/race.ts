import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'

/** What somebody swaps for a link out while it is read: the file, or the folder that it is in. */
export type Swapped = 'file' | 'folder'

/** Where a race ends that never shows what it is for. */
const mostReadings = 1_000_000

/** How often each answer came while two processes raced: one reads at least `times` times, the other swaps. */
export function raced(
  how: 'jailed' | 'naive',
  swapped: Swapped,
  times: number,
): Readonly<Record<string, number>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'landform-race-')))
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')]
  for (const one of [inside, outside, join(inside, 'secrets')]) mkdirSync(one)
  writeFileSync(join(inside, 'secrets', 'token'), 'inside')
  writeFileSync(join(outside, 'token'), 'outside')
  const program = (name: string) => join(root, 'dist', 'test', 'proofs', 'files', `${name}.js`)
  const swap =
    swapped === 'file'
      ? [join(inside, 'secrets'), 'token', join(outside, 'token')]
      : [inside, 'secrets', outside]
  const swapper = spawn(process.execPath, [program('swapper'), ...swap], { stdio: 'ignore' })
  try {
    const words = [program('reader'), how, inside, 'secrets/token', String(times), String(mostReadings)]
    const { stdout } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      timeout: 120_000,
      killSignal: 'SIGKILL',
    })
    return JSON.parse(stdout === '' ? '{}' : stdout)
  } finally {
    swapper.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
