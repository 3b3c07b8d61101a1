import { reportedUserTypes } from './field-notes.js'
import type { StageName, StageState } from './stages.js'
import { type ServiceVersion, since } from './versions.js'

/**
 * What public sources report of requests and answers that the service document does not show. The emulator answers so
 * with field fidelity; see `field-notes.ts` for what the sources are.
 */
/** A stage state beside the documented ones (configuration script, 10.9.1). */
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

/** The words of an answer to a request without a token (configuration script, 10.9.1). */
export const tokenRequired = 'Token Required.'

/**
 * Where tokens come from, seen from the base URL: beside the administrator API, not below it (configuration script,
 * 10.9.1; Terraform modules).
 */
export const tokenServicePath = 'sharing/rest/generateToken'
/** What a token may be bound to (administrator API reference). */
export const tokenClients = ['referer', 'requestip'] as const
/** Lives of tokens in minutes; more than the most is cut without a word (administrator guides, 10.9.1 and 11.4). */
export const tokenMinutes = { usual: 120, most: 20_160 } as const
/** The stage after which tokens can be had: while the portal starts, none are given (configuration script, 10.9.1). */
export const portalStage: StageName = 'Portal REST API'

/** The one organization of a site (administrator API reference; Terraform modules). */
export const defaultOrganization = '0123456789ABCDEF'

/** The upgrade configuration has more than the placement policy from here on (administrator API reference). */
export const moreUpgradeSettingsSince: ServiceVersion = '12.0'

/** What `system/upgrades` says where nothing was ever upgraded (administrator API reference). */
export const noUpgrade = { code: 0, messages: [], state: 'no_upgrade' } as const
/** Its states while no upgrade runs; the word for one under way is not reported (administrator API reference). */
export const upgradeStatesAtRest: readonly string[] = [noUpgrade.state, 'success']

/**
 * What a site tells of itself beside the root resource, each to GET below the base URL: how upgrades stand, and while
 * one runs nothing below that; the upgrade configuration, bare and not inside `upgradeConfig`; the log settings; the
 * profile chosen at creation and the system properties, whose shapes are not reported (administrator API reference).
 */
export const readableResources = {
  upgrades: { path: '/system/upgrades', since: since('configure') },
  upgradeConfig: { path: '/system/upgrades/config', since: since('update') },
  profile: { path: '/system/architectureprofiles', since: since('configure') },
  logLevel: { path: '/logs/settings', since: since('configure') },
  systemProperties: { path: '/system/properties', since: since('configure') },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly since: ServiceVersion }>>

/** Days that logs are kept unless chosen otherwise, reported from this version on (administrator API reference). */
export const logDays = { usual: 60, since: '11.2' } as const satisfies {
  usual: number
  since: ServiceVersion
}
/** The log level where none was chosen; the deployment guides name WARNING (administrator API reference). */
export const usualLogLevel = 'INFO'

/** User types by identifier and name, as far as they are reported; the names are not. */
export const userTypeRecords = reportedUserTypes.map(id => ({ id, name: id }))
