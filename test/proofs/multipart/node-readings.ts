import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseMultipart } from '@mjackson/multipart-parser'
import { formidable } from 'formidable'
import multer from 'multer'
import { Form } from 'multiparty'
import { getBoundary, parse } from 'parse-multipart-data'
import type { Response as UndiciResponse } from 'undici'
import { parseBody, readBytes } from '../../../src/emulator/http/read-body.js'
import { digested, type Value } from './value.js'

/** The largest field or file that any parser is asked to take; their own limits are lower. */
export const most = 256 * 1024 * 1024

type Found<T> = Readonly<Record<string, readonly T[]>>

function typeOf({ headers }: IncomingMessage): string {
  return headers['content-type'] ?? ''
}

export async function readByEmulator(request: IncomingMessage): Promise<readonly Value[]> {
  const body = await parseBody(typeOf(request), await readBytes(request))
  if (body.encoding === 'unreadable') throw new Error(body.problem)
  return body.parts.map(part => digested(part.name, part.kind, part.kind === 'text' ? part.text : part.bytes))
}

/** With the parser of the platform, or the newer one of the package that it is made from. */
export async function readByPlatform(
  request: IncomingMessage,
  Answer: typeof Response | typeof UndiciResponse,
): Promise<readonly Value[]> {
  const response = new Answer(await buffer(request), { headers: { 'content-type': typeOf(request) } })
  const found: Value[] = []
  for (const [name, value] of await response.formData())
    found.push(
      typeof value === 'string'
        ? digested(name, 'text', value)
        : digested(name, 'file', Buffer.from(await value.arrayBuffer())),
    )
  return found
}

export function collected(
  request: IncomingMessage,
  parser: NodeJS.WritableStream,
): Promise<readonly Value[]> {
  const found: Promise<Value>[] = []
  return new Promise((resolve, reject) => {
    parser
      .on('field', (name: string, text: string) => found.push(Promise.resolve(digested(name, 'text', text))))
      .on('file', (name: string, stream: NodeJS.ReadableStream) =>
        found.push(buffer(stream).then(bytes => digested(name, 'file', bytes))),
      )
      .on('error', reject)
      // The one says that it is closed, the other only that it has finished.
      .on('finish', () => resolve(Promise.all(found)))
      .on('close', () => resolve(Promise.all(found)))
    request.pipe(parser)
  })
}

export async function readByMulter(request: IncomingMessage): Promise<readonly Value[]> {
  const read = multer({ storage: multer.memoryStorage(), limits: { fieldSize: most } }).any()
  await new Promise<void>((resolve, reject) => {
    read(request, {}, error => (error === undefined ? resolve() : reject(error)))
  })
  const { body, files } = request as multer.Read
  return [
    ...Object.entries(body).map(([name, text]) => digested(name, 'text', text)),
    ...files.map(({ fieldname, buffer: bytes }) => digested(fieldname, 'file', bytes)),
  ]
}

export async function readByFormidable(
  request: IncomingMessage,
  uploadDir: string,
): Promise<readonly Value[]> {
  const options = { allowEmptyFiles: true, minFileSize: 0, maxFieldsSize: most, uploadDir }
  const [fields, files] = await formidable(options).parse(request)
  return [...texts(fields), ...(await uploads(files, ({ filepath }) => filepath))]
}

export async function readByMultiparty(
  request: IncomingMessage,
  uploadDir: string,
): Promise<readonly Value[]> {
  const form = new Form({ maxFieldsSize: most, uploadDir })
  const { fields, files } = await new Promise<{ fields: Found<string>; files: Found<{ path: string }> }>(
    (resolve, reject) => {
      form.parse(request, (error, fields, files) =>
        error === null ? resolve({ fields, files }) : reject(error),
      )
    },
  )
  return [...texts(fields), ...(await uploads(files, ({ path }) => path))]
}

export async function readByParseMultipart(request: IncomingMessage): Promise<readonly Value[]> {
  return parse(await buffer(request), getBoundary(typeOf(request))).map(({ name = '', filename, data }) =>
    digested(name, filename === undefined ? 'text' : 'file', data),
  )
}

export async function readByMultipartParser(request: IncomingMessage): Promise<readonly Value[]> {
  const [, boundary = ''] = /boundary=(.*)$/.exec(typeOf(request)) ?? []
  const parts = [...parseMultipart(await buffer(request), { boundary, maxFileSize: most })]
  return parts.map(({ name = '', filename, bytes }) =>
    digested(name, filename === undefined ? 'text' : 'file', bytes),
  )
}

function texts(fields: Found<string>): readonly Value[] {
  return Object.entries(fields).flatMap(([name, all]) => all.map(text => digested(name, 'text', text)))
}

/** The contents of files that a parser wrote, which are removed. */
async function uploads<T>(files: Found<T>, pathOf: (file: T) => string): Promise<readonly Value[]> {
  const found: Value[] = []
  for (const [name, all] of Object.entries(files))
    for (const file of all) {
      found.push(digested(name, 'file', await readFile(pathOf(file))))
      await rm(pathOf(file))
    }
  return found
}
