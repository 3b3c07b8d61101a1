import { isSameVersion } from '../../contract/versions.js'
import { digest } from '../../manifest/digest.js'
import { digestOf } from '../canonical.js'
import type { Observation, Readable, SiteSettings } from '../observation.js'

/** The facts that a plan was made from, so that what was reviewed can be told from what is there now. */
export interface Bindings {
  /** Digest of the manifest file. */
  readonly manifest: string
  /** Digests of the other files: what the manifest builds on, licenses, policies; by path from its folder. */
  readonly files: Readonly<Record<string, string>>
  /** Scheme, host and port that requests go to. */
  readonly origin: string
  readonly site: {
    /** `not-observed` where nobody looked: such a plan holds for no site. */
    readonly state: Observation['kind'] | 'not-observed'
    readonly version: string | null
    /** `info.build`; absent where the site did not tell it. */
    readonly build?: string
    /** Digests of what the site told of its settings; null for what it did not. */
    readonly settings: Readonly<Record<keyof SiteSettings, string | null>>
  }
  /** Where state is kept, in the notation of `spec.state`; absent for what does not last. */
  readonly state?: string
  /** Serial of the apply record. */
  readonly record: number
  /** Digest of what the record says, for two records can have one serial. */
  readonly recorded: string
  /** Name and version of the tool. */
  readonly tool: string
  /** Version of the manifest schema. */
  readonly schema: string
}

/** The digest of each setting that a site told. */
export function settingDigests(settings: SiteSettings): Bindings['site']['settings'] {
  const told = (setting: Readable<unknown>) => (setting.kind === 'read' ? digestOf(setting.value) : null)
  return {
    upgradeConfig: told(settings.upgradeConfig),
    profile: told(settings.profile),
    logLevel: told(settings.logLevel),
    systemProperties: told(settings.systemProperties),
  }
}

/** True for a file with the bytes that a plan is bound to. */
export function isAsBound(bound: string | undefined, bytes: Uint8Array): boolean {
  return bound === digest(bytes)
}

/** The facts that are not as they were when a plan was made, each by its name and, where it helps, its values. */
export function movedFacts(planned: Bindings, now: Bindings): readonly string[] {
  const files = [...new Set([...Object.keys(planned.files), ...Object.keys(now.files)])]
  const facts: readonly (readonly [moved: boolean, fact: string])[] = [
    [planned.manifest !== now.manifest, 'the manifest'],
    ...files.map(file => [planned.files[file] !== now.files[file], `the file ${file}`] as const),
    ...siteFacts(planned.site, now.site),
    [
      planned.state !== undefined && now.state !== undefined && planned.state !== now.state,
      `the state location: was ${planned.state}, is ${now.state}`,
    ],
    [planned.record !== now.record, `the apply record: was at serial ${planned.record}, is at ${now.record}`],
    [
      planned.record === now.record && planned.recorded !== now.recorded,
      `the apply record: another one has the serial ${now.record}`,
    ],
    [planned.tool !== now.tool, `the version of Landform: was ${planned.tool}, is ${now.tool}`],
    [
      planned.schema !== now.schema,
      `the version of the manifest schema: was ${planned.schema}, is ${now.schema}`,
    ],
  ]
  return facts.filter(([moved]) => moved).map(([, fact]) => fact)
}

const settingNames: Readonly<Record<keyof SiteSettings, string>> = {
  upgradeConfig: 'the upgrade configuration of the site',
  profile: 'the architecture profile of the site',
  logLevel: 'the log level of the site',
  systemProperties: 'the system properties of the site',
}

function formerState({ state }: Bindings['site']): string {
  return state === 'not-observed' ? 'nobody looked when the plan was made' : `was ${state}`
}

function isOtherVersion({ version: was }: Bindings['site'], { version: is }: Bindings['site']): boolean {
  return was === null || is === null ? was !== is : !isSameVersion(was, is)
}

function siteFacts(planned: Bindings['site'], now: Bindings['site']): (readonly [boolean, string])[] {
  const version = (site: Bindings['site']) => site.version ?? 'not told'
  return [
    [planned.state !== now.state, `the state of the site: ${formerState(planned)}, is ${now.state}`],
    [isOtherVersion(planned, now), `the version of the site: was ${version(planned)}, is ${version(now)}`],
    [
      planned.build !== undefined && now.build !== undefined && planned.build !== now.build,
      `the build of the site: was ${planned.build}, is ${now.build}`,
    ],
    ...Object.entries(settingNames).map(([name, words]) => {
      const setting = name as keyof SiteSettings
      return [planned.settings[setting] !== now.settings[setting], words] as const
    }),
  ]
}
