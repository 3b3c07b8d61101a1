import { moreUpgradeSettingsSince } from '../../contract/field-notes.js'
import type { StageName } from '../../contract/responses.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { EmulatorJsonObject } from '../service/json.js'

/** The sources of the emulator: the document alone, or also public reports where the document is silent. */
export const fidelities = ['document', 'field'] as const
export type Fidelity = (typeof fidelities)[number]

/** Options that apply with field fidelity only. */
export interface FieldOptions {
  /** The stage after which every request needs a token, if any. Default: the one before tokens are issued. */
  readonly securityFrom?: StageName | 'never'
  /** The key of tokens and salts. Default: empty, so that two worlds issue the same tokens. */
  readonly key?: string
  /** Upgrade settings that no client of ours knows. Default: none before 12.0, one from then on. */
  readonly moreUpgradeSettings?: EmulatorJsonObject
  /** The effect of `update` on settings that it does not send, which is not known. Default `replace`: they are lost. */
  readonly updateMode?: UpdateMode
  /** Accounts with their passwords that exist, as the administrator then does, once the site is ready. */
  readonly accounts?: Readonly<Record<string, string>>
  /** Accepts any token, as without field fidelity: a rehearsal cannot get an issued one. */
  readonly anyToken?: boolean
  /** True while an upgrade is in progress. */
  readonly upgrading?: boolean
  /** Refuses every license with this message. Default: only one without content. */
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
    // The stage right before the portal: so there is a time in which a client needs a token and gets none, as reported.
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

// Container resources are reported, but not their names: this one is the emulator's own.
const unnamedSettings = { emulatedContainerResources: { limits: { memory: '1Gi' } } }

/** The account that gets tokens. The password cannot be recovered from its digest. */
export interface Administrator {
  readonly username: string
  readonly salt: string
  readonly digest: string
}
