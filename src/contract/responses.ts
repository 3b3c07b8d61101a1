/** The fields of the root resource. Service §2.3. */
export const rootFields = {
  fullVersion: 'Full product version.',
  resources: 'Names of the child resources.',
  currentVersion: 'Version number.',
  status: 'Progress of the configuration.',
  info: 'Holds the build.',
} as const

/** The header in which an emulator names its instance; the service does not send it. A restarted emulator is another site. */
export const emulatorHeader = 'landform-emulator'

/** The fields of `status` in the root resource. Service §2.3. */
export const statusFields = {
  state: 'Overall state of the configuration.',
  message: 'Progress in words.',
  warnings: 'Warnings; present after the configuration has begun, empty if there are none.',
  stages: 'One record a stage.',
} as const

/** The fields of one stage record. Service §2.3. */
export const stageFields = {
  name: 'Name of the stage.',
  state: 'State of the stage.',
  lastUpdated: 'Time of the last change, in milliseconds since 1970.',
  startTime:
    'Start time of the stage, in milliseconds since 1970; 0 if it has not started; absent in the first response.',
} as const

/** The fields of the response to `exportSite`. Service §2.1. */
export const exportResultFields = {
  status: '`success` or `success with warning`.',
  location: 'Path of the exported file; absent if the request only validated.',
  messages: 'Messages of the warning; present only with `success with warning`.',
} as const

/** The fields of an error body. Service §2.2. */
export const errorFields = {
  code: 'Number of the error.',
  message: 'What went wrong.',
  details: 'More about it, or null.',
} as const

/** The documented overall states of a configuration; others, including failures, are not shown. Service §3. */
export const siteStates = { running: 'in_progress', done: 'ready' } as const

/** The child resources that the root resource names. Service §2.3. */
export const rootResources = ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'] as const

/** The values of `status` in the responses of `exportSite`, `deleteAll` and `update`. Service §2.1, §4.2, §4.4. */
export const results = { success: 'success', warning: 'success with warning' } as const

/** The ending of an exported file's name. Service §2.1. */
export const exportFileEnding = '.portalsite'

/** `error.code` of `exportSite` when the location cannot be written, the one code the document shows. Service §7. */
export const inaccessibleLocationCode = 500

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
const stageProgress = {
  not_started: 'waiting',
  in_progress: 'running',
  completed: 'through',
  not_applicable: 'through',
} as const satisfies Record<StageState, string>

/** Finds the progress that a stage state means; `undefined` for an undocumented state. */
export function findStageProgress(state: string): (typeof stageProgress)[StageState] | undefined {
  return Object.hasOwn(stageProgress, state) ? stageProgress[state as StageState] : undefined
}

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
