import type { ApplyRecord } from './generated/state.js'

export type { RecordedOrganization } from '../manifest/manifest.js'
export type { ApplyRecord } from './generated/state.js'

/** The record of a site that Landform never applied anything to. */
export const emptyRecord: ApplyRecord = { serial: 0 }
