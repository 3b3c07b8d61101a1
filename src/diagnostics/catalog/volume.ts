import { limits } from '../../contract/limits.js'
import { documentedProvisioningType } from '../../contract/volumes.js'
import { allOf, lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** What is wrong with a size. */
export type SizeFault = 'no-unit' | 'zero' | 'spelling' | 'form'

/** Volumes. */
export const volumeEntries = {
  'volume/missing-component': entry<{ readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.4, §8',
    title: 'A volume is missing',
    message: ({ missing }) =>
      `${allOf(missing)} ${missing.length === 1 ? 'has no volume' : 'have no volumes'}; each of the ${limits.volumes} components has one`,
    help: ({ missing }) => `add ${missing[0]}: { size: …, storageClass: … }`,
    explanation: paragraph(
      `The configuration covers ${limits.volumes} persistent volumes, one for each component.`,
      'A site is configured once, so a volume that is forgotten cannot be added by applying again.',
      'Add the component with a size and a storage class.',
      'Components that are alike may share their text through a YAML anchor, as here.',
    ),
    example: {
      wrong: lines(
        'volumes:',
        '  RELATIONAL_PRIMARY: &disk { size: 32Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: gis } }',
        '  RELATIONAL_SECONDARY: *disk',
      ),
      right: lines(
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
    },
  }),
  'volume/size': entry<{
    readonly size: string
    readonly fault: SizeFault
    /** The text to write, as near to what was written as can be. */
    readonly instead: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.4, Kubernetes',
    title: 'Not a storage quantity',
    message: ({ size, fault }) => `\`size\` cannot be ${quoted(size)}: it ${faults[fault]}`,
    help: ({ fault, instead }) =>
      ({
        'no-unit': `write ${instead} if gibibytes are meant`,
        zero: `write what the volume needs, such as ${instead}`,
        spelling: `write ${instead}`,
        form: `write a number and one of Ki, Mi, Gi, Ti, Pi, Ei, k, M, G, T, P, E, such as ${instead}`,
      })[fault],
    explanation: paragraph(
      'A size is a number and a unit: `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei` count in 1024, and `k`, `M`, `G`, `T`, `P`, `E` in 1000.',
      'Capitals count, and nothing stands between the number and the unit or after it.',
      'Without a unit Kubernetes would read bytes, so `16` would be a volume of 16 bytes.',
      'A size is easy to write and hard to mend: most volumes cannot grow once the site is configured.',
    ),
    example: {
      wrong: lines('volumes:', '  QUEUE: { size: 16GiB }'),
      right: lines('volumes:', '  QUEUE: { size: 16Gi }'),
    },
    fix: ({ fault, instead }) => (fault === 'spelling' ? { kind: 'replace', by: instead } : undefined),
  }),
  'volume/storage-class': entry<{ readonly name: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Not the name of a storage class',
    message: ({ name }) => `${quoted(name)} cannot be the name of a storage class`,
    help: () =>
      'write the name as `kubectl get storageclass` shows it: lower-case letters, digits, `-` and `.`, such as gp3',
    explanation: paragraph(
      'The name of a storage class is a DNS name: lower-case letters and digits, and `-` or `.` between them.',
      'A cluster can have no class of another name, so the volume would wait for ever and the site with it.',
      'Copy the name from `kubectl get storageclass`.',
    ),
    example: {
      wrong: lines('volumes:', '  QUEUE: { storageClass: Premium_SSD }'),
      right: lines('volumes:', '  QUEUE: { storageClass: premium-ssd }'),
    },
  }),
  'volume/labels-missing': entry<{ readonly component: string; readonly missing: readonly string[] }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.4',
    title: 'A volume lacks a label',
    message: ({ component, missing }) =>
      `the volume of ${quoted(component)} has no label named ${missing.map(quoted).join(' and none named ')}`,
    help: ({ missing }) =>
      `add labels: { ${missing.map(name => `arcgis/${name}: …`).join(', ')} }; what stands before the / is up to you`,
    explanation: paragraph(
      'Each volume carries a tier label and an app label; the service document does not show their keys.',
      'Landform looks for keys whose name is `tier` and `app`, after any prefix.',
      'Volumes of your own making are found by these labels, so both sides must agree on them.',
    ),
    example: {
      wrong: lines('volumes:', '  QUEUE: { labels: { team: gis } }'),
      right: lines('volumes:', '  QUEUE: { labels: { arcgis/tier: queue, arcgis/app: rabbitmq } }'),
    },
  }),
  'volume/size-small': entry<{
    readonly component: string
    readonly size: string
    readonly smallest: string
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: storage pages of the deployment guides, 11.3 and 11.4',
    title: 'A volume is smaller than any reported to work',
    message: ({ component, size, smallest }) =>
      `the volume of ${quoted(component)} has ${size}, and the smallest reported size is ${smallest}`,
    help: ({ smallest }) => `write ${smallest} or more`,
    explanation: paragraph(
      'Deployment guides name a smallest size for each volume, even for a development site.',
      'Volumes of most components cannot grow later, and before 11.3 none could: a full one meant to deploy again.',
      'The service document shows no such limit, so this is a warning.',
    ),
    example: {
      wrong: lines('volumes:', '  INDEXER: { size: 8Gi }'),
      right: lines('volumes:', '  INDEXER: { size: 16Gi }'),
    },
  }),
  'volume/size-unused': entry<{
    readonly component: string
    readonly size: string
    readonly smallest: string
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: deployment guides',
    title: 'A large volume beside cloud storage',
    message: ({ component, size }) =>
      `the ${size} of ${quoted(component)} are reported to be ignored where \`cloudStorage\` has an entry`,
    help: ({ smallest }) => `write ${smallest}, or remove \`cloudStorage\``,
    explanation: paragraph(
      'With cloud storage the objects go to the bucket or container, and the settings of this volume are reported to be ignored.',
      'The service document still wants all eight volumes, so the entry stays, at its smallest size.',
      'A larger size says that somebody expects the volume to be used.',
    ),
    example: {
      wrong: lines(
        'volumes:',
        '  BLOB: { size: 500Gi }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices: [{ name: AWS S3, connection: { bucketName: gis-objects, region: eu-west-1 } }]',
      ),
      right: lines(
        'volumes:',
        '  BLOB: { size: 32Gi }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices: [{ name: AWS S3, connection: { bucketName: gis-objects, region: eu-west-1 } }]',
      ),
    },
  }),
  'volume/relational-sizes-differ': entry<{ readonly primary: string; readonly secondary: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: configuration script, 10.9.1; charts, 11.1 to 11.3',
    title: 'The two relational volumes differ in size',
    message: ({ primary, secondary }) =>
      `the secondary relational volume has ${secondary}, and the primary one has ${primary}`,
    help: ({ primary, secondary }) =>
      `write the same size for both: the larger of ${primary} and ${secondary}`,
    explanation: paragraph(
      "The secondary keeps a copy of the primary's data and takes its place when it fails, so it needs the same room.",
      "The vendor's own settings have one size for both.",
      'The service document has two entries and does not say that they agree, so this is a warning.',
    ),
    example: {
      wrong: lines(
        'volumes:',
        '  RELATIONAL_PRIMARY: { size: 64Gi }',
        '  RELATIONAL_SECONDARY: { size: 16Gi }',
      ),
      right: lines(
        'volumes:',
        '  RELATIONAL_PRIMARY: { size: 64Gi }',
        '  RELATIONAL_SECONDARY: { size: 64Gi }',
      ),
    },
  }),
  'volume/provisioning-type': entry<{
    readonly found: string
    /** The type it is but for its capitals. */
    readonly meant: string | undefined
    readonly reported: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.4; Reported: configuration script, 10.9.1',
    title: 'A way of provisioning that the service document does not show',
    message: ({ found }) =>
      `\`provisioningType\` is ${quoted(found)}, and the service document shows ${quoted(documentedProvisioningType)} only`,
    help: ({ meant, reported }) => {
      if (meant !== undefined) return `write ${meant}: capitals count`
      return reported
        ? 'make the volumes yourself, with the labels that stand here: they are what selects them'
        : `remove it, which means ${documentedProvisioningType}`
    },
    explanation: paragraph(
      `The service document uses \`${documentedProvisioningType}\` for every volume: the storage class makes the volume.`,
      'Public sources also report `STATIC`: then you make the volumes before you apply, and the labels in the manifest select them.',
      'The type is reported to be case sensitive, and no third one is reported anywhere.',
    ),
    example: {
      wrong: lines('volumes:', '  QUEUE: { provisioningType: dynamic }'),
      right: lines('volumes:', '  QUEUE: { provisioningType: DYNAMIC }'),
    },
    fix: ({ meant }) => (meant === undefined ? undefined : { kind: 'replace', by: meant }),
  }),
} as const

const faults: Readonly<Record<SizeFault, string>> = {
  'no-unit': 'has no unit',
  zero: 'is zero',
  spelling: 'is no storage quantity as it is spelled',
  form: 'is no storage quantity with a unit suffix',
}
