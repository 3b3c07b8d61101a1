import fc from 'fast-check'
import { configureParts } from '../../src/client/wire/configure-parts.js'
import { encodeForm } from '../../src/client/wire/form.js'
import { type Body, encodeMultipart } from '../../src/client/wire/multipart.js'
import { updateFields } from '../../src/client/wire/update-fields.js'
import { exportSiteParameters } from '../../src/contract/export-site-parameters.js'
import type { Organization } from '../../src/manifest/manifest.js'
import { Secret } from '../../src/secrets/secret.js'
import { aPolicy } from '../support/a-manifest.js'
import { anOrganization } from '../support/an-organization.js'
import { wireTexts } from '../support/wire-texts.js'
import { digested, type Value } from './value.js'

/** A body as the client makes it, and what was put into it. */
export interface SentBody {
  readonly description: string
  readonly body: Body
  readonly values: readonly Value[]
}

const boundary = fc
  .uint8Array({ minLength: 24, maxLength: 24 })
  .map(bytes => `----${Buffer.from(bytes).toString('hex')}`)

/** What stands in the place of a boundary in a text, and nearly is one. */
const nearly = (text: string) => ['--', '\r\n--', '\n--'].map(before => `${before}${text.slice(0, -1)}`)

/**
 * Any text that could stand in a manifest. A byte order mark at its start is left out: the parser of the platform
 * takes that away.
 */
function texts(near: string): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...wireTexts, ...nearly(near)) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  )
  return fc
    .oneof(
      { weight: 8, arbitrary: fc.array(piece, { maxLength: 4 }).map(pieces => pieces.join('')) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(piece, fc.integer({ min: 1, max: 3000 }))
          .map(([text, times]) => text.repeat(times)),
      },
    )
    .filter(text => !text.startsWith('\ufeff') && !text.includes(near))
}

/** The bytes of a license: few and random, or a random piece again and again up to a size where buffers end. */
function files(near: string): fc.Arbitrary<Buffer> {
  const small = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
  const edge = fc.constantFrom(1, 4096, 8192, 65_536, 262_144)
  const size = fc.tuple(edge, fc.integer({ min: -1, max: 1 })).map(([bytes, off]) => bytes + off)
  const piece = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 97 }).map(bytes => Buffer.from(bytes)),
    fc.constantFrom('\r', '\n', '\r\n', '\0', '\r\n--', ...nearly(near)).map(text => Buffer.from(text)),
  )
  const large = fc.tuple(size, piece).map(([bytes, fill]) => Buffer.alloc(bytes, fill))
  return fc.oneof({ weight: 6, arbitrary: small }, { weight: 1, arbitrary: large })
}

interface Chosen {
  readonly near: string
  readonly text: () => string
  readonly bytes: () => Buffer
}

/** Hands out the texts and bytes of one body in turn. */
const chosen: fc.Arbitrary<Chosen> = boundary.chain(near =>
  fc
    .tuple(
      fc.array(texts(near), { minLength: 40, maxLength: 40 }),
      fc.array(files(near), { minLength: 2, maxLength: 2 }),
    )
    .map(([all, contents]) => {
      const [nextText, nextFile] = [all.values(), contents.values()]
      return {
        near,
        text: () => nextText.next().value ?? '',
        bytes: () => nextFile.next().value ?? Buffer.alloc(0),
      }
    }),
)

/** Any `configure` request that a manifest could lead to, and some that none could. Service §4.3. */
export const configureBody: fc.Arbitrary<SentBody> = chosen.map(({ near, text, bytes }) =>
  configureOf(organizationOf(text), { boundary: near, text, bytes }),
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

interface Contents extends Omit<Chosen, 'near'> {
  readonly boundary: string
}

function configureOf(
  organization: Organization,
  { boundary: chosenBoundary, text, bytes }: Contents,
): SentBody {
  const parts = configureParts(
    organization,
    pointer => new Secret(pointer.startsWith('/spec/license/') ? bytes() : Buffer.from(text())),
  )
  const body = encodeMultipart(parts, chosenBoundary)
  const values = parts.map(({ name, kind, value }) => digested(name, kind, value))
  return { description: 'configure', body, values }
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
    license: { file: 'licenses/site.json', serverFile: 'licenses/server.ecp' },
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
export const formBody: fc.Arbitrary<SentBody> = fc.tuple(chosen, fc.boolean()).map(([{ text }, updates]) => {
  const fields = updates
    ? updateFields(aPolicy(text()), new Secret(Buffer.from(text())))
    : exportSiteParameters.map(({ name }) => ({ name, value: Buffer.from(text()) }))
  const values = fields.map(({ name, value }) => digested(name, 'text', value))
  return { description: updates ? 'update' : 'exportSite', body: encodeForm(fields), values }
})
