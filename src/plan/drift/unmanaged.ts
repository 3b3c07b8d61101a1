import { findRequestedPolicy } from '../fields/known.js'
import { listOtherPaths, selectOtherSettings } from '../fields/live.js'
import type { SiteSettings } from '../observation.js'
import type { Situation } from '../situation.js'

/** A setting that a site reports and its manifest does not name. The value is left out, as it may be confidential. */
export interface UnmanagedSetting {
  readonly setting: keyof SiteSettings
  /** Its name in the setting. */
  readonly name: string
}

/** Lists the settings that a site reports, that its manifest does not name and that the last apply did not set. */
export function listUnmanagedSettings(situation: Situation): readonly UnmanagedSetting[] {
  const { desired, settings, record } = situation
  const { organization } = desired
  const policy = findRequestedPolicy(situation)
  const { upgradeConfig, logLevel, systemProperties } = settings
  const applied = record.organization?.value
  const isOurs = (name: string) =>
    [organization.systemProperties, applied?.systemProperties].some(set => set && Object.hasOwn(set, name))
  const upgrade = policy === undefined ? Object.keys : () => listOtherPaths(selectOtherSettings(settings))
  const names: readonly (readonly [keyof SiteSettings, readonly string[]])[] = [
    ['upgradeConfig', upgradeConfig.kind === 'read' ? upgrade(upgradeConfig.value) : []],
    [
      'logLevel',
      logLevel.kind === 'read' && (organization.logLevel ?? applied?.logLevel) === undefined
        ? ['logLevel']
        : [],
    ],
    [
      'systemProperties',
      systemProperties.kind === 'read'
        ? Object.keys(systemProperties.value).filter(name => !isOurs(name))
        : [],
    ],
  ]
  return names.flatMap(([setting, those]) => those.map(name => ({ setting, name })))
}
