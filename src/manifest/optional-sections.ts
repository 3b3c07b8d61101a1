import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  connectionFields,
  credentialTypes,
  findReportedCloud,
  reportedProviderNames,
} from '../contract/cloud.js'
import { findIntroduction, includes, parseVersion } from '../contract/versions.js'
import { placeholder } from './may-be-secret.js'
import { suggestVariable } from './references.js'
import { formatYamlComment, formatYamlText } from './yaml-text.js'

const sections = {
  cloudStorage: {
    since: findIntroduction('cloudConfig'),
    text: `\
  # Cloud storage for the objects of the site, since ${findIntroduction('cloudConfig')}; by default they are
  # kept in the cluster. \`landform init - --cloud aws\` prints an example.
  #cloudStorage: []
`,
  },
  folders: {
    since: findIntroduction('configure'),
    text: `\
  # Folders to register as data stores now; registering them later would stop
  # services.
  #folders: [/data/imagery]
`,
  },
  dataStores: {
    since: findIntroduction('userManagedStores'),
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
  logLevel: {
    since: findIntroduction('configure'),
    text: `\
  # The log level during configuration; the levels are not documented.
  #logLevel: INFO
`,
  },
  systemProperties: { since: findIntroduction('configure'), text: '' },
  upgrade: {
    since: findIntroduction('update'),
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
} as const

export type OptionalSectionName = keyof typeof sections
type Names = readonly OptionalSectionName[]

/**
 * Formats the optional sections of a version, each commented out, so that readers see every choice that is final.
 * Chosen sections get their values, a comment marks unknown ones, and written ones are omitted.
 */
export function formatOptionalSections(
  version: string,
  {
    chosen,
    unknown = [],
    written = [],
  }: Readonly<{ chosen: Record<string, string>; unknown?: Names | undefined; written?: Names }>,
): string {
  const declared = parseVersion(version)
  return Object.entries(sections)
    .filter(([name]) => !written.some(one => one === name))
    .filter(([, { since }]) => declared === undefined || includes(declared, since))
    .map(([name, { text }]) => {
      if (chosen[name] !== undefined)
        return `${text.replace(/^ {2}#\w+:[\s\S]*/m, '')}  ${name}:${chosen[name]}\n`
      return unknown.some(one => one === name)
        ? `${formatYamlComment(`unknown: ${name} was not read from the site. A new site made from this file may differ in it.`)}${text}`
        : text
    })
    .join('')
}

/** Formats the `cloudStorage` section of a new manifest for the provider of a credential type. Service §2.5. */
export function formatCloudStorage(
  credential: CredentialTypeName,
  values: Readonly<Record<string, string>> = {},
): string {
  const value = (name: string) => formatYamlText(values[name] ?? placeholder)
  const { provider, secret, meaning, beside = [] }: CredentialType = credentialTypes[credential]
  const all: readonly ConnectionField[] = connectionFields[provider]
  // Reported fields are only for unusual sites.
  const fields = all.filter(({ reported }) => reported === undefined)
  const others = beside.map(({ name }) => `        ${name}: ${value(name)}\n`).join('')
  const connection = fields.map(({ name }) => `            ${name}: ${value(name)}\n`).join('')
  const parts = secret.map(({ name, confidential }) =>
    confidential
      ? `          ${name}: { env: ${suggestVariable(`/${name}`)} }\n`
      : `          ${name}: ${value(name)}\n`,
  )
  const named = [...beside, ...secret.filter(({ confidential }) => !confidential), ...fields].map(
    ({ name }) => name,
  )
  return `\
  # Cloud storage for the objects of the site, since ${findIntroduction('cloudConfig')}.
${formatYamlComment(`${credential}: ${meaning}`)}\
${formatYamlComment(`These cannot be changed later: ${named.join(', ')}.`)}\
  cloudStorage:
    - name: ${reportedProviderNames[provider]}
      credential:
        type: ${credential}
${others}${parts.length > 0 ? `        secret:\n${parts.join('')}` : ''}\
      cloudServices:
        - name: ${formatYamlText(findReportedCloud(provider).service)}
          connection:
${connection}`
}
