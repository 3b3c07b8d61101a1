import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { startEmulator } from '../../src/emulator/server.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { type Cache, caches, hasVarnish, startVarnish } from './cache/varnish.js'
import { type CheckRun, declareCheck } from './check.js'

const counts = {
  'lost answers': [2, 2],
  'old copies seen': [3, 3],
  'copies refused': [1, 1],
  'controls found': [1, 1],
} as const

/**
 * Puts Varnish in front of a site that loses the response to `configure`, and does what an operator would: apply, discard the
 * submission intent if the run reports that nothing began, and apply again. The control is a cache that ignores the query and
 * hides itself: behind it, these steps lead to a second request.
 */
export const check = declareCheck({
  name: 'cache',
  shows:
    "Behind Varnish, which caches a site's answers whatever a request says, a lost answer causes no second request. If a cache marks its copy, the run ends before anything is sent.",
  counts,
  short: 'ci',
  figures: {},
  async run(run) {
    if (!(await hasVarnish()))
      return run.skip('Varnish is not installed (Debian: apt-get install varnish)', ...Object.keys(counts))
    for (const cache of Object.keys(caches) as Cache[]) await tryCache(run, cache)
  },
})

async function tryCache(run: CheckRun, cache: Cache): Promise<void> {
  const folder = run.scratchFolder()
  const emulator = await startEmulator({
    stageMs: 1,
    fidelity: 'field',
    field: { securityFrom: 'never', anyToken: true },
    faults: parseBuiltInRules(['configure@1=drop-after']),
  })
  const varnish = await startVarnish(join(folder, 'varnish'), emulator.url, cache)
  const received = () => emulator.world().counters.configure.received
  try {
    // Reads the site once, so that the cache has a copy.
    await readCopy(varnish.url)
    if (cache === 'a day, without the query') await waitForAge(varnish.url)
    const codes = await goTheWholeWay(folder, varnish.url)
    run.say(`${cache}: exit codes ${codes.join(', ')}; the site received configure ${received()} times`)
    const found = `${codes.join(' ')}, ${received()}`
    const copy = await readCopy(varnish.url)
    switch (cache) {
      case 'its own settings':
      case 'a day':
        if (found !== `${exitCodes.done}, 1`) run.violation(`${cache}: ${found}`)
        run.count('lost answers')
        if (copy.includes('not_configured')) run.count('old copies seen')
        break
      case 'a day, without the query':
        if (found !== `${exitCodes.refused}, 0`) run.violation(`${cache}: ${found}`)
        run.count('copies refused')
        break
      case 'a day, without the query, hidden':
        if (received() === 2) run.count('controls found')
        if (copy.includes('not_configured')) run.count('old copies seen')
        break
      default:
        cache satisfies never
    }
  } finally {
    await varnish.close()
    await emulator.close()
  }
}

/** Follows the printed hints until nothing is left to do, and returns the exit codes of the commands. */
async function goTheWholeWay(folder: string, url: string): Promise<readonly number[]> {
  for (const name of ['quickstart.yaml', 'licenses'])
    cpSync(join(root, 'examples', name), join(folder, name), { recursive: true })
  const command = async (...words: readonly string[]) =>
    landform([...words, '--url', url, '--state', `file:${join(folder, 'state')}`], {
      environment: someSecrets,
    })
  const file = join(folder, 'quickstart.yaml')
  const first = await command('apply', file, '--yes')
  const [, intent] = /--intent (\w+)/.exec(first.err) ?? []
  if (intent === undefined) return [first.exitCode]
  const discarded = await command('state', 'discard-intent', file, '--intent', intent, '--wait')
  const again = await command('apply', file, '--yes')
  return [first.exitCode, discarded.exitCode, again.exitCode]
}

/** Reads the root resource with `no-cache`, which this cache ignores. */
async function readCopy(url: string): Promise<string> {
  const answer = await fetch(`${url}?f=json`, { headers: { 'cache-control': 'no-cache' } })
  return answer.text()
}

/** Waits until the cached copy is a second old, and so has an age above 0. */
async function waitForAge(url: string): Promise<void> {
  while (Number((await fetch(`${url}?f=json`)).headers.get('age')) === 0) await setTimeout(200)
}
