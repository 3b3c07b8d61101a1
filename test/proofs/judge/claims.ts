import type { Facts, RunFacts } from './facts.js'

/** What an exit code claims about the site, and when that is false. A claim about requests needs to know those of the run. */
const claims = {
  done: ({ site, state }) => {
    if (site !== undefined && site.state !== 'ready') return `the site is ${site.state}`
    const isAsDesired = state?.isRecorded !== false && site?.hasPolicy !== false
    return isAsDesired ? undefined : 'the record or the policy differs from the manifest'
  },
  begun: ({ site }) => (site?.accepted === 0 ? 'nothing was ever accepted' : undefined),
  failed: ({ site }) =>
    site === undefined || site.state === 'failed' ? undefined : `the site is ${site.state}`,
  'nothing sent': ({ run }) => (count(run, 'received') > 0 ? 'something was sent' : undefined),
  'not accepted': ({ run }) => (count(run, 'accepted') > 0 ? 'it was accepted' : undefined),
  'nothing open': ({ run }) =>
    count(run, 'received') > 0 && count(run, 'accepted') === 0
      ? 'a request was sent whose outcome is unknown'
      : undefined,
  'carried out': ({ run }) => (run?.sent?.accepted === 0 ? 'nothing was carried out' : undefined),
  sent: ({ run }) => (run?.sent?.received === 0 ? 'nothing was sent' : undefined),
  unexpected: () => 'apply has no such exit code',
  none: () => undefined,
} as const satisfies Readonly<Record<string, (facts: Facts) => string | undefined>>

function count(run: RunFacts | undefined, what: 'received' | 'accepted'): number {
  return run?.sent?.[what] ?? 0
}

/** Finds why the exit code of a run is false. */
export function findLie(facts: Facts): string | undefined {
  return facts.run && claims[claimOf(facts.run)](facts)
}

function claimOf(run: RunFacts): keyof typeof claims {
  switch (run.command) {
    case 'apply':
      return claimOfApply(run)
    case 'plan':
    case 'status':
      return 'none'
    case 'exportSite':
    case 'deleteAll':
      if (run.exitCode === 0) return 'carried out'
      if (run.exitCode === 4) return 'sent'
      return [6, 64, 65, 66, 69, 78].includes(run.exitCode as number) ? 'nothing sent' : 'not accepted'
    default:
      return run.command satisfies never
  }
}

function claimOfApply({ exitCode, outcome }: RunFacts): keyof typeof claims {
  const isOfUpdate = outcome === 'not-taken update'
  switch (exitCode) {
    case 0:
      return 'done'
    case 3:
      return 'begun'
    case 4:
      return outcome === 'rejected-before' ? 'nothing sent' : 'none'
    case 5:
      if (outcome === 'not-taken') return 'not accepted'
      // The service rejected a poll or the policy, and the code is about that.
      return outcome === 'no look' || isOfUpdate ? 'none' : 'failed'
    case 6:
      // Another site answers at the address now, which proves nothing about what was sent.
      return outcome === 'replaced' ? 'none' : 'nothing sent'
    case 7:
      return outcome === 'locked' ? 'nothing sent' : 'none'
    case 65:
    case 66:
    case 69:
    case 78:
      return isOfUpdate ? 'none' : 'nothing sent'
    case 74:
      return outcome === 'not-recorded after nothing' ? 'nothing sent' : 'none'
    case 77:
      // The configuration goes on, and only the wait for it lacks a token.
      if (outcome === 'in-progress') return 'begun'
      return isOfUpdate ? 'none' : 'not accepted'
    case 75:
      return isOfUpdate ? 'none' : 'not accepted'
    case 129:
    case 130:
    case 143:
      return 'nothing open'
    case 'crashed':
      return 'none'
    default:
      return 'unexpected'
  }
}
