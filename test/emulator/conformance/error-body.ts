import type { Answer } from './ask.js'
import { expectErrorBody, holds } from './cases.js'
import { configure, deleteAll, exportSite, ready, update } from './requests.js'
import type { Case, Section } from './sentence.js'

/** A rejection for each operation; the sections of the parameters have more. */
const rejections = [
  ['exportSite', exportSite({ location: undefined }), {}],
  ['exportSite that cannot be written', exportSite(), { unwritableLocations: ['/backups'] }],
  ['deleteAll', deleteAll({ token: '' }), {}],
  ['configure', configure({ email: undefined }), {}],
  ['update', update({ upgradeConfig: undefined }), ready],
  ['the root resource', { path: '?colour=red', method: 'GET' }, {}],
  ['an unknown path', { path: '/nowhere', form: {} }, {}],
  ['a wrong method', { path: '/configure', method: 'GET' }, {}],
] as const

const errorBody = (
  look: (error: Readonly<Record<string, unknown>>, answer: Answer) => void,
): readonly Case[] =>
  rejections.map(([name, request, given]) => [
    `of ${name}`,
    holds(given, async ({ ask }) => {
      const answer = await ask(request)
      expectErrorBody(answer)
      look((answer.body as { error: Readonly<Record<string, unknown>> }).error, answer)
    }),
  ])

export const errors: Section = {
  section: '2.2',
  title: 'error body',
  sentences: [
    {
      says: 'error.code is an integer',
      shown: errorBody(({ code }) => expect(String(code)).toMatch(/^[1-9]\d{2}$/)),
    },
    {
      says: 'error.message is a string',
      shown: errorBody(({ message }) => expect(message).toMatch(/^[A-Za-z].*\.$/)),
    },
    {
      says: 'error.details is null when there are none',
      shown: errorBody((error, { body }) => {
        expect(error).toHaveProperty('details', null)
        expect(Object.keys(error).toSorted()).toEqual(['code', 'details', 'message'])
        expect(Object.keys(body as object)).toEqual(['error'])
      }),
      notShown: 'what a detail looks like',
    },
  ],
}
