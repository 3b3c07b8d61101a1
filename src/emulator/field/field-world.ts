import { moreUpgradeSettingsSince } from '../../contract/field-operations.js'
import type { StageName } from '../../contract/stages.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../service/json.js'

/** Whom the emulator follows where the document is silent: nobody, or what public sources report. */
export const fidelities = ['document', 'field'] as const
export type Fidelity = (typeof fidelities)[number]

/** What can be chosen with field fidelity; without it these choices mean nothing. */
export interface FieldOptions {
  /** The stage after which everything asks for a token, if any. Default: the one before tokens can be had. */
  readonly securityFrom?: StageName | 'never'
  /** What tokens and salts are made from. Default: nothing, so that two worlds give the same tokens. */
  readonly key?: string
  /** Settings of upgrades that no client of ours knows. Default: none before 12.0, one from then on. */
  readonly moreUpgradeSettings?: JsonObject
  /** What `update` does to settings that it is not sent, which is not known. Default `replace`: they are lost. */
  readonly updateMode?: UpdateMode
  /** Any token counts, as without field fidelity: a rehearsal has no way to one that was issued. */
  readonly anyToken?: boolean
  /** An upgrade is under way. */
  readonly upgrading?: boolean
}

export type UpdateMode = 'replace' | 'merge'

/** The part of a world that only field fidelity looks at. */
export interface FieldWorld {
  readonly securityFrom: StageName | 'never'
  readonly key: string
  readonly moreUpgradeSettings: JsonObject
  readonly updateMode: UpdateMode
  readonly anyToken: boolean
  readonly upgrading: boolean
  /** Known once a configuration was accepted. */
  readonly administrator?: Administrator
  /** Services whose webhooks were deactivated. */
  readonly inactiveWebhooks: ReadonlySet<string>
}

/** What is there before anything was asked. */
export function newFieldWorld(version: ServiceVersion, options: FieldOptions = {}): FieldWorld {
  const more = includes(version, moreUpgradeSettingsSince) ? unnamedSettings : {}
  return {
    // The stage right before the portal: then a client meets the reported time in which it needs a token and gets none.
    securityFrom: options.securityFrom ?? 'Spatiotemporal and index store',
    key: options.key ?? '',
    moreUpgradeSettings: options.moreUpgradeSettings ?? more,
    updateMode: options.updateMode ?? 'replace',
    anyToken: options.anyToken ?? false,
    upgrading: options.upgrading ?? false,
    inactiveWebhooks: new Set(),
  }
}

// That container resources are there is reported, and their names are not: this one is the emulator's own.
const unnamedSettings = { emulatedContainerResources: { limits: { memory: '1Gi' } } }

/** Who may ask for tokens. The password cannot be read back from its digest. */
export interface Administrator {
  readonly username: string
  readonly salt: string
  readonly digest: string
}
