import { moreUpgradeSettingsSince } from '../../contract/field-notes.js'
import type { StageName } from '../../contract/responses.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { EmulatorJsonObject } from '../service/json.js'

/** The sources of the emulator: the document alone, or also public reports where the document is silent. */
export const fidelities = ['document', 'field'] as const
export type Fidelity = (typeof fidelities)[number]

/** Options that apply with field fidelity only. */
export interface FieldOptions {
  /** Once this stage is complete, requests need a token. Default: the stage before the one that starts the token service. */
  readonly securityFrom?: StageName | 'never'
  /** The key of tokens and salts. Default: empty, so that two worlds issue the same tokens. */
  readonly key?: string
  /** Upgrade settings that Landform does not know. Default: none before 12.0, one from then on. */
  readonly moreUpgradeSettings?: EmulatorJsonObject
  /** The effect of `update` on settings that it omits; the real one is unknown. Default `replace`: they are lost. */
  readonly updateMode?: UpdateMode
  /** Passwords by user name of further accounts. If given, every account can sign in only once the site is ready. */
  readonly accounts?: Readonly<Record<string, string>>
  /** Accepts any token, as with document fidelity: a rehearsal has no issued token. */
  readonly anyToken?: boolean
  /** True while an upgrade is in progress. */
  readonly upgrading?: boolean
  /** Rejects every license with this message. Default: rejects only an empty license file. */
  readonly licenseRefusal?: string
}

type UpdateMode = 'replace' | 'merge'

/** The part of a world that only field fidelity reads. */
export interface FieldWorld
  extends Required<Omit<FieldOptions, 'licenseRefusal' | 'accounts'>>,
    Pick<FieldOptions, 'licenseRefusal' | 'accounts'> {
  /** Present once a configuration was accepted. */
  readonly administrator?: Administrator
  /** Services whose webhooks were deactivated. */
  readonly inactiveWebhooks: ReadonlySet<string>
}

/** Makes the world of a new site. */
export function newFieldWorld(version: ServiceVersion, options: FieldOptions = {}): FieldWorld {
  const more = includes(version, moreUpgradeSettingsSince) ? unnamedSettings : {}
  return {
    // The stage before the portal: for a time, clients need a token but cannot get one, as reported.
    securityFrom: 'Spatiotemporal and index store',
    key: '',
    moreUpgradeSettings: more,
    updateMode: 'replace',
    anyToken: false,
    upgrading: false,
    ...options,
    inactiveWebhooks: new Set(),
  }
}

// Public sources report container resources, but not their names: this name is the emulator's own.
const unnamedSettings = { emulatedContainerResources: { limits: { memory: '1Gi' } } }

/** The account that gets tokens. The password cannot be recovered from its digest. */
export interface Administrator {
  readonly username: string
  readonly salt: string
  readonly digest: string
}
