import { describe, expect, test } from '@jest/globals'
import { volumeComponents } from '../../src/contract/volumes.js'
import { didYouMean } from '../../src/manifest/did-you-mean.js'

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
  ])('%j among %j gives %j', (written, candidates, expected) => {
    expect(didYouMean(written, candidates)).toBe(expected)
  })
})
