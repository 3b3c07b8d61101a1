import { accepts, answers, expectErrorBody, format, holds, isAbsent, parameter, refuses } from './cases.js'
import { deleteAll } from './requests.js'
import type { Case, Section } from './sentence.js'

const done = { status: 'success' }
const webhooks = { 'Roads.GPServer': 3, 'Parks.FeatureServer': 2, 'Empty.GPServer': 0 }

export const deleting: Section = {
  section: '4.2',
  title: 'deleteAll',
  sentences: [
    {
      says: 'POST {base_url}/services/<name>.<type>/webhooks/deleteAll, from 11.1',
      shown: [
        ['at 11.0 it is absent', isAbsent(deleteAll(), { version: '11.0' })],
        ['at 11.1 it exists', answers(deleteAll(), done, { version: '11.1' })],
        [
          'without a service it is absent',
          isAbsent({ ...deleteAll(), path: '/services/webhooks/deleteAll' }, {}),
        ],
        ['with an empty service it is absent', isAbsent(deleteAll({}, ''), {})],
        [
          'another operation there is absent',
          isAbsent({ ...deleteAll(), path: '/services/Roads.GPServer/webhooks/deactivateAll' }, {}),
        ],
      ],
    },
    {
      says: 'the first part of the path is the name of the service',
      shown: [
        ...['Roads', 'My%20Roads', 'a.b', '%E5%9C%B0%E5%9B%BE', '%7B%7D'].map(
          (name): Case => [name, accepts(deleteAll({}, `${name}.GPServer`))],
        ),
        ['a missing name is rejected', refuses(deleteAll({}, '.GPServer'))],
        ['a name that does not exist is rejected', refuses(deleteAll({}, 'Lakes.GPServer'), { webhooks })],
        [
          'a name with another type does not exist',
          refuses(deleteAll({}, 'Roads.FeatureServer'), { webhooks }),
        ],
        ['a broken escape is absent', isAbsent(deleteAll({}, '%zz.GPServer'), {})],
      ],
    },
    {
      says: 'the second is its type: GPServer or FeatureServer',
      shown: [
        ...['GPServer', 'FeatureServer'].map((type): Case => [type, accepts(deleteAll({}, `Roads.${type}`))]),
        ...['Roads', 'Roads.', 'Roads.MapServer', 'Roads.gpserver'].map(
          (service): Case => [`${service} is rejected`, refuses(deleteAll({}, service))],
        ),
      ],
      notShown: 'whether the two kinds have other types: the document has them as examples',
    },
    {
      says: 'f is the format of the response',
      shown: [
        ...format(deleteAll),
        ['an unknown parameter is rejected', refuses(deleteAll({ colour: 'red' }))],
        ['a parameter of another operation is unknown', refuses(deleteAll({ location: '/backups' }))],
      ],
    },
    {
      says: 'token is an access token in the body',
      shown: parameter({ name: 'token', good: 'a-token', required: false, request: deleteAll }),
    },
    {
      says: 'all webhooks of the service are deleted permanently',
      shown: [
        [
          'only those of this service',
          holds({ webhooks }, async service => {
            expect((await service.ask(deleteAll())).body).toEqual(done)
            expect(service.webhooksOf('Roads.GPServer')).toBe(0)
            expect(service.webhooksOf('Parks.FeatureServer')).toBe(2)
          }),
        ],
        [
          'a rejected request deletes none',
          holds({ webhooks, token: 'right' }, async service => {
            expectErrorBody(await service.ask(deleteAll()))
            expect(service.webhooksOf('Roads.GPServer')).toBe(3)
          }),
        ],
      ],
    },
    {
      says: 'the response is success',
      shown: [
        ['with webhooks', answers(deleteAll(), done, { webhooks })],
        ['without', answers(deleteAll({}, 'Empty.GPServer'), done, { webhooks })],
        [
          'a second time',
          holds({ webhooks }, async ({ ask }) => {
            await ask(deleteAll())
            expect((await ask(deleteAll())).body).toEqual(done)
          }),
        ],
      ],
    },
  ],
}
