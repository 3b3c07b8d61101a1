import { includes, parseVersion, type ServiceVersion } from '../contract/version.js'
import { since } from '../contract/versions.js'

interface Section {
  readonly since: ServiceVersion
  readonly text: string
}

const sections: readonly Section[] = [
  {
    since: since('configure'),
    text: `\
  # Folders to register as data stores at once, which later would stop services. Service §4.3.
  #folders: [/data/imagery]
`,
  },
  {
    since: since('userManagedStores'),
    text: `\
  # Data stores on a network file share, from ${since('userManagedStores')}. Service §2.6.
  #dataStores:
  #  - clientPath: /data/parcels
  #    type: folder
  #    info: { fileServerHost: nfs.example.org, fileServerType: NFS, fileServerPath: /export/parcels }
`,
  },
  {
    since: since('configure'),
    text: `\
  # How much is logged while the site is configured; the levels are not documented. Service §4.3.
  #logLevel: INFO
`,
  },
  {
    since: since('update'),
    text: `\
  # Where the pods of upgrades may run, from ${since('update')}; takes the token of spec.site. Service §2.7, §4.4.
  #upgrade:
  #  podPlacementPolicy:
  #    tolerations:
  #      - { key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }
`,
  },
]

/** What a manifest of a version may have besides, each section behind a `#` that can be taken away. */
export function optionalSections(version: string): string {
  const declared = parseVersion(version)
  return sections
    .filter(section => declared === undefined || includes(declared, section.since))
    .map(({ text }) => text)
    .join('')
}
