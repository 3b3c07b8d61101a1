import type { Facts, RunFacts } from './facts.js'

/** Claims of exit codes about a site. Each returns why it is false, if it is; claims about requests need those of the run. */
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

type Claim = keyof typeof claims

/** The claim of each exit code of `apply`. */
const ofApply: Readonly<Record<string, Claim>> = {
  0: 'done',
  3: 'begun',
  4: 'none',
  5: 'failed',
  6: 'nothing sent',
  7: 'none',
  65: 'nothing sent',
  66: 'nothing sent',
  69: 'nothing sent',
  74: 'none',
  75: 'not accepted',
  77: 'not accepted',
  78: 'nothing sent',
  129: 'nothing open',
  130: 'nothing open',
  143: 'nothing open',
  crashed: 'none',
}

/** The claims that also depend on the outcome. */
const ofOutcome: Readonly<Record<string, Claim>> = {
  '4 rejected-before': 'nothing sent',
  '5 not-taken': 'not accepted',
  // The code is about a poll that the service rejected.
  '5 no look': 'none',
  // Another site responds at the address now, which proves nothing about earlier requests.
  '6 replaced': 'none',
  '7 locked': 'nothing sent',
  '74 not-recorded after nothing': 'nothing sent',
  // The configuration continues; only the wait for it lacks a token.
  '77 in-progress': 'begun',
  // The code is about the policy.
  ...Object.fromEntries([5, 65, 66, 69, 75, 77, 78].map(code => [`${code} not-taken update`, 'none'])),
}

/** Returns why the exit code of a run is false, or `undefined` if it is true. */
export function findLie(facts: Facts): string | undefined {
  return facts.run && claims[claimOf(facts.run)](facts)
}

function claimOf({ command, exitCode, outcome }: RunFacts): Claim {
  if (command === 'apply') return ofOutcome[`${exitCode} ${outcome}`] ?? ofApply[exitCode] ?? 'unexpected'
  if (command === 'plan' || command === 'status') return 'none'
  if (exitCode === 0) return 'carried out'
  if (exitCode === 4) return 'sent'
  return [6, 64, 65, 66, 69, 78].includes(exitCode as number) ? 'nothing sent' : 'not accepted'
}
