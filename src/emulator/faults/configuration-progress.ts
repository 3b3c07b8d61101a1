import { failedStage, type ReportedStageState, reportedSiteStates } from '../../contract/field-notes.js'
import {
  type StageName,
  type siteStates,
  stageNames,
  stageNotApplicableAtFirst,
} from '../../contract/responses.js'
import type { EmulatorJsonObject } from '../service/json.js'
import { computeTimeline, type Durations, type EmulatedStage } from '../service/timeline.js'
import type { FaultPlace, FaultRule, SiteFault } from './fault.js'

/** A configuration that was accepted, with its parameters except for the secrets among them. Service §4.3. */
export interface Configuration {
  readonly begunAt: number
  readonly parameters: EmulatorJsonObject
}

/** The true state of a configuration at one moment, before faults change how answers show it. */
interface ConfigurationProgress {
  readonly state: (typeof siteStates)[keyof typeof siteStates] | typeof reportedSiteStates.failed
  /** Present if the configuration failed. */
  readonly message?: string
  readonly stages: readonly (Omit<EmulatedStage, 'state'> & { readonly state: ReportedStageState })[]
}

/** A configuration and the facts that determine how long its stages take. */
interface RunningConfiguration {
  readonly configuration: Configuration
  readonly durations: Durations
  readonly rules: readonly FaultRule[]
}

/** Adds the stall faults to the durations of the stages; a stage that stalls for ever has an infinite one. */
export function addStalls(durations: Durations, rules: readonly FaultRule[]): Durations {
  const extra = selectFaultsOfKind(rules, 'stall').map(
    ({ from, fault }) => [from, fault.ms ?? Number.POSITIVE_INFINITY] as const,
  )
  const longer = (name: StageName) =>
    extra.reduce((sum, [stage, ms]) => (stage === name ? sum + ms : sum), durations[name])
  return Object.fromEntries(stageNames.map(name => [name, longer(name)])) as Durations
}

/** Computes when a place is reached, in milliseconds after the configuration began. */
export function computeTimeToReach(place: FaultPlace, durations: Durations): number {
  if (typeof place === 'number') return place
  const before = place === 'ready' ? stageNames : stageNames.slice(0, stageNames.indexOf(place))
  return before
    .filter(name => name !== stageNotApplicableAtFirst)
    .reduce((sum, name) => sum + durations[name], 0)
}

/**
 * Computes the progress of a configuration with its faults. After a `back` fault, the later stages run as if it had
 * begun later; after a stage failed, nothing changes any more. The names of failed states follow public reports.
 */
export function computeProgress(
  { configuration, durations, rules }: RunningConfiguration,
  now: number,
): ConfigurationProgress {
  const { begunAt } = configuration
  const elapsed = now - begunAt
  const falls = selectFaultsOfKind(rules, 'back')
    .map(({ from, fault }) => {
      const at = computeTimeToReach(from, durations) + fault.afterMs
      return { stage: fault.to, at, to: computeTimeToReach(fault.to, durations) }
    })
    .filter(({ at, to }) => elapsed >= at && to < at)
  const from = begunAt + falls.reduce((sum, { at, to }) => sum + at - to, 0)
  const progress = computeProgressFrom(from, { durations, rules }, now)
  const untouched = Math.min(...falls.map(({ stage }) => stageNames.indexOf(stage)), stageNames.length)
  const before = computeTimeline(begunAt, now, durations).stages.slice(0, falls.length === 0 ? 0 : untouched)
  return { ...progress, stages: [...before, ...progress.stages.slice(before.length)] }
}

function computeProgressFrom(
  from: number,
  { durations, rules }: Pick<RunningConfiguration, 'durations' | 'rules'>,
  now: number,
): ConfigurationProgress {
  const failure = selectFaultsOfKind(rules, 'fail')
    .map(rule => ({
      ...rule,
      at: from + computeTimeToReach(rule.from, durations) + computePlaceDuration(rule.from, durations),
    }))
    .filter(({ at }) => now >= at)
    .sort((a, b) => a.at - b.at)[0]
  if (failure === undefined) return computeTimeline(from, now, durations)
  const { from: stage, fault, at } = failure
  const { stages } = computeTimeline(from, now, { ...durations, [stage]: Number.POSITIVE_INFINITY })
  const { failed } = reportedSiteStates
  return {
    state: failed,
    message: fault.message,
    stages: stages.map(one =>
      one.name === stage ? { ...one, state: failedStage, lastUpdated: Math.round(at) } : one,
    ),
  }
}

function computePlaceDuration(place: FaultPlace, durations: Durations): number {
  return typeof place === 'number' || place === 'ready' ? 0 : durations[place]
}

function selectFaultsOfKind<K extends SiteFault['kind']>(rules: readonly FaultRule[], kind: K) {
  return rules.flatMap(({ on, when, fault }) =>
    on === 'site' && fault.kind === kind
      ? [{ from: when.from ?? 0, fault: fault as SiteFault & { readonly kind: K } }]
      : [],
  )
}

/** A configuration as an answer shows it. Service §2.3. */
export interface ShownStatus {
  readonly state: string
  readonly message: string
  readonly warnings: readonly string[]
  readonly stages: readonly (Omit<ConfigurationProgress['stages'][number], 'name' | 'startTime'> & {
    readonly name: string
    readonly startTime?: number
  })[]
}

/** Applies a fault to the texts of an answer; does not change the site. */
export function applyStatusFault(shown: ShownStatus, fault: SiteFault): ShownStatus {
  const { stages } = shown
  switch (fault.kind) {
    case 'state':
      return { ...shown, state: fault.text }
    case 'message':
      return { ...shown, message: fault.text }
    case 'warnings':
      return { ...shown, warnings: numberNames(fault.count, 'Warning') }
    case 'stages':
      return { ...shown, stages: [...stages, ...buildUnknownStages(fault.count)] }
    case 'rename':
      return { ...shown, stages: stages.map(one => (hasName(one, fault) ? { ...one, name: fault.to } : one)) }
    case 'hide':
      return { ...shown, stages: stages.filter(one => !hasName(one, fault)) }
    case 'repeat':
      return { ...shown, stages: stages.flatMap(one => (hasName(one, fault) ? [one, one] : [one])) }
    case 'skew':
      return { ...shown, stages: stages.map(one => skewStage(one, fault.ms)) }
    case 'stall':
    case 'fail':
    case 'back':
    case 'forget':
    case 'replace':
    case 'upgrade':
      return shown
    default:
      return fault satisfies never
  }
}

type Stage = ShownStatus['stages'][number]

function hasName({ name }: Stage, { stage }: { readonly stage: string }): boolean {
  // The immediate answer spells one of the names with other capitals.
  return name.toLowerCase() === stage.toLowerCase()
}

function skewStage(stage: Stage, ms: number): Stage {
  const { lastUpdated, startTime } = stage
  // 0 means that the stage has not started.
  const begun = startTime === undefined || startTime === 0 ? {} : { startTime: startTime + ms }
  return { ...stage, lastUpdated: lastUpdated + ms, ...begun }
}

function buildUnknownStages(count: number): readonly Stage[] {
  return numberNames(count, 'Stage').map(name => ({
    name,
    state: 'not_started',
    lastUpdated: 0,
    startTime: 0,
  }))
}

function numberNames(count: number, word: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}`)
}
