import type { ExitCode } from '../../src/report/exit-code.js'

/** What is so, by the counters of the service and by what lies in the state: never by what a run says of itself. */
export interface Truth {
  /** Requests for `configure` that came to the service, and those that it took. */
  readonly received: number
  readonly accepted: number
  readonly site: 'not-configured' | 'in-progress' | 'ready' | 'failed'
  /** Each state that a submission had, in order, as the versions of the state have it. */
  readonly journal: readonly string[]
  /** Why the chain of versions is not whole, if it is not. */
  readonly broken?: string
  /** Whether the record and the policy of the site are what the manifest says. */
  readonly isAsDesired: boolean
}

/** How one run ended, and what came to the service from it. */
export interface Ended {
  readonly exitCode: ExitCode | 'crashed'
  /** Kind of the outcome, for who reads a violation. */
  readonly outcome: string
  readonly received: number
  readonly accepted: number
}

/** What no situation may break after any run. Empty where nothing did. */
export function violations(truth: Truth, ended: Ended): readonly string[] {
  const { received, accepted, journal, broken } = truth
  const found: string[] = []
  if (accepted > 1) found.push(`I1: ${accepted} configurations were accepted`)
  const promised = journal.filter(state => state === 'intent').length
  if (received > promised) found.push(`I1: ${received} requests came, and ${promised} were promised`)
  for (const [at, state] of journal.entries())
    if (state === 'intent' && at > 0 && !proofs.includes(journal[at - 1] ?? ''))
      found.push(`I1: another promise after ${journal[at - 1]}, which proves nothing`)
  if (broken !== undefined) found.push(`I4: ${broken}`)
  const lie = lieOf(truth, ended)
  if (lie !== undefined) found.push(`I2: ${ended.exitCode} (${ended.outcome}), but ${lie}`)
  return found
}

/** What the last of several runs has to be, when nothing went wrong in it: the end of the matter, whatever was before. */
export function isStuck(truth: Truth, { exitCode }: Ended): string | undefined {
  if (truth.accepted > 0 && truth.site === 'failed')
    return exitCode === 5 ? undefined : `I5: the configuration failed, and the end is ${exitCode}`
  if (truth.accepted > 0)
    return exitCode === 0 ? undefined : `I5: the site was configured, and the end is ${exitCode}`
  return exitCode === 4 ? undefined : `I5: nothing was accepted, and the end is ${exitCode}`
}

/** States of a submission after which another may be made: nothing came of it. */
const proofs = ['not-sent', 'rejected', 'cleared']

/** What an exit code says that is not so. */
function lieOf({ site, accepted, isAsDesired }: Truth, ended: Ended): string | undefined {
  const { exitCode, outcome } = ended
  switch (exitCode) {
    case 0:
      if (site !== 'ready') return `the site is ${site}`
      return isAsDesired ? undefined : 'the record or the policy is not what the manifest says'
    case 3:
      return accepted === 0 ? 'nothing was ever accepted' : undefined
    case 4:
      return outcome === 'rejected-before' && ended.received > 0 ? 'something was sent' : undefined
    case 5:
      if (outcome === 'not-taken') return ended.accepted > 0 ? 'it was accepted' : undefined
      // The service said no to a look, or to the policy, and that is what it means.
      if (outcome === 'no look' || outcome === 'not-taken update') return undefined
      return site === 'failed' ? undefined : `the site is ${site}`
    case 129:
    case 130:
    case 143:
      return ended.received > 0 && ended.accepted === 0
        ? 'something was sent that nobody can tell of'
        : undefined
    case 6:
      // Another site answers at the address now, which says nothing of what was sent.
      if (outcome === 'replaced') return undefined
      return ended.received > 0 ? 'something was sent' : undefined
    case 69:
    case 66:
    case 65:
    case 78:
      return ended.received > 0 && outcome !== 'not-taken update' ? 'something was sent' : undefined
    case 7:
      return outcome === 'locked' && ended.received > 0 ? 'something was sent' : undefined
    case 74:
      return outcome === 'not-recorded after nothing' && ended.received > 0 ? 'something was sent' : undefined
    case 77:
      // The configuration goes on, and the wait for it lacks a token.
      if (outcome === 'in-progress') return accepted === 0 ? 'nothing was ever accepted' : undefined
      return ended.accepted > 0 && outcome !== 'not-taken update' ? 'it was accepted' : undefined
    case 75:
      return ended.accepted > 0 && outcome !== 'not-taken update' ? 'it was accepted' : undefined
    case 'crashed':
      return undefined
    default:
      return 'no such end is known'
  }
}
