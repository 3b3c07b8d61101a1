import type { MultipartPart } from '../../../src/client/wire/multipart.js'
import { multipartOf, type SentBody } from './bodies.js'
import { digested } from './value.js'

const boundary = `----${'fedcba9876543210'.repeat(3)}`

function partsWith(text: string): readonly MultipartPart[] {
  return [
    { kind: 'text', name: 'description', value: Buffer.from(text) },
    { kind: 'file', name: 'licenseFile', fileName: 'license.lic', value: Buffer.from('a license') },
  ]
}

const meant = partsWith('one\ntwo\rthree').map(({ name, kind, value }) => digested(name, kind, value))
const whole = multipartOf(partsWith('one\ntwo\rthree'), boundary)

/** Bodies in which not everything is as it was meant: a parser that finds nothing wrong with them has not been asked. */
export const alteredBodies: readonly SentBody[] = [
  {
    description: 'line ends as FormData makes them',
    body: multipartOf(partsWith('one\r\ntwo\r\nthree'), boundary),
    values: meant,
  },
  {
    description: 'another boundary than is said',
    body: { ...whole, contentType: whole.contentType.replace('fedcba', 'abcdef') },
    values: meant,
  },
]
