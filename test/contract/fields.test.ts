import { type FieldRow, isQuirk, quirks } from '../../src/contract/field-row.js'
import { type FieldPointer, fields, findField } from '../../src/contract/fields.js'

const facts = {
  name: 'timeZone',
  pointer: '/spec/timeZone',
  meaning: 'Time zone of the organization.',
  required: 'no',
  later: { immutable: 'the time zone of the organization', changedBy: [] },
} as const
const text = { kind: 'text', example: 'Europe/Zurich' } as const

describe('a row of a field', () => {
  test('compiles with an encoding that fits its shape, and with no other', () => {
    const rows: readonly FieldRow[] = [
      { ...facts, shape: text, sent: 'text' },
      { ...facts, shape: text, sent: { member: 'name' } },
      { ...facts, shape: { kind: 'secret', example: 'x' }, sent: 'secret' },
      { ...facts, shape: text, sent: 'text', source: 'reported', origin: 'guides' },
      // @ts-expect-error: it would never be sent
      { ...facts, shape: text },
      // @ts-expect-error: a secret would travel as what its reference says
      { ...facts, shape: { kind: 'secret', example: 'x' }, sent: 'text' },
      // @ts-expect-error: a list has no plain encoding
      { ...facts, shape: { kind: 'list', of: 'DataStore', mergeBy: ['clientPath'] }, sent: 'text' },
      // @ts-expect-error: no encoder is known by this name
      { ...facts, shape: { kind: 'defined', definition: 'Volumes' }, sent: 'volume' },
      // @ts-expect-error: nobody says where it comes from
      { ...facts, shape: text, sent: 'text', source: 'reported' },
    ]
    expect(rows).toHaveLength(9)
  })

  test('with a secret or a file makes its parameter secret', () => {
    const kept = fields.filter(({ parameter }) => parameter.secret === true).map(({ name }) => name)
    expect(kept).toEqual(['password', 'securityQuestionAns', 'licenseFile', 'serverLicenseFile', 'token'])
  })

  test('is the only one with its quirk', () => {
    const used = fields.flatMap(({ sent }) => (isQuirk(sent) ? [sent] : []))
    expect(used.toSorted()).toEqual(Object.keys(quirks).toSorted())
  })

  test('is not found if there is none', () => {
    expect(() => findField('/spec/site' as FieldPointer)).toThrow('no field at /spec/site')
  })
})
