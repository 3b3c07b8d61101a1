import type { ApplyEvent } from '../../apply/event.js'
import type { Host } from '../host.js'

/** What folds the lines of each step away in the log of a CI system; nothing where there is none that can. */
export interface StepFolds {
  before(event: ApplyEvent): void
  after(event: ApplyEvent): void
  /** Ends the fold that is open, for what went wrong must not be folded away. */
  close(): void
}

/** Marks of a CI system around the lines of a step. They hold words of Landform only. */
interface Marks {
  begin(step: string): string
  end(step: string): string
}

export function stepFolds({ environment, stderr, clock }: Host): StepFolds | undefined {
  const seconds = () => Math.floor(clock.now() / 1000)
  const marks = marksOf(environment, seconds)
  if (marks === undefined) return undefined
  let open: string | undefined
  const close = () => {
    if (open !== undefined) stderr.write(marks.end(open))
    open = undefined
  }
  return {
    before(event) {
      if (event.type === 'stream-finished') close()
      if (event.type !== 'action-started') return
      close()
      open = event.operation
      stderr.write(marks.begin(open))
    },
    after(event) {
      if (event.type === 'action-finished') close()
    },
    close,
  }
}

/** The commands for groups of GitHub's runner, and the markers for sections of GitLab's. */
function marksOf(environment: Host['environment'], seconds: () => number): Marks | undefined {
  if (environment['GITHUB_ACTIONS'] === 'true')
    return { begin: step => `::group::${step}\n`, end: () => '::endgroup::\n' }
  if (environment['GITLAB_CI'] === 'true') {
    const mark = (which: string, step: string) =>
      `\x1b[0Ksection_${which}:${seconds()}:landform_${step}\r\x1b[0K`
    return { begin: step => `${mark('start', step)}${step}\n`, end: step => `${mark('end', step)}\n` }
  }
  return undefined
}
