import type { Course } from './course.js'
import type { SiteFault } from './fault.js'

/** A configuration as an answer shows it. Service §2.3. */
export interface Shown {
  readonly state: string
  readonly message: string
  readonly warnings: readonly string[]
  readonly stages: readonly (Omit<Course['stages'][number], 'name' | 'startTime'> & {
    readonly name: string
    readonly startTime?: number
  })[]
}

/** Applies a fault to the texts of an answer; does not change the site. */
export function disturbed(shown: Shown, fault: SiteFault): Shown {
  const { stages } = shown
  switch (fault.kind) {
    case 'state':
      return { ...shown, state: fault.text }
    case 'message':
      return { ...shown, message: fault.text }
    case 'warnings':
      return { ...shown, warnings: numbered(fault.count, 'Warning') }
    case 'stages':
      return { ...shown, stages: [...stages, ...strangers(fault.count)] }
    case 'rename':
      return { ...shown, stages: stages.map(one => (isIt(one, fault) ? { ...one, name: fault.to } : one)) }
    case 'hide':
      return { ...shown, stages: stages.filter(one => !isIt(one, fault)) }
    case 'repeat':
      return { ...shown, stages: stages.flatMap(one => (isIt(one, fault) ? [one, one] : [one])) }
    case 'skew':
      return { ...shown, stages: stages.map(one => skewed(one, fault.ms)) }
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

type Stage = Shown['stages'][number]

function isIt({ name }: Stage, { stage }: { readonly stage: string }): boolean {
  // The immediate answer spells one of the names with other capitals.
  return name.toLowerCase() === stage.toLowerCase()
}

function skewed(stage: Stage, ms: number): Stage {
  const { lastUpdated, startTime } = stage
  // 0 means that the stage has not started.
  const begun = startTime === undefined || startTime === 0 ? {} : { startTime: startTime + ms }
  return { ...stage, lastUpdated: lastUpdated + ms, ...begun }
}

function strangers(count: number): readonly Stage[] {
  return numbered(count, 'Stage').map(name => ({
    name,
    state: 'not_started',
    lastUpdated: 0,
    startTime: 0,
  }))
}

function numbered(count: number, word: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}`)
}
