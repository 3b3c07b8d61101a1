import { limits } from '../../contract/limits.js'
import { documentedProvisioningType } from '../../contract/volumes.js'
import { formatAll, joinLines, joinSentences, quote } from '../words.js'
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
    explanation: () =>
      joinSentences(
        `The configuration has ${limits.volumes} persistent volumes, one for each component.`,
        'A site is configured only once, so a missing volume cannot be added later.',
        'Add the component with a size and a storage class.',
        'Use a YAML anchor to share the same settings, as in the example.',
      ),
    example: () => ({
      wrong: joinLines(
        'volumes:',
        '  RELATIONAL_PRIMARY: &disk { size: 32Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: gis } }',
        '  RELATIONAL_SECONDARY: *disk',
      ),
      right: joinLines(
        'volumes:',
        '  RELATIONAL_PRIMARY: &disk { size: 32Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: gis } }',
        '  RELATIONAL_SECONDARY: *disk',
        '  BLOB: *disk',
        '  IN_MEM_CACHE: *disk',
        '  QUEUE: *disk',
        '  INDEXER: *disk',
        '  SHARING: *disk',
        '  REST_METRICS_API: *disk',
      ),
    }),
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
    explanation: () =>
      joinSentences(
        'A size is a number with a unit: `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei` are powers of 1024, and `k`, `M`, `G`, `T`, `P`, `E` powers of 1000.',
        'Units are case-sensitive, with no blank before and nothing after them.',
        'Kubernetes reads a number without a unit as bytes, so `16` would be a volume of 16 bytes.',
        'Choose sizes carefully: most volumes cannot be expanded after the site is configured.',
      ),
    example: () => ({
      wrong: joinLines('volumes:', '  QUEUE: { size: 16GiB }'),
      right: joinLines('volumes:', '  QUEUE: { size: 16Gi }'),
    }),
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
    explanation: () =>
      joinSentences(
        'The name of a storage class is a DNS name: lower-case letters and digits, with `-` or `.` between them.',
        'No storage class can have another name, so the volume would stay pending.',
        'Copy the name from `kubectl get storageclass`.',
      ),
    example: () => ({
      wrong: joinLines('volumes:', '  QUEUE: { storageClass: Premium_SSD }'),
      right: joinLines('volumes:', '  QUEUE: { storageClass: premium-ssd }'),
    }),
  }),
  'volume/labels-missing': defineEntry<{ readonly component: string; readonly missing: readonly string[] }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.4',
    title: 'A volume without a tier or app label',
    message: ({ component, missing }) =>
      `the volume of ${quote(component)} has no ${missing.map(quote).join(' and no ')} label`,
    help: ({ missing }) =>
      `add labels: { ${missing.map(name => `arcgis/${name}: …`).join(', ')} }; any prefix before the / is allowed`,
    explanation: () =>
      joinSentences(
        'Each volume has a tier label and an app label; the service document does not show their keys.',
        'Landform expects keys named `tier` and `app`, with any prefix.',
        'Volumes that you create yourself are selected by these labels, so they must match.',
      ),
    example: () => ({
      wrong: joinLines('volumes:', '  QUEUE: { labels: { team: gis } }'),
      right: joinLines('volumes:', '  QUEUE: { labels: { arcgis/tier: queue, arcgis/app: rabbitmq } }'),
    }),
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
    explanation: () =>
      joinSentences(
        'Deployment guides state a smallest size for each volume, even for a development site.',
        'Most volumes cannot be expanded later, and before 11.3 none could: a full volume required a new deployment.',
        'The service document shows no such limit, so this is a warning.',
      ),
    example: () => ({
      wrong: joinLines('volumes:', '  INDEXER: { size: 8Gi }'),
      right: joinLines('volumes:', '  INDEXER: { size: 16Gi }'),
    }),
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
    explanation: () =>
      joinSentences(
        'With cloud storage, objects are stored in the bucket or container, and the settings of this volume are reported to be ignored.',
        'The service document still requires all eight volumes, so keep the entry with its smallest size.',
        'A larger size suggests that the volume is expected to be used.',
      ),
    example: () => ({
      wrong: joinLines(
        'volumes:',
        '  BLOB: { size: 500Gi }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices: [{ name: AWS S3, connection: { bucketName: gis-objects, region: eu-west-1 } }]',
      ),
      right: joinLines(
        'volumes:',
        '  BLOB: { size: 32Gi }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices: [{ name: AWS S3, connection: { bucketName: gis-objects, region: eu-west-1 } }]',
      ),
    }),
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
    explanation: () =>
      joinSentences(
        "The secondary keeps a copy of the primary's data and replaces it on failure, so it needs the same size.",
        "The vendor's own settings use one size for both.",
        'The service document has two entries and does not require equal sizes, so this is a warning.',
      ),
    example: () => ({
      wrong: joinLines(
        'volumes:',
        '  RELATIONAL_PRIMARY: { size: 64Gi }',
        '  RELATIONAL_SECONDARY: { size: 16Gi }',
      ),
      right: joinLines(
        'volumes:',
        '  RELATIONAL_PRIMARY: { size: 64Gi }',
        '  RELATIONAL_SECONDARY: { size: 64Gi }',
      ),
    }),
  }),
  'volume/provisioning-type': defineEntry<{
    readonly found: string
    /** The type that differs only in case. */
    readonly meant: string | undefined
    readonly reported: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.4; Reported: configuration script, 10.9.1',
    title: 'An undocumented provisioning type',
    message: ({ found }) =>
      `${quote(found)} is not a documented \`provisioningType\`; the service document shows only ${quote(documentedProvisioningType)}`,
    help: ({ meant, reported }) => {
      if (meant !== undefined) return `write ${meant}: the value is case-sensitive`
      return reported
        ? 'create the volumes yourself, with the labels in this manifest, which select them'
        : `remove it to use the default, ${documentedProvisioningType}`
    },
    explanation: () =>
      joinSentences(
        `The service document uses \`${documentedProvisioningType}\` for every volume: the storage class provisions the volume.`,
        'Public sources also report `STATIC`: you create the volumes before you apply, and the labels in the manifest select them.',
        'The type is reported to be case-sensitive, and no third type is reported.',
      ),
    example: () => ({
      wrong: joinLines('volumes:', '  QUEUE: { provisioningType: dynamic }'),
      right: joinLines('volumes:', '  QUEUE: { provisioningType: DYNAMIC }'),
    }),
    fix: ({ meant }) => (meant === undefined ? undefined : { kind: 'replace', by: meant }),
  }),
} as const

const faults: Readonly<Record<SizeFault, string>> = {
  'no-unit': 'is not a valid storage quantity: the unit is missing',
  zero: 'is not a valid volume size: it must be greater than zero',
  spelling: 'is not a valid storage quantity',
  form: 'is not a valid storage quantity',
}
