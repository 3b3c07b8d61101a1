import { accepts, expectErrorBody, holds, refuses } from './cases.js'
import { isInaccessible } from './export-site.js'
import { configure, deleteAll, exportSite, operations, ready, update } from './requests.js'
import type { Case, Section } from './sentence.js'

const tokens = [
  ['deleteAll', deleteAll],
  ['update', update],
] as const

export const authentication: Section = {
  section: '5',
  title: 'authentication',
  sentences: [
    {
      says: 'only the default administrator role may export',
      notShown: 'how the service knows who asks is not in the document, and the emulator has no roles',
    },
    {
      says: 'deleteAll and update accept a token in the body',
      shown: tokens.flatMap(([name, request]): Case[] => {
        const { path } = request()
        const given = { ...ready, token: 'right' }
        const elsewhere = request({ token: undefined })
        return [
          [`${name} takes the right one`, accepts(request({ token: 'right' }), given)],
          [`${name} takes a long one`, accepts(request({ token: 'x'.repeat(10_000) }), ready)],
          [
            `${name} takes one with signs of the encoding`,
            accepts(request({ token: 'a+b/c=&%"' }), { ...ready, token: 'a+b/c=&%"' }),
          ],
          [`${name} refuses a wrong one`, refuses(request({ token: 'wrong' }), given)],
          [`${name} refuses one in other capitals`, refuses(request({ token: 'RIGHT' }), given)],
          [`${name} refuses none`, refuses(request({ token: undefined }), given)],
          [
            `${name} refuses it in the address`,
            refuses({ ...elsewhere, changed: [], path: `${path}?token=right` }, given),
          ],
          [
            `${name} refuses it in a header`,
            refuses({ ...elsewhere, headers: { authorization: 'Bearer right' } }, given),
          ],
          [
            `${name} does not repeat it`,
            holds(given, async ({ ask }) => {
              const answer = await ask(request({ token: 'canary-token' }))
              expectErrorBody(answer)
              expect(answer.text).not.toContain('canary-token')
            }),
          ],
        ]
      }),
    },
    {
      says: 'how a token is obtained, and how long it lives',
      notShown: 'the document does not tell; any text is one unless one was chosen',
    },
    {
      says: 'the roles that the other three require',
      shown: [['configure requires no token', accepts(configure())]],
      notShown: 'the document does not tell, and the emulator has no roles',
    },
  ],
}

export const events: Section = {
  section: '6',
  title: 'events',
  sentences: [{ says: 'the events of the service', notShown: 'the document does not have them' }],
}

export const errorRules: Section = {
  section: '7',
  title: 'errors',
  sentences: [
    {
      says: 'a validation of an inaccessible location responds with the error body and 500',
      shown: [
        ['at 11.1', isInaccessible(exportSite({ validate: 'true' }), '/backups')],
        ['in the requested format', isInaccessible(exportSite({ validate: 'true', f: 'pjson' }), '/backups')],
      ],
    },
    {
      says: 'other error responses, and other codes',
      shown: operations.map(
        ([name, request, given]): Case => [
          `${name} has the same shape, and another code than 500`,
          holds(given, async ({ ask }) => {
            const answer = await ask(request({ colour: 'red' }))
            expectErrorBody(answer)
            expect(answer.body).not.toHaveProperty('error.code', 500)
          }),
        ],
      ),
      notShown: 'the document does not tell: the codes of the emulator are its own',
    },
  ],
}

const withParameter = 'shown with the parameter, in section 4.3'

export const limits: Section = {
  section: '8',
  title: 'limits',
  sentences: [
    { says: 'a user name has six characters', notShown: withParameter },
    { says: 'a password has eight characters, with a letter and a digit', notShown: withParameter },
    { says: 'there are eight volumes', notShown: 'shown with the volumes, in section 2.4' },
    { says: 'configure takes a long time', notShown: 'shown with configure, in section 4.3' },
    {
      says: 'limits for rate, size and time',
      notShown: 'the document does not tell: the emulator has none but the memory of the machine',
    },
  ],
}
