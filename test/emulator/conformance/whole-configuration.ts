import type { Given } from './ask.js'
import { longMs } from './ask.js'
import { holds } from './cases.js'
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

/** The immediate answer, and the root resource at twenty moments from there to the end. */
export async function wholeConfiguration(
  look: (root: Root, moment: 'immediate' | 'later') => void,
  given: Given = {},
) {
  await holds(given, async ({ ask, wait }) => {
    look((await ask(configure())).body as Root, 'immediate')
    for (let moment = 0; moment < 20; moment++) {
      look((await ask(lookAtRoot)).body as Root, 'later')
      wait(700)
    }
    wait(longMs)
    look((await ask(lookAtRoot)).body as Root, 'later')
  })()
}
