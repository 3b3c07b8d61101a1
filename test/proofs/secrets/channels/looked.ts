import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasGit } from '../../../support/git-repositories.js'
import { postgresIsHere, postgresPackages } from '../../../support/postgres.js'
import { removeTemporaryFolders } from '../../../support/temporary-folder.js'
import { wanted } from '../canaries.js'
import { type Judgement, newLedger } from '../ledger.js'
import { inMemory, inMemoryOverTls, overTls, plain } from '../memory/in-memory.js'
import { scannerFor } from '../scanner.js'
import { commands } from './commands.js'
import { echoing } from './echoing.js'
import { emulated } from './emulated.js'
import * as guardedSite from './guarded.js'
import { inCi } from './in-ci.js'
import { inFleet } from './in-fleet.js'
import * as overseenRun from './overseen.js'
import { type Scene, type Setting, sceneIn } from './scene.js'
import { spelled } from './spelled.js'
import { throughGit } from './through-git.js'
import { values } from './values.js'

/** A part of the world that a secret may get into, and how to look at it. */
interface Part {
  readonly look: (scene: Scene, isShort: boolean) => Promise<void>
  readonly setting?: Partial<Setting>
  /** True for what another part shows in less time, but for its own way there. */
  readonly isLong?: true
  /** What is missing here, where something is. */
  readonly skipped?: string
}

const needsProc = existsSync('/proc/self/mem') ? {} : { skipped: 'memory is read through /proc' }

const parts: Readonly<Record<string, Part>> = {
  commands: { look: commands },
  git: { look: throughGit, ...(!hasGit && { skipped: 'git is not there' }) },
  process: { look: overseenRun.overseen, setting: overseenRun.setting },
  guarded: { look: guardedSite.guarded, setting: guardedSite.setting },
  action: { look: inCi },
  emulator: { look: emulated },
  values: { look: values },
  spellings: { look: spelled },
  echo: { look: echoing, isLong: true },
  fleet: {
    look: inFleet,
    isLong: true,
    ...(!postgresIsHere && { skipped: `there is no ${postgresPackages}` }),
  },
  memory: { look: inMemory, setting: plain, ...needsProc },
  'memory-over-tls': { look: inMemoryOverTls, setting: overTls, isLong: true, ...needsProc },
}

interface Choice {
  readonly seed: number
  /** Of the parts; without names, all of them, or all but the long ones. */
  readonly names: readonly string[]
  readonly isShort: boolean
}

/** What came of looking at one part. */
export interface Looked extends Omit<Judgement, 'unseen'> {
  readonly name: string
  readonly milliseconds: number
  readonly skipped?: string
}

const notShown = (channel: string) =>
  `${channel} does not show the text that was planted there: nobody looked`

/** Looks at the parts with these names, or at all, each in a folder of its own. */
export async function* looked(scratch: string, { seed, names, isShort }: Choice): AsyncGenerator<Looked> {
  for (const [name, { look, setting, skipped, isLong }] of Object.entries(parts)) {
    if (names.length > 0 ? !names.includes(name) : isShort && isLong === true) continue
    if (skipped !== undefined) {
      yield { name, skipped, channels: 0, controls: 0, bytes: 0, complaints: [], milliseconds: 0 }
      continue
    }
    const folder = join(scratch, name)
    mkdirSync(folder)
    const started = performance.now()
    const ledger = newLedger()
    const scene = await sceneIn({ folder, ledger, seed, ...setting })
    try {
      await look(scene, isShort)
    } finally {
      await scene.end()
      await removeTemporaryFolders()
    }
    const { canaries, control } = scene.place
    const issued = [...scene.issued].map(value => ({ name: 'a secret that came to be on the way', value }))
    const { complaints, unseen, ...judged } = ledger.judge(
      scannerFor([...wanted(canaries), ...issued, control]),
      control,
    )
    const milliseconds = Math.round(performance.now() - started)
    yield {
      name,
      ...judged,
      complaints: [...scene.complaints, ...complaints, ...unseen.map(notShown)],
      milliseconds,
    }
  }
}
