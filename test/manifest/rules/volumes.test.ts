import { smallestSizes } from '../../../src/contract/field-notes.js'
import { volumeComponents } from '../../../src/contract/volumes.js'
import { type Changes, diagnosticsOf } from '../../support/changed-manifest.js'
import { aProvider, aVolume } from '../../support/manifest-value.js'
import { rule } from '../../support/rule-table.js'

const queue = '/spec/volumes/QUEUE'
const size = (text: string): Changes => ({ [`${queue}/size`]: text })
const noQuantity = [`volume/size ${queue}/size`]
rule('sizes are quantities', [
  ...['16Gi', '16384Mi', '1.5Ti', '500G', '0.000001E', '17179870k', '0100Gi'].map(
    text => [text, size(text), []] as const,
  ),
  ...[
    '',
    '16',
    '0',
    '0Gi',
    '0.0Gi',
    '0GB',
    '16gi',
    '16GB',
    '16 Gi',
    '16m',
    '16e',
    '16E3',
    '-16Gi',
    '16,5Gi',
  ].map(text => [JSON.stringify(text), size(text), noQuantity] as const),
  ['more digits than any size has', size('1234567890123456Gi'), noQuantity],
  ['more text than any size has', size(`${'1'.repeat(40)}Gi`), [`manifest/malformed-value ${queue}/size`]],
  ['a number, which the schema rejects', { [`${queue}/size`]: 16 }, [`manifest/wrong-type ${queue}/size`]],
])

describe('a size', () => {
  test.each([
    ['16gi', '16Gi'],
    ['16GI', '16Gi'],
    ['16gI', '16Gi'],
    ['16GB', '16G'],
    ['16GiB', '16Gi'],
    ['16 Gi', '16Gi'],
    [' 16Gi ', '16Gi'],
    ['1.5 gib', '1.5Gi'],
    ['1000mb', '1000M'],
    ['2K', '2k'],
  ])('%j becomes %s', (written, by) => {
    const [diagnostic] = diagnosticsOf(size(written))
    expect(diagnostic?.fix).toEqual({ kind: 'replace', by })
    expect(diagnostic?.help).toBe(`write ${by}`)
  })

  test.each([
    ['16', 'write 16Gi for gibibytes'],
    ['1.5', 'write 1.5Gi for gibibytes'],
    ['0', 'write the size that the volume needs, such as 16Gi'],
    ['16m', 'write a number with one of the units Ki, Mi'],
    ['16e', 'write a number with one of the units Ki, Mi'],
    ['16 gigs', 'write a number with one of the units Ki, Mi'],
  ])('%j has no single fix, but help', (written, help) => {
    const [diagnostic] = diagnosticsOf(size(written))
    expect(diagnostic?.fix).toBeUndefined()
    expect(diagnostic?.help).toContain(help)
  })
})

const storageClass = (name: string): Changes => ({ [`${queue}/storageClass`]: name })
rule('storage classes are names', [
  ...['gp3', 'auto-ebs-sc', 'a.b', '0', 'a'.repeat(253)].map(name => [name, storageClass(name), []] as const),
  ...['Fast', 'fast_ssd', 'fast-', 'fast ssd', 'a..b'].map(
    name => [name, storageClass(name), [`volume/storage-class ${queue}/storageClass`]] as const,
  ),
  ['none', storageClass(''), [`manifest/malformed-value ${queue}/storageClass`]],
  ['too long', storageClass('A'.repeat(254)), [`manifest/malformed-value ${queue}/storageClass`]],
])

const labels = (value: Changes[`/${string}`]): Changes => ({ [`${queue}/labels`]: value })
const unlabelled = [`volume/labels-missing ${queue}/labels`]
rule('volumes carry their labels', [
  ['plain keys', labels({ tier: 'queue', app: 'rabbitmq' }), []],
  ['keys with a prefix', labels({ 'example.org/tier': 'queue', 'arcgis/app': '' }), []],
  ['one of two', labels({ 'arcgis/app': 'rabbitmq' }), unlabelled],
  ['others', labels({ frontier: 'queue', 'app/name': 'rabbitmq' }), unlabelled],
  ['an empty map', labels({}), unlabelled],
  ['not a map, which the schema rejects', labels('tier'), [`manifest/wrong-type ${queue}/labels`]],
  ['none', labels(undefined), [`volume/labels-missing ${queue}`]],
  [
    'a key that contains one of them',
    labels({ 'tier=queue': '', app: 'a' }),
    [`kubernetes/label-key ${queue}/labels/tier=queue`],
  ],
  ['misspelt', { ...labels(undefined), [`${queue}/lables`]: {} }, [`manifest/unknown-field ${queue}/lables`]],
])

const sized = (component: string, text: string): Changes => ({ [`/spec/volumes/${component}/size`]: text })
/** Gives both relational volumes the same value. */
const both = (text: string): Changes => ({
  ...sized('RELATIONAL_PRIMARY', text),
  ...sized('RELATIONAL_SECONDARY', text),
})
rule('sizes are not small', [
  ...volumeComponents
    .filter(name => !name.startsWith('RELATIONAL'))
    .flatMap(name => [
      [`${name} at its smallest`, sized(name, smallestSizes[name]), []] as const,
      [`${name} below it`, sized(name, '15.9Gi'), [`volume/size-small /spec/volumes/${name}/size`]] as const,
    ]),
  ['the relational volumes at their minimum', both('16Gi'), []],
  [
    'the relational volumes below their minimum',
    both('15Gi'),
    [
      'volume/size-small /spec/volumes/RELATIONAL_PRIMARY/size',
      'volume/size-small /spec/volumes/RELATIONAL_SECONDARY/size',
    ],
  ],
  ['gigabytes, which are less', sized('QUEUE', '16G'), [`volume/size-small ${queue}/size`]],
  ['the same in mebibytes', sized('QUEUE', '16384Mi'), []],
])

const cloud: Changes = { '/spec/cloudStorage': [aProvider('IAM-ROLE')] }
const blob = '/spec/volumes/BLOB/size'
rule('an ignored volume is small', [
  ['large without cloud storage', { [blob]: '64Gi' }, []],
  ['large with an empty list of it', { [blob]: '64Gi', '/spec/cloudStorage': [] }, []],
  ['small with cloud storage', { ...cloud, [blob]: '32768Mi' }, []],
  ['large with cloud storage', { ...cloud, [blob]: '64Gi' }, [`volume/size-unused ${blob}`]],
  ['too small with cloud storage', { ...cloud, [blob]: '31Gi' }, [`volume/size-small ${blob}`]],
])

const relational = (primary: string, secondary: string): Changes => ({
  ...sized('RELATIONAL_PRIMARY', primary),
  ...sized('RELATIONAL_SECONDARY', secondary),
})
const differs = ['volume/relational-sizes-differ /spec/volumes/RELATIONAL_SECONDARY/size']
rule('relational sizes agree', [
  ['equal', relational('64Gi', '64Gi'), []],
  ['equal in other units', relational('64Gi', '65536Mi'), []],
  ['a larger primary', relational('64Gi', '32Gi'), differs],
  ['a larger secondary', relational('32Gi', '32.1Gi'), differs],
  ['one too small', relational('32Gi', '8Gi'), ['volume/size-small /spec/volumes/RELATIONAL_SECONDARY/size']],
  [
    'one that is not a quantity',
    relational('32Gi', '16gi'),
    ['volume/size /spec/volumes/RELATIONAL_SECONDARY/size'],
  ],
])

const provisioning = (type: Changes[`/${string}`]): Changes => ({
  [queue]: { ...aVolume(), provisioningType: type ?? null },
})
const undocumented = [`volume/provisioning-type ${queue}/provisioningType`]
rule('provisioning is documented', [
  ['the documented type', provisioning('DYNAMIC'), []],
  ['the reported type', provisioning('STATIC'), [`volume/static ${queue}/provisioningType`]],
  ['another spelling', provisioning('dynamic'), undocumented],
  ['another', provisioning('MANUAL'), undocumented],
  ['none', provisioning(''), [`manifest/malformed-value ${queue}/provisioningType`]],
  ['not text', provisioning(7), [`manifest/wrong-type ${queue}/provisioningType`]],
])

const { storageClass: _, ...withoutClass } = aVolume()
const type = (provisioningType: string): Changes => ({ [queue]: { ...withoutClass, provisioningType } })
rule('provisioning is documented: a storage class', [
  ['none, by default', { [queue]: withoutClass }, [`manifest/missing-field ${queue}`]],
  ['none, with the documented type', type('DYNAMIC'), [`manifest/missing-field ${queue}`]],
  ['none, because the volume exists already', type('STATIC'), [`volume/static ${queue}/provisioningType`]],
  [
    'none, in another spelling',
    type('Static'),
    [`manifest/missing-field ${queue}`, `volume/provisioning-type ${queue}/provisioningType`],
  ],
])

test.each([
  ['dynamic', 'DYNAMIC'],
  ['Static', 'STATIC'],
])('only the capitals of a provisioning type have an unambiguous fix: %s', (written, by) => {
  expect(diagnosticsOf(provisioning(written))[0]?.fix).toEqual({ kind: 'replace', by })
  expect(diagnosticsOf(provisioning(by))[0]?.fix).toBeUndefined()
})
