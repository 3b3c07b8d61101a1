import { reportedUserTypes } from './field-notes.js'
import type { StageName, StageState } from './stages.js'
import { findIntroduction, type ServiceVersion } from './versions.js'

/**
 * Facts from public sources about requests and responses that the service document does not show. The emulator uses them
 * with field fidelity; see `field-notes.ts` for the sources.
 */
/** A stage state in addition to the documented ones (configuration script, 10.9.1). */
export const failedStage = 'failed'
export type ReportedStageState = StageState | typeof failedStage

/** Stage names with other capitals than the documented ones (configuration script, 10.9.1). */
export const reportedStageSpellings: Readonly<Partial<Record<StageName, string>>> = {
  'Configuration store': 'Configuration Store',
  'Queue store': 'Queue Store',
}

/** A later child of the root resource; of the others only titles are reported (Terraform modules, to 12.0). */
export const reportedResources = ['jobs'] as const

/** Builds of some versions (deployment guides). */
export const reportedBuilds: ReadonlyMap<string, string> = new Map([
  ['11.3.0', '5814'],
  ['11.4.0', '6285'],
  ['12.1.0', '8325'],
])

/** The message of a response to a request without a token (configuration script, 10.9.1). */
export const tokenRequired = 'Token Required.'

/**
 * The path of the token service, relative to the parent of the administrator API (configuration script, 10.9.1; Terraform
 * modules).
 */
export const tokenServicePath = 'sharing/rest/generateToken'
/** The kinds of clients that a token can be bound to (administrator API reference). */
export const tokenClients = ['referer', 'requestip'] as const
/** Lifetimes of tokens in minutes; longer ones are silently reduced to the maximum (administrator guides, 10.9.1 and 11.4). */
export const tokenMinutes = { usual: 120, max: 20_160 } as const
/** The stage after which the site issues tokens; there are none while the portal starts (configuration script, 10.9.1). */
export const portalStage: StageName = 'Portal REST API'

/** The one organization of a site (administrator API reference; Terraform modules). */
export const defaultOrganization = '0123456789ABCDEF'

/** Validates a license before anything is configured, without a token (configuration script, 10.9.1). */
export const licenseValidation = `/orgs/${defaultOrganization}/license/validateLicense`

/** The version since which the upgrade configuration has more than the placement policy (administrator API reference). */
export const moreUpgradeSettingsSince: ServiceVersion = '12.0'

/** The response of `system/upgrades` for a site that was never upgraded (administrator API reference). */
export const noUpgrade = { code: 0, messages: [], state: 'no_upgrade' } as const
/** Its states while no upgrade runs; the state during an upgrade is not reported (administrator API reference). */
export const upgradeStatesAtRest: readonly string[] = [noUpgrade.state, 'success']

/**
 * The readable resources other than the root resource, each a GET below the base URL: the state of upgrades, and during
 * one nothing below that; the upgrade configuration, not wrapped in `upgradeConfig`; the log settings; the profile and
 * the system properties, whose structure is not reported (administrator API reference).
 */
export const readableResources = {
  upgrades: { path: '/system/upgrades', since: findIntroduction('configure') },
  upgradeConfig: { path: '/system/upgrades/config', since: findIntroduction('update') },
  profile: { path: '/system/architectureprofiles', since: findIntroduction('configure') },
  logLevel: { path: '/logs/settings', since: findIntroduction('configure') },
  systemProperties: { path: '/system/properties', since: findIntroduction('configure') },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly since: ServiceVersion }>>

/**
 * Resources of which only titles and purposes are reported: the data stores, and for each the volumes and the placement of
 * its pods; the two profiles of 12.1. They are read where they answer, and believed only in a documented structure.
 */
export const exploredResources = {
  dataStores: '/data',
  availabilityProfile: '/system/availabilityprofiles',
  performanceProfile: '/system/performanceprofiles',
} as const
/** The resources below each data store. */
export const dataStoreResources = ['config/volumes', 'config/placementPolicy'] as const

/** The default retention of logs in days, reported since this version (administrator API reference). */
export const logDays = { usual: 60, since: '11.2' } as const satisfies {
  usual: number
  since: ServiceVersion
}
/** The default log level; the deployment guides name WARNING (administrator API reference). */
export const usualLogLevel = 'INFO'

/** The reported user types; their names are not reported, so the identifier is used. */
export const userTypeRecords = reportedUserTypes.map(id => ({ id, name: id }))
