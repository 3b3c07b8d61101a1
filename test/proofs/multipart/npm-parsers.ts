import { type BusboyHeaders, Busboy as fastifyBusboy } from '@fastify/busboy'
import busboy from 'busboy'
import { Response as UndiciResponse } from 'undici'
import { nodeParser } from './node-parser.js'
import {
  collected,
  most,
  readByEmulator,
  readByFormidable,
  readByMulter,
  readByMultipartParser,
  readByMultiparty,
  readByParseMultipart,
  readByPlatform,
} from './node-readings.js'
import type { Parser } from './reader.js'

/** The parsers that run in Node. */
export const npmParsers: readonly Parser[] = [
  nodeParser({ name: 'emulator', readsForms: true }, readByEmulator),
  nodeParser({ name: 'Node formData', readsForms: true }, request => readByPlatform(request, Response)),
  nodeParser({ name: 'undici formData', readsForms: true }, request =>
    readByPlatform(request, UndiciResponse),
  ),
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
