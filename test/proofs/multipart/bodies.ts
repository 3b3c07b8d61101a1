import fc from 'fast-check'
import { buildConfigureParts } from '../../../src/client/wire/configure-parts.js'
import { encodeForm, type FormField } from '../../../src/client/wire/form.js'
import { buildUpdateFields } from '../../../src/client/wire/form-requests.js'
import { encodeMultipart, type MultipartPart, type RequestBody } from '../../../src/client/wire/multipart.js'
import { exportSiteParameters } from '../../../src/contract/parameter.js'
import type { Organization } from '../../../src/manifest/manifest.js'
import { Secret } from '../../../src/secrets/secret.js'
import { aPolicy } from '../../support/a-manifest.js'
import { anOrganization } from '../../support/an-organization.js'
import { anUpdate } from '../../support/an-update.js'
import { wireTexts } from '../../support/wire-texts.js'
import { type Contents, contents } from './contents.js'
import { digested, type Value } from './value.js'

/** A body as the client makes it, and what was put into it. */
export interface SentBody {
  readonly description: string
  readonly body: RequestBody
  readonly values: readonly Value[]
}

/** Any `configure` request that a manifest could lead to, and some that none could. Service §4.3. */
export const configureBody: fc.Arbitrary<SentBody> = contents.map(one =>
  configureOf(organizationOf(one.text), one),
)

/** One `configure` request whose license has this many bytes. */
export function configureWithLicense(bytes: number): SentBody {
  const fill = Buffer.from('license\r\n--\0\xff')
  return configureOf(anOrganization(), {
    boundary: `----${'0123456789abcdef'.repeat(3)}`,
    text: () => 'some-secret-1',
    bytes: () => Buffer.alloc(bytes, fill),
  })
}

function configureOf(organization: Organization, { boundary, text, bytes }: Contents): SentBody {
  const parts = buildConfigureParts(
    organization,
    pointer => new Secret(pointer.startsWith('/spec/license/') ? bytes() : Buffer.from(text())),
  )
  const body = multipartOf(parts, boundary)
  const values = parts.map(({ name, kind, value }) => digested(name, kind, value))
  return { description: 'configure', body, values }
}

/** One body of bytes. */
export function multipartOf(parts: readonly MultipartPart[], boundary: string): RequestBody {
  const { contentType, pieces } = encodeMultipart(parts, new Set(), boundary)
  return { contentType, bytes: Buffer.concat(pieces) }
}

function organizationOf(text: () => string): Organization {
  const labels = { [text()]: text(), [text()]: text() }
  const volume = { size: text(), storageClass: text(), labels }
  const { volumes, administrator } = anOrganization()
  return anOrganization({
    administrator: {
      ...administrator,
      username: text(),
      email: text(),
      fullName: text(),
      firstName: text(),
      lastName: text(),
      description: text(),
      userType: text(),
    },
    license: { file: text(), serverFile: text() },
    volumes: { ...volumes, BLOB: volume },
    cloudStorage: [
      {
        name: text(),
        credential: {
          type: 'ACCESS-KEY',
          secret: { accessKey: { env: 'LANDFORM_A' }, secretKey: { env: 'LANDFORM_B' } },
        },
        cloudServices: [
          { name: text(), connection: { bucketName: text(), region: text(), rootDir: text() } },
        ],
      },
    ],
    systemProperties: { [text()]: text() },
    folders: text(),
    extra: { newParameter: text(), another_one: { [text()]: [text(), null, 1] } },
  })
}

/** Any form that the client could send: a policy and a token, or the parameters of an export. Service §4.1, §4.4. */
export const formBody: fc.Arbitrary<SentBody> = fc
  .tuple(contents, fc.boolean())
  .map(([{ text }, updates]) => {
    const fields = updates
      ? buildUpdateFields(anUpdate(aPolicy(text())), new Secret(Buffer.from(text())))
      : exportSiteParameters.map(({ name }) => ({ name, value: Buffer.from(text()) }))
    return formOf(updates ? 'update' : 'exportSite', fields)
  })

/** A form with each text that a careless encoder changes: chance leaves one or the other out. */
export const formOfWireTexts: SentBody = formOf(
  'texts that are changed easily',
  wireTexts.map((text, at) => ({ name: `text${at}`, value: Buffer.from(text) })),
)

function formOf(description: string, fields: readonly FormField[]): SentBody {
  const values = fields.map(({ name, value }) => digested(name, 'text', value))
  return { description, body: encodeForm(fields), values }
}
