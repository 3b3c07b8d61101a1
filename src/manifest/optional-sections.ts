import { findIntroduction, includes, parseVersion, type ServiceVersion } from '../contract/versions.js'

interface OptionalSection {
  readonly since: ServiceVersion
  /** The field of the example. */
  readonly name: string
  readonly text: string
}

const sections: readonly OptionalSection[] = [
  {
    since: findIntroduction('configure'),
    name: 'folders',
    text: `\
  # Folders to register as data stores now; registering them later would stop
  # services.
  #folders: [/data/imagery]
`,
  },
  {
    since: findIntroduction('userManagedStores'),
    name: 'dataStores',
    text: `\
  # Data stores on a network file share, since ${findIntroduction('userManagedStores')}.
  #dataStores:
  #  - clientPath: /data/parcels
  #    type: folder
  #    info:
  #      fileServerHost: nfs.example.org
  #      fileServerType: NFS
  #      fileServerPath: /export/parcels
`,
  },
  {
    since: findIntroduction('configure'),
    name: 'logLevel',
    text: `\
  # The log level during configuration; the levels are not documented.
  #logLevel: INFO
`,
  },
  {
    since: findIntroduction('configure'),
    name: 'systemProperties',
    text: '',
  },
  {
    since: findIntroduction('update'),
    name: 'upgrade',
    text: `\
  # The placement of upgrade pods, since ${findIntroduction('update')}; requires the token of
  # spec.site.
  #upgrade:
  #  podPlacementPolicy:
  #    tolerations:
  #      - key: dedicated
  #        operator: Equal
  #        value: upgrades
  #        effect: NoSchedule
`,
  },
]

/**
 * Formats the optional sections of a version, each commented out; chosen sections are included with their value.
 */
export function formatOptionalSections(
  version: string,
  chosen: Readonly<Record<string, string>> = {},
): string {
  const declared = parseVersion(version)
  return sections
    .filter(section => declared === undefined || includes(declared, section.since))
    .map(({ name, text }) =>
      chosen[name] === undefined
        ? text
        : `${text.replace(/^ {2}#\w+:[\s\S]*/m, '')}  ${name}: ${chosen[name]}\n`,
    )
    .join('')
}
