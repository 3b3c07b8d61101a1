import {
  ignoredBesideCloudStorage,
  preparedProvisioningType,
  relationalComponents,
  smallestSizes,
} from '../../contract/field-notes.js'
import { limits } from '../../contract/field-row.js'
import {
  compareQuantities,
  hasForm,
  labelKeyForm,
  parseQuantity,
  quantityCharacters,
  storageUnits,
  subdomainForm,
  zeroForm,
} from '../../contract/kubernetes.js'
import {
  documentedProvisioningType,
  volumeComponents,
  volumeFields,
  volumeLabels,
} from '../../contract/volumes.js'
import { longestSentText } from '../../schema/fields.js'
import { isObject } from '../../schema/json-schema.js'
import { appendSegment } from '../../schema/pointer.js'
import { places, select, type ValueIndex } from '../../schema/select.js'
import { findMisspelledFields, hasOtherShape } from '../did-you-mean.js'
import { formatAll, quote } from '../words.js'
import { defineRule } from './rule.js'

const sizes = `${places.volumes}/size`
const provisioningTypes = `${places.volumes}/provisioningType`
const knownTypes: readonly string[] = [documentedProvisioningType, preparedProvisioningType]

/** Volumes. */
export const volumeEntries = {
  'volume/missing-component': defineRule({
    severity: 'error',
    marks: 'key',
    source: 'Service §2.4, §8',
    title: 'A volume is missing',
    *check({ index }) {
      for (const { pointer, value: volumes } of select(index, '/spec/volumes')) {
        if (!isObject(volumes) || hasOtherShape(volumes, volumeComponents)) continue
        // A misspelled component is reported as an unknown field.
        const meant = [...Object.keys(volumes), ...findMisspelledFields(volumes, volumeComponents)]
        const missing: readonly string[] = volumeComponents.filter(name => !meant.includes(name))
        if (missing.length > 0) yield [pointer, { missing }]
      }
    },
    message: ({ missing }) =>
      `no volume for ${formatAll(missing)}; each of the ${limits.volumes} components needs one`,
    help: ({ missing }) => `add ${missing[0]}: { size: …, storageClass: … }`,
  }),
  'volume/size': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §2.4, Kubernetes',
    title: 'Invalid storage quantity',
    *check({ index }) {
      for (const at of select(index, sizes)) {
        const size = at.value
        // The schema reports longer text.
        if (typeof size !== 'string' || size.length > quantityCharacters) continue
        const found = findSizeFault(size)
        if (found !== undefined) yield [at.pointer, { size, ...found }]
      }
    },
    message: ({ size, fault }) => `${quote(size)} ${sizeFaults[fault].message}`,
    help: ({ fault, instead }) => sizeFaults[fault].help(instead),
    fix: ({ fault, instead }) => (fault === 'spelling' ? { kind: 'replace', by: instead } : undefined),
  }),
  'volume/storage-class': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Invalid storage class name',
    *check({ index }) {
      for (const at of select(index, `${places.volumes}/storageClass`)) {
        const name = at.value
        // The schema reports empty or too long text.
        if (typeof name !== 'string' || name === '' || name.length > subdomainForm.longest) continue
        if (!hasForm(name, subdomainForm)) yield [at.pointer, { name }]
      }
    },
    message: ({ name }) => `${quote(name)} is not a valid storage class name`,
    help: () =>
      'use a name that `kubectl get storageclass` lists: lower-case letters, digits, `-` and `.`, such as gp3',
  }),
  'volume/labels-missing': defineRule({
    severity: 'warning',
    marks: 'key',
    source: 'Service §2.4',
    title: 'A volume without a tier or app label',
    *check({ index }) {
      for (const found of select(index, places.volumes)) {
        const { value: volume, name: component } = found
        // Another name is reported as an unknown field.
        if (!isObject(volume) || !volumeComponents.some(name => name === component)) continue
        const { labels = {}, provisioningType } = volume
        if (!isObject(labels)) continue
        const keys = Object.keys(labels)
        const missing = volumeLabels.filter(
          label => !keys.some(key => key === label || key.endsWith(`/${label}`)),
        )
        // An invalid key may be one of the two: the rule about keys reports it.
        if (missing.length === 0 || !keys.every(key => hasForm(key, labelKeyForm))) continue
        if (findMisspelledFields(volume, Object.keys(volumeFields)).includes('labels')) continue
        const at = 'labels' in volume ? appendSegment(found.pointer, 'labels') : found.pointer
        const selects = provisioningType === preparedProvisioningType
        yield [at, { component, missing, selects }]
      }
    },
    message: ({ component, missing, selects }) =>
      `the volume of ${quote(component)} has no ${missing.map(quote).join(' and no ')} label${selects ? ', but labels select a `STATIC` volume' : ''}`,
    help: ({ missing }) =>
      `add labels: { ${missing.map(name => `arcgis/${name}: …`).join(', ')} }; any prefix before the / is allowed`,
  }),
  'volume/size-small': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: storage pages of the deployment guides, 11.3 and 11.4',
    title: 'A volume smaller than the smallest reported size',
    *check({ index }) {
      // Another rule reports an empty size.
      for (const { at, component, size, smallest } of findSizes(index))
        if (compareQuantities(size, smallest) === -1 && compareQuantities(size, '0Gi') === 1)
          yield [at.pointer, { component, size, smallest }]
    },
    message: ({ component, size, smallest }) =>
      `the volume of ${quote(component)} has ${size}, but the smallest reported size is ${smallest}`,
    help: ({ smallest }) => `write ${smallest} or more`,
  }),
  'volume/size-large': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: storage pages of the deployment guides, 11.3 and 11.4',
    title: 'A volume far larger than the reported sizes',
    *check({ index }) {
      for (const { at, component, size, smallest } of findSizes(index))
        if (isFarLarger(size, smallest)) yield [at.pointer, { component, size, smallest }]
    },
    message: ({ component, size, smallest }) =>
      `the volume of ${quote(component)} has ${size}, more than ${usualFactor} times the smallest reported size, ${smallest}`,
    help: () => 'check the number and its unit: no operation makes a volume smaller later',
  }),
  'volume/size-unused': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: deployment guides',
    title: 'A large volume that cloud storage makes unused',
    *check({ index }) {
      if (select(index, '/spec/cloudStorage/*').length === 0) return
      for (const { at, component, size, smallest } of findSizes(index))
        if (component === ignoredBesideCloudStorage && compareQuantities(size, smallest) === 1)
          yield [at.pointer, { component, size, smallest }]
    },
    message: ({ component, size }) =>
      `${size} for ${quote(component)} is reported to be ignored if \`cloudStorage\` has an entry`,
    help: ({ smallest }) => `write ${smallest}, or remove \`cloudStorage\``,
  }),
  'volume/relational-sizes-differ': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: configuration script, 10.9.1; charts, 11.1 to 11.3',
    title: 'The two relational volumes differ in size',
    *check({ index }) {
      // Other rules report a size that is invalid, too small or far too large.
      const [primary, secondary] = relationalComponents.map(name =>
        findSizes(index).find(
          ({ component, size, smallest }) =>
            component === name &&
            (compareQuantities(size, smallest) ?? -1) >= 0 &&
            !isFarLarger(size, smallest),
        ),
      )
      if (primary === undefined || secondary === undefined) return
      if (compareQuantities(primary.size, secondary.size) !== 0)
        yield [secondary.at.pointer, { primary: primary.size, secondary: secondary.size }]
    },
    message: ({ primary, secondary }) =>
      `the secondary relational volume has ${secondary}, but the primary one has ${primary}`,
    help: ({ primary, secondary }) => `use the larger of ${primary} and ${secondary} for both`,
  }),
  'volume/provisioning-type': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Service §2.4; Reported: configuration script, 10.9.1',
    title: 'An undocumented provisioning type',
    *check({ index }) {
      for (const at of select(index, provisioningTypes)) {
        const found = at.value
        // The schema reports empty or too long text.
        if (typeof found !== 'string' || found === '' || found.length > longestSentText) continue
        if (knownTypes.includes(found)) continue
        // `meant` is the type that differs only in case and blanks.
        yield [at.pointer, { found, meant: knownTypes.find(type => type === found.trim().toUpperCase()) }]
      }
    },
    message: ({ found }) =>
      `${quote(found)} is not a documented \`provisioningType\`; the service document shows only ${quote(documentedProvisioningType)}`,
    help: ({ meant }) =>
      meant === undefined
        ? `remove it to use the default, ${documentedProvisioningType}`
        : `write ${meant}: the value is case-sensitive`,
    fix: ({ meant }) => (meant === undefined ? undefined : { kind: 'replace', by: meant }),
  }),
  'volume/static': defineRule({
    severity: 'note',
    marks: 'value',
    source: 'Reported: configuration script, 10.9.1; deployment guides, 11.3 to 12.0',
    title: 'Volumes that are prepared by hand',
    *check({ index }) {
      const found = select(index, provisioningTypes).filter(({ value }) => value === preparedProvisioningType)
      // One note, however many volumes have this type.
      if (found[0] !== undefined) yield [found[0].pointer, { volumes: found.length }]
    },
    message: ({ volumes }) =>
      `${volumes === 1 ? '1 volume is' : `${volumes} volumes are`} \`STATIC\`, which only public sources report; the service document shows only ${quote(documentedProvisioningType)}`,
    help: () => 'before you apply, create the volumes with the labels in this manifest, which select them',
  }),
} as const

/** Finds the sizes of known volumes that are text, exactly as written; the schema reports other types. */
function findSizes(index: ValueIndex) {
  return select(index, sizes).flatMap(at => {
    const component = volumeComponents.find(name => name === at.owner?.name)
    const size = at.value
    return component === undefined || typeof size !== 'string'
      ? []
      : [{ at, component, size, smallest: smallestSizes[component] }]
  })
}

const usualFactor = 500

/** True for a size whose unit is probably wrong. */
function isFarLarger(size: string, smallest: string): boolean {
  const usual = smallest.replace(/\d+/, digits => String(Number(digits) * usualFactor))
  return compareQuantities(size, usual) === 1
}

/** The kinds of mistakes in a size; `instead` is the valid text that is closest to the written one. */
const sizeFaults = {
  'no-unit': {
    message: 'is not a valid storage quantity: the unit is missing',
    help: (instead: string) => `write ${instead} for gibibytes`,
  },
  zero: {
    message: 'is not a valid volume size: it must be greater than zero',
    help: (instead: string) => `write the size that the volume needs, such as ${instead}`,
  },
  spelling: {
    message: 'is not a valid storage quantity',
    help: (instead: string) => `write ${instead}`,
  },
  form: {
    message: 'is not a valid storage quantity',
    help: (instead: string) =>
      `write a number with one of the units Ki, Mi, Gi, Ti, Pi, Ei, k, M, G, T, P, E, such as ${instead}`,
  },
}

function findSizeFault(
  size: string,
): { readonly fault: keyof typeof sizeFaults; readonly instead: string } | undefined {
  const example = '16Gi'
  if (zeroForm.test(size)) return { fault: 'zero', instead: example }
  if (parseQuantity(size) !== undefined) return undefined
  if (parseQuantity(`${size}Gi`) !== undefined) return { fault: 'no-unit', instead: `${size}Gi` }
  const respelled = findIntendedSize(size)
  return respelled === undefined
    ? { fault: 'form', instead: example }
    : { fault: 'spelling', instead: respelled }
}

/** Finds the quantity that differs only in case, blanks or a trailing `B`; `m` alone would mean thousandths. */
function findIntendedSize(size: string): string | undefined {
  const [, number, letters = ''] = /^ *([0-9.]+) *([A-Za-z]{1,3}) *$/.exec(size) ?? []
  if (number === undefined || letters === 'm' || letters === 'e') return undefined
  const wanted = letters.toLowerCase()
  const unit = storageUnits.find(unit => [unit, `${unit}b`].some(name => name.toLowerCase() === wanted))
  if (unit === undefined || zeroForm.test(number)) return undefined
  const respelled = `${number}${unit}`
  return parseQuantity(respelled) === undefined ? undefined : respelled
}
