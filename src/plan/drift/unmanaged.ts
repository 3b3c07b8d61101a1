import { findRequestedPolicy } from '../fields/known.js'
import { mergeUpgradeConfig } from '../fields/live.js'
import type { SiteSettings } from '../observation.js'
import type { Situation } from '../situation.js'

/** Something that a site tells and its manifest does not name. Without the value, which may be nobody's business. */
export interface UnmanagedSetting {
  readonly setting: keyof SiteSettings
  /** Its name in the setting. */
  readonly name: string
}

/** What a site tells beside what its manifest names and the last apply set. */
export function listUnmanagedSettings(situation: Situation): readonly UnmanagedSetting[] {
  const { desired, settings, record } = situation
  const { organization } = desired
  const policy = findRequestedPolicy(situation)
  const { upgradeConfig, logLevel, systemProperties } = settings
  const applied = record.organization?.value
  const isOurs = (name: string) =>
    [organization.systemProperties, applied?.systemProperties].some(set => set && Object.hasOwn(set, name))
  const upgrade = policy === undefined ? Object.keys : () => mergeUpgradeConfig(policy, settings).kept
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
