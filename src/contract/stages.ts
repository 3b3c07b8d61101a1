/** The fourteen stages of a configuration, in order, as spelled in responses after the first one. Service §2.3. */
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

/** The spelling of the twelfth stage in the immediate response to `configure`. Service §2.3. */
export const immediateSpelling = { 'Usage statistics': 'Usage Statistics' } as const

/** The stage that the immediate response reports as `not_applicable`. Service §3. */
export const stageNotApplicableAtFirst: StageName = 'Cloud Native Storage'

/** The states of a stage. Service §3. */
export const stageStates = ['not_started', 'in_progress', 'completed', 'not_applicable'] as const
export type StageState = (typeof stageStates)[number]

/** The progress of each stage state; a stage that does not apply counts as complete. Service §3. */
export const stageProgress = {
  not_started: 'waiting',
  in_progress: 'running',
  completed: 'through',
  not_applicable: 'through',
} as const satisfies Record<StageState, string>

/** The states of stages that have not started, which do not prove that a configuration has begun. Service §3. */
export const unmovedStageStates: readonly string[] = ['not_started', 'not_applicable'] satisfies StageState[]

const documentedNames: ReadonlySet<string> = new Set([...stageNames, ...Object.values(immediateSpelling)])

/** True for the name of a stage exactly as the document spells it. */
export function isDocumentedStageName(name: string): boolean {
  return documentedNames.has(name)
}

/** Finds a documented stage by name, ignoring case; `undefined` for an undocumented one. */
export function findStage(name: string): StageName | undefined {
  return byLowerCase.get(name.toLowerCase())
}

const byLowerCase: ReadonlyMap<string, StageName> = new Map(
  stageNames.map(name => [name.toLowerCase(), name] as const),
)
