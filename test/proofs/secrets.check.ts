import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasGit } from '../support/git-repositories.js'
import { postgresIsHere, postgresPackages } from '../support/postgres.js'
import { spellingNames } from '../support/spellings.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'
import { type CheckRun, declareCheck } from './check.js'
import { judge } from './judge/judge.js'
import { secretNames, wanted } from './secrets/canaries.js'
import { commands } from './secrets/channels/commands.js'
import { echoing } from './secrets/channels/echoing.js'
import * as guardedSite from './secrets/channels/guarded.js'
import { inCi } from './secrets/channels/in-ci.js'
import { inFleet } from './secrets/channels/in-fleet.js'
import { lacking, lackingSetting, licensed, licensedSetting } from './secrets/channels/lacking.js'
import * as overseenRun from './secrets/channels/overseen.js'
import { type Scene, type Setting, sceneIn } from './secrets/channels/scene.js'
import { throughGit } from './secrets/channels/through-git.js'
import { values } from './secrets/channels/values.js'
import { encodingNames } from './secrets/encodings.js'
import { newLedger } from './secrets/ledger.js'
import { inMemory, inMemoryOverTls, overTls, plain } from './secrets/memory/in-memory.js'
import { sameFor } from './secrets/same-output.js'
import { scannerFor } from './secrets/scanner.js'

/**
 * Searches everything that Landform leaves behind, and its memory, for secrets. Each channel must show a planted text, or the
 * search proves nothing. The check `faults` searches the output and files of runs that meet a fault. Arguments are the parts to
 * search, and `same`; `--seed` repeats the secrets, and precedes them, because some parts have names of checks.
 */
export const check = declareCheck({
  name: 'secrets',
  shows:
    'No secret, and no eight characters of one, appear in anything that a run prints, writes or stores, in any encoding. This also holds for a whole secret that a site repeats, at once or to a later process, in any spelling that services use.',
  counts: {
    canaries: [12, 12],
    encodings: [10, 10],
    spellings: [17, 17],
    channels: [88, 108],
    controls: [88, 108],
    'outputs compared': [28, 28],
  },
  short: 'ci',
  figures: {},
  async run(run) {
    const { words } = run
    const scratch = run.scratchFolder()
    run.count('canaries', secretNames.length)
    run.count('encodings', encodingNames.length)
    if (words.length === 0 || words.includes('echo')) run.count('spellings', spellingNames.length)
    await searchParts(run, scratch)
    if (words.length === 0 || words.includes('same')) await compareOutputs(run, scratch)
  },
})

/** A part of the output and files that a secret may reach, and its search. */
interface Part {
  readonly look: (scene: Scene, isShort: boolean) => Promise<void>
  readonly setting?: Partial<Setting>
  /** True for a part that another part covers in less time, except for its path. */
  readonly isLong?: true
  /** The reason why the part cannot be searched here. */
  readonly skipped?: string
}

const needsProc = existsSync('/proc/self/mem') ? {} : { skipped: 'memory is read through /proc' }

const parts: Readonly<Record<string, Part>> = {
  commands: { look: commands },
  git: { look: throughGit, ...(!hasGit && { skipped: 'git is not installed' }) },
  process: { look: overseenRun.overseen, setting: overseenRun.setting },
  guarded: { look: guardedSite.guarded, setting: guardedSite.setting },
  action: { look: inCi },
  values: { look: values },
  echo: { look: echoing },
  lacking: { look: lacking, setting: lackingSetting },
  licensed: { look: licensed, setting: licensedSetting },
  fleet: {
    look: inFleet,
    isLong: true,
    ...(!postgresIsHere && { skipped: `PostgreSQL is not installed: install ${postgresPackages}` }),
  },
  memory: { look: inMemory, setting: plain, ...needsProc },
  'memory-over-tls': { look: inMemoryOverTls, setting: overTls, ...needsProc },
}

async function searchParts(run: CheckRun, scratch: string) {
  const { isShort, words } = run
  for (const [name, part] of Object.entries(parts)) {
    if (words.length > 0 ? !words.includes(name) : isShort && part.isLong === true) continue
    if (part.skipped === undefined) await searchPart(run, join(scratch, name), name, part)
    else run.skip(`${name}: ${part.skipped}`, 'channels', 'controls')
  }
}

/** Searches one part, in a folder of its own. */
async function searchPart(run: CheckRun, folder: string, name: string, { look, setting }: Part) {
  const { report, count, isShort, say, seed } = run
  mkdirSync(folder)
  const ledger = newLedger()
  const scene = await sceneIn({ folder, ledger, seed, ...setting })
  try {
    await look(scene, isShort)
  } finally {
    await scene.end()
    await removeTemporaryFolders()
  }
  const { canaries, control } = scene.place
  const issued = [...scene.issued].map(value => ({ name: 'a secret created during the run', value }))
  const scan = scannerFor([...wanted(canaries), ...issued, control])
  const { bytes, channels, secrets, controls, unseen } = ledger.search(scan, control)
  count('channels', channels)
  count('controls', controls)
  count('bytes', bytes)
  say(`${name}: ${channels} channels, ${bytes} bytes`)
  const notShown = unseen.map(channel => `${channel} does not show its planted text`)
  const again = run.again('--seed', `${seed}`, name)
  report(`${name} (${again})`, [...scene.violations, ...judge({ secrets }), ...notShown])
}

/** Compares the output for different secrets, which must be the same. */
async function compareOutputs(run: CheckRun, scratch: string) {
  const { report, count, seed, violation } = run
  const { outputs, differences, isSensitive } = await sameFor(scratch, seed)
  count('outputs compared', outputs)
  report(`output for other secrets (${run.again('--seed', `${seed}`, 'same')})`, differences)
  if (!isSensitive) violation('another name of the site made no difference, so nothing was compared')
}
