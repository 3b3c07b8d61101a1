import type { Phase, RunEnd } from '../../../packages/fleet/src/model/run.js'
import { classifyExitCode } from '../../../packages/fleet/src/workflow/ends.js'
import {
  advanceState,
  decideStep,
  initialState,
  type StepOutcome,
  type StepResult,
  type WorkflowState,
} from '../../../packages/fleet/src/workflow/workflow-state.js'
import { computeFraction } from '../../../src/emulator/service/timeline.js'
import { exitCodes } from '../../../src/report/exit-code.js'
import { hourMs, minuteMs } from './setting.js'

/** How a site behaves, by its name and a seed. */
export interface Behaviour {
  readonly kind: 'fresh' | 'ready' | 'troubled' | 'locked' | 'failing' | 'stalled'
  /** From the request to ready. */
  readonly configuringMs: number
  readonly answerMs: number
}

export const timeoutMs = 3 * hourMs
/** As long as a step of a wait takes. */
const waitMs = 4.5 * minuteMs
const observeMs = 800
const updateMs = 6000

/** One site in eight has something of its own; a configuration takes from twenty minutes to ninety, and most take less than an hour. */
export function behaviourOf(seed: number, site: string): Behaviour {
  const chance = (what: string) => computeFraction(seed, `${site} ${what}`)
  const kinds = [
    [0.875, 'fresh'],
    [0.935, 'ready'],
    [0.965, 'troubled'],
    [0.98, 'locked'],
    [0.995, 'failing'],
    [1, 'stalled'],
  ] as const
  const drawn = chance('kind')
  const [, kind] = kinds.find(([most]) => drawn < most) ?? kinds[0]
  return {
    kind,
    configuringMs: (20 + 70 * chance('length') ** 2) * minuteMs,
    answerMs: 300 + 9700 * chance('answer'),
  }
}

/** What a run has come to, step by step: the decisions are those of the workflow, and the site is made up. */
export interface SitePlay {
  readonly course: WorkflowState
  /** When the service took the configuration. */
  readonly sentAt?: number
  readonly steps: readonly Phase[]
}

export const unplayed: SitePlay = { course: initialState, steps: [] }

/** The next step of a run that begins now: how long it takes, and what follows. A step that is cut off has done nothing. */
export function nextStep(
  play: SitePlay,
  { kind, configuringMs, answerMs }: Behaviour,
  now: number,
): { readonly takesMs: number; readonly after: SitePlay; readonly pauseMs: number; readonly end?: RunEnd } {
  const { course } = play
  const readyAt =
    (play.sentAt ?? Number.POSITIVE_INFINITY) +
    (kind === 'stalled' ? Number.POSITIVE_INFINITY : configuringMs)
  const standing = { isOpen: false, begun: play.sentAt !== undefined }
  const go = (phase: Phase): StepOutcome => ({ kind: 'next', phase, standing })
  const stepped = (found: StepOutcome, takesMs: number, sentAt = play.sentAt) => {
    const at = now + takesMs
    const answer = decideStep(found, course, { order: { timeoutMs }, now: at })
    const steps = [...play.steps, course.phase]
    const sent = sentAt === undefined ? {} : { sentAt }
    if (answer.kind === 'ended')
      return { takesMs, pauseMs: 0, end: answer.end, after: { course, steps, ...sent } }
    const result: StepResult & { readonly kind: 'next' | 'again' } = { ...answer, at }
    const after = { course: advanceState(course, result), steps, ...sent }
    return { takesMs, pauseMs: answer.kind === 'again' ? answer.pauseMs : 0, after }
  }
  switch (course.phase) {
    case 'observe':
      if (kind === 'troubled' && course.retries < 3)
        return stepped(classifyExitCode(exitCodes.trouble, ''), observeMs)
      if (kind === 'locked' && course.retries < 6)
        return stepped(classifyExitCode(exitCodes.locked, ''), observeMs)
      if (kind === 'ready') return stepped(go('update'), observeMs)
      return stepped(go(play.sentAt === undefined ? 'configure' : 'wait'), observeMs)
    case 'configure':
      return stepped(go('wait'), answerMs, now + answerMs)
    case 'wait': {
      const leftMs = timeoutMs - (now - (course.startedAt ?? now))
      const takesMs = Math.max(observeMs, Math.min(waitMs, readyAt - now + 10_000, leftMs))
      if (now + takesMs < readyAt)
        return stepped(takesMs < leftMs ? go('wait') : classifyExitCode(exitCodes.inProgress, ''), takesMs)
      return stepped(
        kind === 'failing' ? classifyExitCode(exitCodes.serviceFailed, '') : go('update'),
        takesMs,
      )
    }
    case 'update':
      return stepped(classifyExitCode(exitCodes.done, ''), updateMs)
    default:
      return course.phase satisfies never
  }
}

/** The end that a site comes to, whatever becomes of workers. */
export const endsOf = {
  fresh: 'done',
  ready: 'done',
  troubled: 'done',
  locked: 'done',
  failing: 'failed',
  stalled: 'unfinished',
} as const satisfies Record<Behaviour['kind'], RunEnd['state']>
