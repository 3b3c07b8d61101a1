import { removeTemporaryFolders } from '../../support/temporary-folder.js'
import { told } from '../faults/world.js'
import { type Followed, followed, type Teller } from './follow.js'
import { told as toldByProgram } from './program.js'
import { type Ground, stood } from './stand.js'
import type { Situation } from './table.js'

/** Makes a situation, and follows what is printed from there to the end of the matter. */
export async function resumed(situation: Situation, ground: Ground, tell?: Teller): Promise<Followed> {
  const stand = await stood(situation, ground)
  try {
    return await followed(situation, stand, tell ?? (ground.time === 'real' ? toldByProgram : told))
  } finally {
    await stand.close()
    await removeTemporaryFolders()
  }
}

/** The name of a situation, by which it is asked for again. */
export function nameOf({ journal, site, lock }: Situation): string {
  return [journal, site, lock].join(' / ')
}

/** Programs that leave a site stuck, each with a situation in which that shows: who follows them has to find it. */
export const stuck: Readonly<Record<string, { readonly tell: Teller; readonly from: Situation }>> = {
  'waits for a lease that is over': {
    async tell(world, words) {
      const wait = `next: wait for that run, then run \`landform ${words.join(' ')}\``
      return words[0] === 'apply' ? { exitCode: 7, out: '', err: wait } : told(world, words)
    },
    from: { journal: 'begun', site: 'ready', lock: 'expired lease' },
  },
  'does not know, and names no command': {
    async tell(world, words) {
      const said = await told(world, words)
      return said.exitCode === 4 ? { ...said, err: 'next: ask an operator' } : said
    },
    from: { journal: 'unknown', site: 'not-configured', lock: 'nobody' },
  },
  'names a command that there is not': {
    async tell(world, words) {
      const said = await told(world, words)
      return { ...said, err: said.err.replaceAll('landform state unlock', 'landform state status') }
    },
    from: { journal: 'begun', site: 'ready', lock: 'elsewhere' },
  },
}

/** What real processes try: what the others do in no time takes its time there. */
export const forReal: readonly Situation[] = [
  { journal: 'none', site: 'not-configured', lock: 'dead' },
  { journal: 'none', site: 'not-configured', lock: 'elsewhere' },
  { journal: 'intent', site: 'ready', lock: 'paused' },
  { journal: 'unknown', site: 'in-progress', lock: 'nobody' },
  { journal: 'not-sent', site: 'not-configured', lock: 'alive' },
  { journal: 'begun', site: 'ready', lock: 'expired lease' },
  { journal: 'ready', site: 'in trouble', lock: 'nobody' },
  { journal: 'cleared', site: 'without a token', lock: 'expired lease' },
  { journal: 'unknown', site: 'not-configured', lock: 'dead' },
  { journal: 'begun', site: 'not-configured', lock: 'nobody' },
]
