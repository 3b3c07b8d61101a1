import {
  type CredentialType,
  connectionFields,
  credentialTypes,
  findWireName,
  isCredentialType,
} from '../../contract/cloud.js'
import { type EmulatorJsonObject, isObject, type Json, member } from '../service/json.js'

const mask = '********'

/** Shows the stored `cloudConfig` as the documentation page of the providers prints it: with IDs, and secrets masked. */
export function showProviders(config: Json | undefined): readonly EmulatorJsonObject[] {
  return selectObjects(config).map((provider, at) => {
    const { credential = {}, cloudServices } = provider
    const type = String(member(credential, 'type'))
    const entry: CredentialType | undefined = isCredentialType(type) ? credentialTypes[type] : undefined
    const secret = Object.fromEntries((entry?.secret ?? []).map(({ name }) => [name, mask]))
    const id = `provider0${at + 1}`
    return {
      ...provider,
      id,
      credential: {
        ...(isObject(credential) && credential),
        ...(Object.keys(secret).length > 0 && { secret }),
      },
      cloudServices: selectObjects(cloudServices).map((service, index) => ({
        ...service,
        connection: spellAsPrinted(type, service['connection']),
        providerId: id,
        id: `service0${index + 1}`,
      })),
    }
  })
}

/** Renames fields to the names of manifests: the page prints those, even for fields that `configure` spells differently. */
function spellAsPrinted(type: string, connection: Json | undefined): EmulatorJsonObject {
  const names = Object.values(connectionFields).flatMap(fields => fields.map(({ name }) => name))
  const members = isObject(connection) ? Object.entries(connection) : []
  return Object.fromEntries(
    members.map(([sent, value]) => [names.find(name => findWireName(type, name) === sent) ?? sent, value]),
  )
}

function selectObjects(list: Json | undefined): readonly EmulatorJsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
