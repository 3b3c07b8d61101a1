import { findParameter, operations, webhookServiceTypes } from '../../src/contract/operations.js'
import {
  connectionStringFields,
  exportVariants,
  type OperationName,
  type Parameter,
  responseFormats,
} from '../../src/contract/parameter.js'
import { compareVersions } from '../../src/contract/versions.js'
import { everyParameter } from '../support/every-field.js'

const operationNames = Object.keys(operations) as OperationName[]

function parametersOf(operation: OperationName): readonly Parameter[] {
  return operations[operation].parameters
}

describe('the operations, §4', () => {
  test.each([
    ['root', 'GET', '', 'none', '10.9', '2.3'],
    ['configure', 'POST', '/configure', 'multipart', '10.9', '4.3'],
    ['update', 'POST', '/system/upgrades/config/update', 'form', '11.2', '4.4'],
    ['exportSite', 'POST', '/exportSite', 'form', '10.4', '4.1'],
    ['deleteAll', 'POST', '/services/{service}/webhooks/deleteAll', 'form', '11.1', '4.2'],
  ] as const)('%s is %s {base_url}%s, its body %s, since %s', (name, method, path, body, since, section) => {
    expect(operations[name]).toMatchObject({ method, path, body, since, section })
  })

  test('are the four in the document and the root resource', () => {
    expect(operationNames).toEqual(['root', 'configure', 'update', 'exportSite', 'deleteAll'])
  })

  test('all accept `f`, a text, with two formats in the examples, §4.0', () => {
    for (const operation of operationNames)
      expect(findParameter(operation, 'f')).toMatchObject({ type: 'string', encoding: 'text' })
    expect(responseFormats).toEqual(['json', 'pjson'])
  })

  test.each(operationNames)('%s describes each of its parameters in a sentence', operation => {
    for (const { meaning } of parametersOf(operation)) expect(meaning).toMatch(/^[A-Z].+\.$/)
  })

  test.each(operationNames)('%s has no parameter twice', operation => {
    const names = parametersOf(operation).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(operationNames)('%s has no parameter that is older than the operation', operation => {
    for (const { since } of parametersOf(operation))
      expect(compareVersions(since, operations[operation].since)).toBeGreaterThanOrEqual(0)
  })

  test('throw for a parameter that they do not have', () => {
    expect(() => findParameter('update', 'password' as 'f')).toThrow('update has no parameter password')
  })
})

describe('`configure`, §4.3', () => {
  const rows = [...Object.values(everyParameter.configure), ['f', 'no', 'string', 'text', '10.9']] as const

  test('has every named parameter of the document, in its order', () => {
    expect(parametersOf('configure').map(({ name }) => name)).toEqual(rows.map(([name]) => name))
  })

  test.each(rows)(
    'has `%s`: required %s, %s, sent as %s, since %s',
    (name, required, type, encoding, since) => {
      const section = '4.3'
      expect(findParameter('configure', name)).toMatchObject({
        name,
        required,
        type,
        encoding,
        since,
        section,
      })
    },
  )

  test('keeps the password, the security answer and the license secret', () => {
    expect(secretsOf('configure')).toEqual(['password', 'securityQuestionAns', 'licenseFile'])
  })
})

describe('`update`, §4.4', () => {
  const { '/spec/upgrade': upgradeConfig, '/spec/site/token': token } = everyParameter.update
  const rows = [upgradeConfig, ['f', 'not-shown', 'string', 'text', '11.2'], token] as const

  test('has three parameters, in the order of the document', () => {
    expect(parametersOf('update').map(({ name }) => name)).toEqual(rows.map(([name]) => name))
  })

  test.each(rows)(
    'has `%s`: required %s, %s, sent as %s, since %s',
    (name, required, type, encoding, since) => {
      const section = '4.4'
      expect(findParameter('update', name)).toMatchObject({ type, encoding, since, section, required })
    },
  )

  test('accepts a token in the body, and keeps it secret, §5', () => {
    expect(secretsOf('update')).toEqual(['token'])
  })
})

describe('`exportSite`, §4.1', () => {
  const all = ['folder', 'bucket', 'container'] as const
  const rows = [
    ['location', 'string', 'text', '10.4', all],
    ['validate', 'boolean text', 'text', '11.1', all],
    ['backupObjectStore', 'string', 'text', '10.4', ['bucket', 'container']],
    ['backupObjectStoreRegion', 'string', 'text', '10.4', ['bucket']],
    ['backupObjectStoreConnectionStr', 'JSON object', 'json', '10.4', ['container']],
    ['f', 'string', 'text', '10.4', all],
  ] as const

  test('has three variants by target store', () => {
    expect(exportVariants).toEqual(all)
  })

  test('has every parameter of the document, in its order', () => {
    expect(parametersOf('exportSite').map(({ name }) => name)).toEqual(rows.map(([name]) => name))
  })

  test.each(rows)('has `%s`: %s, sent as %s, since %s, with %j', (name, type, encoding, since, variants) => {
    const [section, required] = ['4.1', 'not-shown']
    const parameter = { name, type, encoding, since, variants, section, required }
    expect(findParameter('exportSite', name)).toMatchObject(parameter)
  })

  test.each([
    ['folder', ['location', 'validate', 'f']],
    ['bucket', ['location', 'validate', 'backupObjectStore', 'backupObjectStoreRegion', 'f']],
    ['container', ['location', 'validate', 'backupObjectStore', 'backupObjectStoreConnectionStr', 'f']],
  ] as const)('carries in the %s variant %j', (variant, names) => {
    const carried = parametersOf('exportSite').filter(({ variants }) => variants?.includes(variant))
    expect(carried.map(({ name }) => name)).toEqual(names)
  })

  test('connects to a container with an account, its key and its endpoint, kept secret', () => {
    expect(connectionStringFields).toEqual(['accountName', 'accountKey', 'accountEndpoint'])
    expect(secretsOf('exportSite')).toEqual(['backupObjectStoreConnectionStr'])
  })

  test('accepts no token: only the default administrator role may call it, §5', () => {
    expect(parametersOf('exportSite').map(({ name }) => name)).not.toContain('token')
  })
})

describe('`deleteAll`, §4.2', () => {
  test('has two parameters, in the order of the document', () => {
    expect(parametersOf('deleteAll').map(({ name }) => name)).toEqual(['f', 'token'])
  })

  test.each(['f', 'token'] as const)('has `%s`, a text', name => {
    const parameter = { type: 'string', encoding: 'text', since: '11.1', section: '4.2' }
    expect(findParameter('deleteAll', name)).toMatchObject({ ...parameter, required: 'not-shown' })
  })

  test('accepts a token in the body, and keeps it secret, §5', () => {
    expect(secretsOf('deleteAll')).toEqual(['token'])
  })

  test('has the two service types of the examples', () => {
    expect(webhookServiceTypes).toEqual(['GPServer', 'FeatureServer'])
  })
})

function secretsOf(operation: OperationName): readonly string[] {
  return parametersOf(operation)
    .filter(({ secret }) => secret === true)
    .map(({ name }) => name)
}
