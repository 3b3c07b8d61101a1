import type { FieldChange } from '../../src/plan/plan.js'
import { buildFieldRows, splitVolumes } from '../../src/report/field-rows.js'
import { formatFieldTable, formatVolumeTable } from '../../src/report/plan-text.js'
import { plain } from '../../src/report/terminal.js'

const policy = '/spec/upgrade/podPlacementPolicy'
const written: FieldChange = {
  pointer: `${policy}/tolerations/0/key`,
  parameter: 'upgradeConfig',
  after: 'dedicated',
  file: 'site.yaml',
  line: 19,
}
const unwritten: FieldChange = {
  pointer: `${policy}/nodeAffinity`,
  parameter: 'upgradeConfig',
  after: {},
  file: 'base.yaml',
  line: 17,
  default: true,
}

test('a value that nobody wrote has no line and no file', () => {
  expect(formatFieldTable(buildFieldRows([unwritten, written]), plain)).toEqual([
    '      + nodeAffinity        {}  (default)',
    '      in site.yaml:',
    '   19 + tolerations[0].key  dedicated',
  ])
})

test('nor does it let the file of the lines around it be named twice', () => {
  const other: FieldChange = { ...written, pointer: `${policy}/tolerations/1/key`, line: 20 }
  expect(formatFieldTable(buildFieldRows([written, unwritten, other]), plain)).toEqual([
    '      in site.yaml:',
    '   19 + tolerations[0].key  dedicated',
    '      + nodeAffinity        {}  (default)',
    '   20 + tolerations[1].key  dedicated',
  ])
})

test('a long storage class does not move the labels of all volumes', () => {
  const volume = (component: string, storageClass: string, line: number): readonly FieldChange[] =>
    Object.entries({ size: '16Gi', storageClass, labels: { tier: 'storage' } }).map(([name, after]) => ({
      pointer: `/spec/volumes/${component}/${name}`,
      parameter: 'volumesConfig',
      after,
      file: 'site.yaml',
      line,
    }))
  const long = 'premium-zone-redundant-encrypted-retained'
  const { volumes } = splitVolumes([...volume('BLOB', 'gp3', 7), ...volume('QUEUE', long, 8)])
  expect(formatVolumeTable(volumes, [], plain)).toEqual([
    '        volumes  size  class  labels',
    '      in site.yaml:',
    '    7 + BLOB     16Gi  gp3    tier=storage',
    `    8 + QUEUE    16Gi  ${long}  tier=storage`,
  ])
})
