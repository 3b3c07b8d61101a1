/** The fields of the root resource. Service §2.3. */
export const rootFields = {
  fullVersion: 'Full product version.',
  resources: 'Names of the child resources.',
  currentVersion: 'Version number.',
  status: 'Progress of the configuration.',
  info: 'Holds the build.',
} as const

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
