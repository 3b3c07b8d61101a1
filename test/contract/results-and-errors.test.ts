import {
  errorFields,
  exportFileEnding,
  exportResultFields,
  inaccessibleLocationCode,
  results,
} from '../../src/contract/responses.js'
import { checkResponse } from '../../src/schema/check.js'

const success = { status: 'success' }
const exported = { status: 'success', location: '/backup/20260304-050607.portalsite' }
const warned = { ...exported, status: 'success with warning', messages: ['2 items are missing'] }
const refused = { error: { code: 500, message: 'cannot be written', details: null } }

describe('the export result, §2.1', () => {
  test('has three fields, in the order of the document', () => {
    expect(Object.keys(exportResultFields)).toEqual(['status', 'location', 'messages'])
  })

  test('is a success or a success with warning', () => {
    expect(results).toEqual({ success: 'success', warning: 'success with warning' })
  })

  test('names a file that ends in .portalsite', () => {
    expect(exportFileEnding).toBe('.portalsite')
  })

  test.each([
    ['exported', exported],
    ['exported with items missing', warned],
    ['only validated, so there is no location', success],
  ])('fits its schema when the site was %s', (_, body) => {
    expect(checkResponse('exportResult', body)).toEqual([])
  })

  test.each([
    ['without a status', { location: exported.location }, 'required'],
    ['with another status', { status: 'failure' }, 'enum'],
    ['with a location that is not text', { ...exported, location: 5 }, 'type'],
    ['with messages that are not a list', { ...warned, messages: 'missing' }, 'type'],
    ['with a message that is not text', { ...warned, messages: [5] }, 'type'],
  ])('does not fit its schema %s', (_, body, keyword) => {
    expect(checkResponse('exportResult', body)).toMatchObject([{ keyword }])
  })
})

describe('the error body, §2.2 and §7', () => {
  test('has three fields below `error`, in the order of the document', () => {
    expect(Object.keys(errorFields)).toEqual(['code', 'message', 'details'])
  })

  test('has the code 500 when the location cannot be written', () => {
    expect(inaccessibleLocationCode).toBe(500)
  })

  test.each([
    ['no details', refused],
    ['a list of details', { error: { ...refused.error, details: ['disk full'] } }],
    ['a text as details', { error: { ...refused.error, details: 'disk full' } }],
  ])('fits its schema with %s', (_, body) => {
    expect(checkResponse('error', body)).toEqual([])
  })

  test.each([
    ['without an error', {}, 'required'],
    ['without a code', { error: { message: 'no' } }, 'required'],
    ['without a message', { error: { code: 500 } }, 'required'],
    ['with a code as text', { error: { ...refused.error, code: '500' } }, 'type'],
    ['with a code that is not an integer', { error: { ...refused.error, code: 500.5 } }, 'type'],
    ['with a message that is not text', { error: { ...refused.error, message: null } }, 'type'],
  ])('does not fit its schema %s', (_, body, keyword) => {
    expect(checkResponse('error', body)).toMatchObject([{ keyword }])
  })
})

describe('the response of `deleteAll` and of `update`, §4.2 and §4.4', () => {
  test('is always a success', () => {
    expect(checkResponse('done', success)).toEqual([])
    expect(checkResponse('done', { status: 'success with warning' })).toMatchObject([{ keyword: 'const' }])
    expect(checkResponse('done', {})).toMatchObject([{ keyword: 'required' }])
    expect(checkResponse('done', refused)).toMatchObject([{ keyword: 'required' }])
  })
})
