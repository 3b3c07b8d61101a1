import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import busboy from 'busboy'
import fc from 'fast-check'
import { buildConfigureParts } from '../../../src/client/wire/configure-parts.js'
import { encodeForm, type FormField } from '../../../src/client/wire/form.js'
import { buildUpdateFields } from '../../../src/client/wire/form-requests.js'
import { encodeMultipart, type MultipartPart, type RequestBody } from '../../../src/client/wire/multipart.js'
import { Secret } from '../../../src/secrets/secret.js'
import { aPolicy } from '../../support/a-manifest.js'
import { anOrganization } from '../../support/an-organization.js'
import { anUpdate } from '../../support/an-update.js'
import { anyText } from '../../support/any-text.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { testWhere } from '../../support/test-where.js'
import { wireTexts } from '../../support/wire-texts.js'

/** The system's Python, because another one on the PATH may lack packages of Debian. */
const pythonProgram = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

type Value = readonly [name: string, kind: 'text' | 'file', bytes: string]

interface Sent {
  readonly body: RequestBody
  readonly values: readonly Value[]
}

type Parser = (bodies: readonly RequestBody[]) => Promise<readonly (readonly Value[] | string)[]>

const boundary = `----${'0123456789abcdef'.repeat(3)}`
const nearly = boundary.slice(0, -1)
const texts = fc
  .array(fc.oneof(fc.constantFrom(...wireTexts, `\r\n--${nearly}`), anyText({ maxLength: 20 })), {
    maxLength: 4,
  })
  .map(pieces => pieces.join(''))
const edges = [0, 1, 4095, 4096, 65_535, 65_537, 262_145]
const files = fc
  .tuple(fc.constantFrom(...edges), fc.constantFrom('\r', '\r\n--', `\r\n--${nearly}`, 'license\0\xff'))
  .map(([size, fill]) => Buffer.alloc(size, fill))

const multipart = fc
  .tuple(fc.array(texts, { minLength: 12, maxLength: 12 }), files)
  .map(([all, license]): Sent => {
    const [username = '', fullName = '', description = '', key = '', ...rest] = all
    const { administrator } = anOrganization()
    const organization = anOrganization({
      administrator: { ...administrator, username, fullName, description },
      systemProperties: { [key]: rest.join('') },
      extra: { newParameter: rest.join('\n') },
    })
    const secretAt = (pointer: string) =>
      new Secret(pointer.startsWith('/spec/license/') ? Buffer.from(license) : Buffer.from(rest[0] ?? ''))
    const parts = buildConfigureParts(organization, secretAt)
    const { contentType, pieces } = encodeMultipart(parts, new Set(), boundary)
    const isAscii = parts.every(({ kind, value }) => kind === 'file' || value.every(byte => byte < 0x80))
    const encoding: Value = ['_charset_', 'text', Buffer.from('UTF-8').toString('base64')]
    return {
      body: { contentType, bytes: Buffer.concat(pieces) },
      values: [...(isAscii ? [] : [encoding]), ...parts.map(toValue)],
    }
  })
const forms = fc
  .tuple(texts, texts)
  .map(([value, token]) => formOf(buildUpdateFields(anUpdate(aPolicy(value)), secret(token))))
const everyText = formOf(wireTexts.map((text, at) => ({ name: `text${at}`, value: Buffer.from(text) })))

const seed = 20_260_304
const sent = [
  ...fc.sample(multipart, { numRuns: 60, seed }),
  ...fc.sample(forms, { numRuns: 20, seed }),
  everyText,
]

function secret(text: string): Secret {
  return new Secret(Buffer.from(text))
}

function toValue({ name, kind, value }: Pick<MultipartPart, 'name' | 'kind' | 'value'>): Value {
  return [name, kind, Buffer.from(value).toString('base64')]
}

function formOf(fields: readonly FormField[]): Sent {
  return { body: encodeForm(fields), values: fields.map(field => toValue({ ...field, kind: 'text' })) }
}

/** The standard library of Python, which parses a complete body at once. */
const email: Parser = bodies =>
  new Promise((resolve, reject) => {
    const file = join(root, 'test', 'system', 'client', 'read_body.py')
    const child = execFile(pythonProgram, ['-B', file], { maxBuffer: 1e9 }, (error, stdout) =>
      error === null ? resolve(JSON.parse(stdout)) : reject(error),
    )
    const coded = bodies.map(({ contentType, bytes }) => ({ contentType, bytes: bytes.toString('base64') }))
    child.stdin?.end(JSON.stringify(coded))
  })

/** The parser of most upload servers of Node, which receives a body in arbitrary pieces. */
const streaming: Parser = bodies => Promise.all(bodies.map(body => inPieces(body).catch(String)))

function inPieces({ contentType, bytes }: RequestBody): Promise<readonly Value[]> {
  const step = Math.max(1, Math.ceil(bytes.length / 13))
  const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
    bytes.subarray(at * step, (at + 1) * step),
  )
  const found: Promise<Value>[] = []
  const add = async (name: string, kind: 'text' | 'file', value: Promise<Buffer> | Buffer) =>
    toValue({ name, kind, value: await value })
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: { 'content-type': contentType }, limits: { fieldSize: 1e9 } })
      .on('field', (name, text) => found.push(add(name, 'text', Buffer.from(text))))
      .on('file', (name, stream) => found.push(add(name, 'file', buffer(stream))))
      .on('error', reject)
      .on('close', () => resolve(Promise.all(found)))
    Readable.from(pieces, { objectMode: false }).pipe(parser)
  })
}

const hasPython = await runsHere([pythonProgram, '--version'])
const readers = [
  ['busboy', streaming, true, 'busboy'],
  ['the email package of Python', email, hasPython, 'python3'],
] as const

// The parsers share no code with the encoders or with each other.
describe.each(readers)('%s', (_, parser, isHere, needed) => {
  testWhere(isHere, needed)('reads the requests of the client byte for byte', async () => {
    const found = await parser(sent.map(({ body }) => body))
    for (const [at, { values }] of sent.entries())
      expect([at, sorted(found[at])]).toEqual([at, sorted(values)])
  })
})

/** Sorts forms and files, whose order does not matter. */
function sorted(values: readonly Value[] | string | undefined) {
  return typeof values === 'object' ? values.toSorted(([one], [other]) => (one < other ? -1 : 1)) : values
}
