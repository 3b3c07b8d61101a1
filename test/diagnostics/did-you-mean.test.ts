import { volumeComponents } from '../../src/contract/volumes.js'
import { findCertainMatch, findInOtherCase, findSimilar } from '../../src/diagnostics/did-you-mean.js'

const fields = ['username', 'password', 'email', 'fullName', 'firstName', 'userType', 'securityQuestion']
const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist']

describe('did you mean', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['usernam', fields, 'username'],
    ['usrename', fields, 'username'],
    ['user_name', fields, 'username'],
    ['USERNAME', fields, 'username'],
    ['full-name', fields, 'fullName'],
    ['fulname', fields, 'fullName'],
    ['emial', fields, 'email'],
    ['pasword', fields, 'password'],
    ['passwort', fields, 'password'],
    ['security', fields, 'securityQuestion'],
    ['user', fields, undefined],
    ['telephone', fields, undefined],
    ['x', fields, undefined],
    ['', fields, undefined],
    ['-', fields, undefined],
    ['relational-primary', volumeComponents, 'RELATIONAL_PRIMARY'],
    ['RelationalSecondary', volumeComponents, 'RELATIONAL_SECONDARY'],
    ['INMEMCACHE', volumeComponents, 'IN_MEM_CACHE'],
    ['REST_METRICS', volumeComponents, 'REST_METRICS_API'],
    ['QUEU', volumeComponents, 'QUEUE'],
    ['RELATIONAL', volumeComponents, undefined],
    ['in', operators, 'In'],
    ['Exist', operators, 'Exists'],
    ['notin', operators, 'NotIn'],
    ['anything', [], undefined],
  ])('%j among %j suggests %j', (written, candidates, expected) => {
    expect(findSimilar(written, candidates)).toBe(expected)
  })
})

describe('a certain suggestion', () => {
  test.each<[string, string, readonly string[], string | undefined]>([
    ['a missing letter', 'usernam', fields, 'username'],
    ['an additional letter', 'emails', fields, 'email'],
    ['another letter', 'passwort', fields, 'password'],
    ['other capitals', 'USERNAME', fields, 'username'],
    ['an underscore', 'full_name', fields, 'fullName'],
    ['hyphens and blanks', 'Full - Name', fields, 'fullName'],
    ['a hyphen for underscores', 'rest-metrics-api', volumeComponents, 'REST_METRICS_API'],
    ['one letter of a name of five', 'QUEU', volumeComponents, 'QUEUE'],
    ['other capitals of a short name', 'in', operators, 'In'],
    ['one letter of a short name', 'siez', ['size'], undefined],
    ['one letter of a name of four', 'sizes', ['size'], undefined],
    ['two letters', 'usrnam', fields, undefined],
    ['two swapped letters', 'emial', fields, undefined],
    ['only the beginning', 'security', fields, undefined],
    ['another digit', 'landform.dev/v2', ['landform.dev/v1'], undefined],
    ['two names that are equally near', 'model-c', ['model-a', 'model-b'], undefined],
    ['two names that differ in case only', 'VALUE', ['value', 'Value'], undefined],
    ['nothing', '', fields, undefined],
    ['nothing to choose from', 'username', [], undefined],
  ])('%s', (_, written, candidates, expected) => {
    expect(findCertainMatch(written, candidates)).toBe(expected)
  })

  test.each([
    ['info', 'INFO'],
    ['Info', 'INFO'],
    ['in-fo', undefined],
    ['infos', undefined],
  ])('among %j, other capitals lead to %j', (written, expected) => {
    expect(findInOtherCase(written, ['SEVERE', 'INFO'])).toBe(expected)
  })
})
