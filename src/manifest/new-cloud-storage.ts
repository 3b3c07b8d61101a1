import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  connectionFields,
  credentialTypes,
} from '../contract/cloud.js'
import { findReportedCloud, reportedProviderNames } from '../contract/reported-cloud.js'
import { findIntroduction } from '../contract/versions.js'
import { placeholder } from './may-be-secret.js'
import { suggestVariable } from './suggested-variable.js'
import { formatYamlComment, formatYamlText } from './yaml-text.js'

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
