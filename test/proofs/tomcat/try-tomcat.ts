import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { siteWriter } from '../../../src/client/site-writer.js'
import { licenseValidation } from '../../../src/contract/field-notes.js'
import { operations } from '../../../src/contract/operations.js'
import type { Organization } from '../../../src/manifest/manifest.js'
import type { JsonObject } from '../../../src/schema/json-schema.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { Secret } from '../../../src/secrets/secret.js'
import { configured } from '../../support/configured.js'
import { landform } from '../../support/landform.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { everyParameterCase, type TomcatCase } from './cases.js'
import { listFormDifferences, listPartDifferences, type MeantParameters } from './meant.js'
import { type ReceivedRequest, readings, type Tomcat } from './tomcat.js'

/** Runs a command with the manifest of a case, in a separate folder, on the site at this address. */
export async function landformOn(
  url: string,
  one: TomcatCase,
  command = 'apply',
  ...words: readonly string[]
) {
  const folder = await temporaryFolder()
  const files = { ...one.files, 'site.yaml': JSON.stringify(one.manifest, null, 1) }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const state = `file:${join(folder, 'state')}`
  return landform([command, join(folder, 'site.yaml'), '--url', url, '--state', state, ...words], {
    environment: one.environment,
  })
}

/** Configures a site with the client, without the checks of the manifest. */
export async function configureDirectly(url: string, { manifest, environment, files }: TomcatCase) {
  const { site: _, ...organization } = manifest['spec'] as JsonObject
  const secrets: readonly (readonly [JsonPointer, Buffer | string | undefined])[] = [
    ['/spec/administrator/password', environment['LANDFORM_ADMIN_PASSWORD']],
    ['/spec/administrator/securityQuestion/answer', environment['LANDFORM_SECURITY_ANSWER']],
    ['/spec/license/file', files['licenses/site.json']],
  ]
  return configured(
    siteWriter(url),
    organization as unknown as Organization,
    new Map(secrets.map(([pointer, value = '']) => [pointer, new Secret(Buffer.from(value as string))])),
  )
}

/** Finds the requests of each operation among what a site received. */
export async function receivedBy(tomcat: Tomcat, url: string) {
  const received = await tomcat.received(url)
  const find = (path: string) => received.find(request => request.path === path)
  return {
    license: find(licenseValidation),
    configure: find(operations.configure.path),
    update: find(operations.update.path),
    exported: find(operations.exportSite.path),
  }
}

type Differences = readonly string[]

/**
 * Sends values like a careless client: without an encoding, with line ends that `FormData` changes, with JSON that is not
 * ASCII, and with another license. Lists the differences that each mistake causes.
 */
export async function listCarelessDifferences(
  tomcat: Tomcat,
): Promise<Readonly<Record<string, Differences>>> {
  const { fullName = '', description = '', licenseFile = '' } = everyParameterCase.meant
  const newObject = { json: { name: fullName } }
  const meant: MeantParameters = { newObject, description, licenseFile }
  const url = tomcat.newSite('none')
  const parts = new FormData()
  parts.set('newObject', JSON.stringify(newObject.json))
  parts.set('description', String(description))
  parts.set('licenseFile', new Blob(['another']), 'site.json')
  await fetch(`${url}${operations.configure.path}`, { method: 'POST', body: parts })
  await fetch(`${url}${operations.update.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ fullName: String(fullName) }).toString(),
  })
  const { configure, update } = await receivedBy(tomcat, url)
  const ofParts = (request: ReceivedRequest | undefined, name: string) =>
    listPartDifferences(request, meant, readings.none).filter(text => text.startsWith(name))
  return {
    'JSON that is not ASCII': ofParts(configure, 'newObject:'),
    'texts without their encoding': ofParts(configure, '_charset_:'),
    'other line ends': ofParts(configure, 'description:'),
    'another license': ofParts(configure, 'licenseFile, its bytes'),
    'a form without an encoding': listFormDifferences(update, { fullName }),
  }
}
