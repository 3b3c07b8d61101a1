import type { Given } from './ask.js'
import { longMs, withService } from './ask.js'
import { configure, lookAtRoot } from './requests.js'

export interface Stage {
  readonly name: string
  readonly state: string
  readonly lastUpdated: number
  readonly startTime?: number
}

export interface Root {
  readonly status: {
    readonly state: string
    readonly message: string
    readonly warnings: readonly unknown[]
    readonly stages: readonly Stage[]
  }
}

/** The immediate response, and the root resource at 21 moments until the end. */
type Moments = readonly (readonly [root: Root, moment: 'immediate' | 'later'])[]

const asItStarts: Given = {}
const seen = new Map<Given, Promise<Moments>>()

/** Calls `look` for every moment of a configuration, which is run only once for all callers. */
export async function wholeConfiguration(
  look: (root: Root, moment: 'immediate' | 'later') => void,
  given = asItStarts,
) {
  const moments = seen.get(given) ?? momentsOf(given)
  seen.set(given, moments)
  for (const [root, moment] of await moments) look(root, moment)
}

async function momentsOf(given: Given): Promise<Moments> {
  const moments: [Root, 'immediate' | 'later'][] = []
  await withService(given, async ({ ask, wait }) => {
    moments.push([(await ask(configure())).body as Root, 'immediate'])
    for (let moment = 0; moment < 20; moment++) {
      moments.push([(await ask(lookAtRoot)).body as Root, 'later'])
      wait(700)
    }
    wait(longMs)
    moments.push([(await ask(lookAtRoot)).body as Root, 'later'])
  })
  return moments
}
