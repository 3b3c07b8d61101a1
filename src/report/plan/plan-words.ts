import { emptiedBy, type Settled, settledBy } from '../../plan/fields/lifetime.js'
import { coverageOf } from '../../plan/fields/verdict.js'
import type { Observation } from '../../plan/observation.js'
import {
  type Action,
  blockingEdits,
  type ImmutableEdit,
  isObserved,
  type Plan,
  summaryOf,
} from '../../plan/plan.js'
import { listed, type Phrase, phrase, words } from '../phrase.js'

/** What a plan comes to: the first that holds. */
export type Decision = 'blocked' | 'create' | 'attach' | 'update' | 'differs' | 'nothing'

/** What a plan comes to, which is what its reader has to know first. */
export function decisionOf(plan: Plan): Decision {
  const is = (change: Action['change']) => plan.actions.some(action => action.change === change)
  if (blockingEdits(plan).length > 0) return 'blocked'
  const change = (['create', 'attach', 'update'] as const).find(is)
  return change ?? (coverageOf(plan.fields).different > 0 ? 'differs' : 'nothing')
}

/** The decision in words of Landform. */
export function decisionWords(plan: Plan): string {
  const updates = summaryOf(plan).update > 0
  switch (decisionOf(plan)) {
    case 'blocked':
      return `cannot be applied: ${several(blockingEdits(plan).length, 'edit')} that nothing can carry out`
    case 'create':
      return `creates the organization, once and for good${updates ? ', and then sets the upgrade policy' : ''}`
    case 'attach':
      if (plan.actions.some(({ reason }) => reason === 'submitted-before'))
        return 'looks after an earlier request, and sends nothing again'
      return `waits for the configuration under way${updates ? ', and then sets the upgrade policy' : ''}`
    case 'update':
      return 'sets the placement policy of upgrades'
    case 'differs': {
      const { different } = coverageOf(plan.fields)
      const what = different === 1 ? '1 field differs' : `${different} fields differ`
      return `nothing that Landform can do, though ${what} from the site or the last apply`
    }
    case 'nothing':
      return 'nothing to do: nothing that is known differs'
  }
}

/** The counts of a plan in words. */
export function countWords(plan: Plan): string {
  const { create, update, attach, noOp } = summaryOf(plan)
  return `${create} to create, ${update} to update, ${attach} to attach, ${noOp} unchanged`
}

/** The state of the site, with the version that it tells; or that nobody looked, and what it is taken to be. */
export function sitePhrase(plan: Plan): Phrase {
  const { site } = plan.binds
  if (site.state === 'not-observed') return phrase`Nobody looked at the site: ${words(takenFor(plan))}.`
  const at = site.version === null ? [] : phrase`, version ${site.version}`
  return phrase`The site is ${words(stateWords[site.state])}${at}.`
}

function takenFor({ actions, binds }: Plan): string {
  const [configure] = actions
  if (configure?.change === 'no-op') return 'by the record of the last apply it is configured'
  if (configure?.change === 'attach') return 'by the record of an apply it is being configured'
  return binds.record === 0
    ? 'no apply is recorded here, so it is taken for one that is not configured'
    : 'by the record here it is not configured'
}

/** How long a plan may be used, or why it never may. */
export function usePhrase(plan: Plan): Phrase {
  return isObserved(plan)
    ? phrase`may be used until ${plan.expiresAt}`
    : words('cannot be applied, for nobody looked at the site')
}

const stateWords: Readonly<Record<Observation['kind'], string>> = {
  'not-configured': 'not configured',
  'in-progress': 'being configured',
  ready: 'ready',
  failed: 'failed',
  unrecognized: 'in a state that is not documented',
}

/** What a step does and why, in words of Landform. */
export const reasonWords: Readonly<Record<Action['reason'], string>> = {
  'not-configured': 'create the organization. This cannot be undone, and cannot be done again',
  'rejected-before':
    'create the organization, though the service said no to an earlier request. This cannot be undone, and cannot be done again',
  'submitted-before':
    'look after an earlier request, which may have been taken though the site does not show it; nothing is sent again',
  'configuration-in-progress': 'wait for the configuration that is under way',
  'already-configured': 'no change: the site is configured already',
  'never-applied': 'set the placement policy of upgrades, which was never applied',
  'policy-changed': 'replace the placement policy of upgrades, which differs',
  'cannot-be-read':
    'set the placement policy of upgrades; what the site has cannot be read, and no record of it is here',
  'policy-unchanged': 'no change: the placement policy is the one that the manifest asks for',
}

/** The fields that go back to the site as it told them; nothing where there are none. */
export function keptPhrase(action: Action): Phrase | undefined {
  if (action.change !== 'update' || action.kept.length === 0) return undefined
  return phrase`kept as the site has it: ${listed(action.kept, 10)}`
}

/** Why an edit can never be applied, in words of Landform. */
export const editWords: Readonly<Record<ImmutableEdit['because'], string>> = {
  'no-operation': 'no operation is shown that changes it once the organization exists',
  'another-operation': 'it is changed by another operation of the service, which Landform has not',
}

/** A number of things. */
export function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Things that nothing brings back once the plan is applied, under one heading. */
export interface Irreversible {
  readonly title: string
  readonly things: readonly Settled[]
  /** Why, and what to do about it, where that is not plain. */
  readonly hint?: string
}

function undocumentedIn({ actions: [configure] }: Plan): readonly Settled[] {
  if (configure?.change !== 'create' || configure.undocumented === undefined) return []
  const { version, reportedBy } = configure.undocumented
  const source = reportedBy === null ? 'which nobody has reported' : `reported by: ${reportedBy}`
  return [{ pointer: '/spec/site/version', what: `the request, for service version ${version} (${source})` }]
}

const emptiedNames: Readonly<Record<string, string>> = {
  '/spec/upgrade/podPlacementPolicy/nodeAffinity': 'the node affinity of upgrade pods',
  '/spec/upgrade/podPlacementPolicy/tolerations': 'the tolerations of upgrade pods',
}

/** What cannot be undone, in words of Landform; nothing where everything can. */
export function irreversibleIn(plan: Plan): readonly Irreversible[] {
  const parts: readonly Irreversible[] = [
    { title: 'After this you can no longer change', things: settledBy(plan) },
    {
      title: 'Written from public reports, not from the service document',
      things: undocumentedIn(plan),
      hint: 'Rehearse it with `landform apply --emulate`, and first on a site that you can spare.',
    },
    {
      title: 'Sent empty, which removes what others may have set',
      things: emptiedBy(plan).map(pointer => ({ pointer, what: emptiedNames[pointer] ?? pointer })),
      hint: 'The site does not report these, and the manifest does not set them: set them, or write them as empty.',
    },
  ]
  return parts.filter(({ things }) => things.length > 0)
}
