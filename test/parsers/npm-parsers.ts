import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type BusboyHeaders, Busboy as fastifyBusboy } from '@fastify/busboy'
import { parseMultipart } from '@mjackson/multipart-parser'
import busboy from 'busboy'
import { formidable } from 'formidable'
import multer from 'multer'
import { Form } from 'multiparty'
import { getBoundary, parse } from 'parse-multipart-data'
import { parseBody, readBytes } from '../../src/emulator/http/read-body.js'
import { nodeParser } from './node-parser.js'
import type { Parser } from './reader.js'
import { digested, type Value } from './value.js'

const most = 256 * 1024 * 1024

/** The parsers that run in Node. */
export const npmParsers: readonly Parser[] = [
  nodeParser({ name: 'emulator', readsForms: true }, readByEmulator),
  nodeParser({ name: 'Node formData', readsForms: true }, readByNode),
  nodeParser({ name: 'busboy', readsForms: true }, request =>
    collected(request, busboy({ headers: request.headers, limits: { fieldSize: most } })),
  ),
  nodeParser({ name: '@fastify/busboy', readsForms: true }, request =>
    collected(
      request,
      fastifyBusboy({ headers: request.headers as BusboyHeaders, limits: { fieldSize: most } }),
    ),
  ),
  nodeParser({ name: 'multer', readsForms: false }, readByMulter),
  nodeParser({ name: 'formidable', readsForms: true }, readByFormidable),
  nodeParser({ name: 'multiparty', readsForms: false }, readByMultiparty),
  nodeParser({ name: 'parse-multipart-data', readsForms: false }, readByParseMultipart),
  nodeParser({ name: '@mjackson/multipart-parser', readsForms: false }, readByMultipartParser),
]

function typeOf({ headers }: IncomingMessage): string {
  return headers['content-type'] ?? ''
}

async function readByEmulator(request: IncomingMessage): Promise<readonly Value[]> {
  const body = await parseBody(typeOf(request), await readBytes(request))
  if (body.encoding === 'unreadable') throw new Error(body.problem)
  return body.parts.map(part => digested(part.name, part.kind, part.kind === 'text' ? part.text : part.bytes))
}

async function readByNode(request: IncomingMessage): Promise<readonly Value[]> {
  const response = new Response(await buffer(request), { headers: { 'content-type': typeOf(request) } })
  const found: Value[] = []
  for (const [name, value] of await response.formData())
    found.push(
      typeof value === 'string'
        ? digested(name, 'text', value)
        : digested(name, 'file', Buffer.from(await value.arrayBuffer())),
    )
  return found
}

function collected(request: IncomingMessage, parser: NodeJS.WritableStream): Promise<readonly Value[]> {
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

async function readByMulter(request: IncomingMessage): Promise<readonly Value[]> {
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

async function readByFormidable(request: IncomingMessage, uploadDir: string): Promise<readonly Value[]> {
  const options = { allowEmptyFiles: true, minFileSize: 0, maxFieldsSize: most, uploadDir }
  const [fields, files] = await formidable(options).parse(request)
  return [...texts(fields), ...(await uploads(files, ({ filepath }) => filepath))]
}

async function readByMultiparty(request: IncomingMessage, uploadDir: string): Promise<readonly Value[]> {
  const [fields, files] = await new Promise<Parameters<typeof read>>((resolve, reject) => {
    new Form({ maxFieldsSize: most, uploadDir }).parse(request, (error, ...found) =>
      error === null ? resolve(found) : reject(error),
    )
  })
  return read(fields, files)

  async function read(
    ofTexts: Parameters<typeof texts>[0],
    ofFiles: Readonly<Record<string, readonly { readonly path: string }[]>>,
  ): Promise<readonly Value[]> {
    return [...texts(ofTexts), ...(await uploads(ofFiles, ({ path }) => path))]
  }
}

async function readByParseMultipart(request: IncomingMessage): Promise<readonly Value[]> {
  return parse(await buffer(request), getBoundary(typeOf(request))).map(({ name = '', filename, data }) =>
    digested(name, filename === undefined ? 'text' : 'file', data),
  )
}

async function readByMultipartParser(request: IncomingMessage): Promise<readonly Value[]> {
  const [, boundary = ''] = /boundary=(.*)$/.exec(typeOf(request)) ?? []
  const parts = [...parseMultipart(await buffer(request), { boundary, maxFileSize: most })]
  return parts.map(({ name = '', filename, bytes }) =>
    digested(name, filename === undefined ? 'text' : 'file', bytes),
  )
}

function texts(fields: Readonly<Record<string, readonly string[]>>): readonly Value[] {
  return Object.entries(fields).flatMap(([name, all]) => all.map(text => digested(name, 'text', text)))
}

/** The contents of files that a parser wrote, which are removed. */
async function uploads<T>(
  files: Readonly<Record<string, readonly T[]>>,
  pathOf: (file: T) => string,
): Promise<readonly Value[]> {
  const found: Value[] = []
  for (const [name, all] of Object.entries(files))
    for (const file of all) {
      found.push(digested(name, 'file', await readFile(pathOf(file))))
      await rm(pathOf(file))
    }
  return found
}
