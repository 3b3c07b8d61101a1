import type { ConfigurationProgress } from './configuration-progress.js'
import type { SiteFault } from './fault.js'

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
