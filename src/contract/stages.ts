/** The fourteen stages of a configuration, in order, as answers after the first one spell them. Service §2.3. */
export const stageNames = [
  'License validation',
  'Configuration store',
  'Relational store',
  'Cloud Native Storage',
  'Queue store',
  'In-memory store',
  'Object store',
  'Spatiotemporal and index store',
  'Portal REST API',
  'Services REST API',
  'Service lifecycle manager',
  'Usage statistics',
  'System and utility services',
  'Pod replicas',
] as const

export type StageName = (typeof stageNames)[number]

/** The spelling of the twelfth stage in the immediate answer to `configure`. Service §2.3. */
export const immediateSpelling = { 'Usage statistics': 'Usage Statistics' } as const

/** The stage that the immediate answer reports as `not_applicable`. Service §3. */
export const stageNotApplicableAtFirst: StageName = 'Cloud Native Storage'

/** The states of a stage. Service §3. */
export const stageStates = ['not_started', 'in_progress', 'completed', 'not_applicable'] as const
export type StageState = (typeof stageStates)[number]

/** What a stage state says of progress; one that does not apply is as good as through. Service §3. */
export const stageProgress = {
  not_started: 'waiting',
  in_progress: 'running',
  completed: 'through',
  not_applicable: 'through',
} as const satisfies Record<StageState, string>

/** The states of stages in which nothing has happened yet, so that they tell of no configuration. Service §3. */
export const unmovedStageStates: readonly string[] = ['not_started', 'not_applicable'] satisfies StageState[]

/** The stage that an answer means, whatever its capitals; `undefined` for one that is not documented. */
export function knownStage(name: string): StageName | undefined {
  const wanted = name.toLowerCase()
  return stageNames.find(stage => stage.toLowerCase() === wanted)
}
