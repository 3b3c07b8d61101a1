import { limits } from '../../contract/field-row.js'
import { documentedProvisioningType } from '../../contract/volumes.js'
import { formatAll, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** The kinds of mistakes in a size. */
export type SizeFault = 'no-unit' | 'zero' | 'spelling' | 'form'

/** Volumes. */
export const volumeEntries = {
  'volume/missing-component': defineEntry<{ readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.4, §8',
    title: 'A volume is missing',
    message: ({ missing }) =>
      `no volume for ${formatAll(missing)}; each of the ${limits.volumes} components needs one`,
    help: ({ missing }) => `add ${missing[0]}: { size: …, storageClass: … }`,
  }),
  'volume/size': defineEntry<{
    readonly size: string
    readonly fault: SizeFault
    /** The valid text that is closest to the written one. */
    readonly instead: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.4, Kubernetes',
    title: 'Invalid storage quantity',
    message: ({ size, fault }) => `${quote(size)} ${faults[fault]}`,
    help: ({ fault, instead }) =>
      ({
        'no-unit': `write ${instead} for gibibytes`,
        zero: `write the size that the volume needs, such as ${instead}`,
        spelling: `write ${instead}`,
        form: `write a number with one of the units Ki, Mi, Gi, Ti, Pi, Ei, k, M, G, T, P, E, such as ${instead}`,
      })[fault],
    fix: ({ fault, instead }) => (fault === 'spelling' ? { kind: 'replace', by: instead } : undefined),
  }),
  'volume/storage-class': defineEntry<{ readonly name: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Invalid storage class name',
    message: ({ name }) => `${quote(name)} is not a valid storage class name`,
    help: () =>
      'use a name that `kubectl get storageclass` lists: lower-case letters, digits, `-` and `.`, such as gp3',
  }),
  'volume/labels-missing': defineEntry<{
    readonly component: string
    readonly missing: readonly string[]
    /** True if the labels select a volume that exists already. */
    readonly selects: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.4',
    title: 'A volume without a tier or app label',
    message: ({ component, missing, selects }) =>
      `the volume of ${quote(component)} has no ${missing.map(quote).join(' and no ')} label${selects ? ', but labels select a `STATIC` volume' : ''}`,
    help: ({ missing }) =>
      `add labels: { ${missing.map(name => `arcgis/${name}: …`).join(', ')} }; any prefix before the / is allowed`,
  }),
  'volume/size-small': defineEntry<{
    readonly component: string
    readonly size: string
    readonly smallest: string
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: storage pages of the deployment guides, 11.3 and 11.4',
    title: 'A volume smaller than the smallest reported size',
    message: ({ component, size, smallest }) =>
      `the volume of ${quote(component)} has ${size}, but the smallest reported size is ${smallest}`,
    help: ({ smallest }) => `write ${smallest} or more`,
  }),
  'volume/size-unused': defineEntry<{
    readonly component: string
    readonly size: string
    readonly smallest: string
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: deployment guides',
    title: 'A large volume that cloud storage makes unused',
    message: ({ component, size }) =>
      `${size} for ${quote(component)} is reported to be ignored if \`cloudStorage\` has an entry`,
    help: ({ smallest }) => `write ${smallest}, or remove \`cloudStorage\``,
  }),
  'volume/relational-sizes-differ': defineEntry<{ readonly primary: string; readonly secondary: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: configuration script, 10.9.1; charts, 11.1 to 11.3',
    title: 'The two relational volumes differ in size',
    message: ({ primary, secondary }) =>
      `the secondary relational volume has ${secondary}, but the primary one has ${primary}`,
    help: ({ primary, secondary }) => `use the larger of ${primary} and ${secondary} for both`,
  }),
  'volume/provisioning-type': defineEntry<{
    readonly found: string
    /** The type that differs only in case. */
    readonly meant: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.4; Reported: configuration script, 10.9.1',
    title: 'An undocumented provisioning type',
    message: ({ found }) =>
      `${quote(found)} is not a documented \`provisioningType\`; the service document shows only ${quote(documentedProvisioningType)}`,
    help: ({ meant }) =>
      meant === undefined
        ? `remove it to use the default, ${documentedProvisioningType}`
        : `write ${meant}: the value is case-sensitive`,
    fix: ({ meant }) => (meant === undefined ? undefined : { kind: 'replace', by: meant }),
  }),
  'volume/static': defineEntry<{
    /** The number of volumes with this type. */
    readonly volumes: number
  }>({
    severity: 'note',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: configuration script, 10.9.1; deployment guides, 11.3 to 12.0',
    title: 'Volumes that are prepared by hand',
    message: ({ volumes }) =>
      `${volumes === 1 ? '1 volume is' : `${volumes} volumes are`} \`STATIC\`, which is reported; the service document shows only ${quote(documentedProvisioningType)}`,
    help: () => 'create the volumes before you apply, with the labels in this manifest, which select them',
  }),
} as const

const faults: Readonly<Record<SizeFault, string>> = {
  'no-unit': 'is not a valid storage quantity: the unit is missing',
  zero: 'is not a valid volume size: it must be greater than zero',
  spelling: 'is not a valid storage quantity',
  form: 'is not a valid storage quantity',
}
