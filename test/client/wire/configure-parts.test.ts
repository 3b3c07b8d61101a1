import type { Organization } from '../../../src/manifest/manifest.js'
import { listLeaves } from '../../../src/plan/compare/differences.js'
import { listFieldPointers } from '../../../src/schema/field-schema.js'
import type { JsonValue } from '../../../src/schema/json-schema.js'
import { findParameterPaths } from '../../../src/schema/parameter-paths.js'
import { isBelow, type JsonPointer } from '../../../src/schema/pointer.js'
import { everyField, everyParameter, withOther } from '../../support/every-field.js'
import { wireTexts } from '../../support/wire-meaning.js'

const names: readonly string[] = Object.values(everyParameter.configure).map(([name]) => name)
const sent = wireTexts(everyField)

describe('the body of `configure`', () => {
  test('has every parameter in the order of the document, then the extra ones and the format', () => {
    const license = names.indexOf('licenseFile') + 1
    expect([...sent.keys()]).toEqual([
      ...names.slice(0, license),
      'serverLicenseFile',
      ...names.slice(license),
      'newThing',
      'anAvailability',
      'aPerformance',
      'f',
    ])
  })

  const inRows = listLeaves(everyField as unknown as JsonValue, '/spec')
    .map(({ pointer }) => pointer)
    .filter(pointer => !isBelow(pointer, '/spec/deploymentProfiles'))
  test.each(inRows)('changes with %s only in one part', pointer => {
    const changed = wireTexts(edited(pointer))
    const different = [...sent.keys()].filter(part => sent.get(part) !== changed.get(part))
    expect(different).toEqual([findParameterPaths(pointer)[0]?.parameter])
  })

  test('has each profile with the parameter name from the manifest', () => {
    expect(sent.get('anAvailability')).toBe('text  {"name":"standard"}')
    expect(sent.get('aPerformance')).toBe('text  {"name":"enhanced"}')
  })

  test('has a part for every field of a manifest except those of the site, its state and extra parameters', () => {
    const others: readonly JsonPointer[] = [
      '/spec/site',
      '/spec/state',
      '/spec/extra',
      '/spec/deploymentProfiles',
    ]
    const fields = listFieldPointers('/spec').filter(field => !others.some(other => isBelow(field, other)))
    expect(fields.length).toBeGreaterThan(40)
    expect(fields.filter(field => findParameterPaths(field).length === 0)).toEqual([])
  })
})

function edited(pointer: JsonPointer): Organization {
  const spec = { spec: everyField } as unknown as JsonValue
  return (withOther(spec, pointer) as unknown as { spec: Organization }).spec
}
