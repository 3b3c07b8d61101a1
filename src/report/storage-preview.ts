import { type Wording, wordingFor } from '../diagnostics/wording.js'
import type { ListFault, NamedClass, StorageFault, StoragePreview } from '../plan/storage-classes.js'
import {
  joinPhrases,
  listTexts,
  type Phrase,
  phrase,
  type Section,
  type SectionRow,
  words,
} from './phrase.js'

/** Builds the section about the storage classes of the manifest and those in the cluster. */
export function buildStorageSection({ classes, others }: StoragePreview): Section {
  const other: SectionRow = {
    sign: '?',
    cells: [words('none'), formatVolumes(others), words('not checked, because no class provisions them')],
  }
  const there = classes.filter(({ found }) => found !== undefined).length
  return {
    title: 'Storage classes',
    tone: there < classes.length ? 'bad' : 'good',
    lead:
      classes.length === 0
        ? words('No storage class provisions a volume of the manifest.')
        : phrase`${there} of ${classes.length} that the manifest names exist in the cluster.`,
    columns: ['Storage class', 'Volumes', 'In the cluster'],
    rows: [...classes.map(buildClassRow), ...(others.length === 0 ? [] : [other])],
  }
}

function buildClassRow({ name, components, found, faults }: NamedClass): SectionRow {
  const results =
    found === undefined ? [words('does not exist')] : faults.map(fault => words(faultWords[fault]))
  return {
    sign: found === undefined ? '-' : faults.length > 0 ? '!' : '+',
    cells: [
      phrase`${name}`,
      formatVolumes(components),
      results.length === 0 ? words('exists') : joinPhrases(results, ', '),
    ],
  }
}

function formatVolumes(components: StoragePreview['others']): Phrase {
  return components.length > 2 ? phrase`${components.length} volumes` : listTexts(components, 2)
}

const faultWords = {
  'no-provisioner': 'provisions no volume',
  'file-share': 'provisions file shares, for databases',
  'cannot-expand': 'volumes cannot be expanded',
  'binds-at-once': 'volumes are provisioned before their pods are scheduled',
  'keeps-volumes': 'volumes are retained after their claims are deleted',
} as const satisfies Readonly<Record<StorageFault, string>>

/** The machine form of a storage preview: the member `storage` of a plan. */
export function storageDocument({ classes, others }: StoragePreview) {
  return {
    classes: classes.map(({ name, components, found, faults }) => {
      const { name: _, ...facts } = found ?? { name }
      return { name, components, exists: found !== undefined, ...facts, faults }
    }),
    others,
  }
}

const types: Readonly<Record<Extract<ListFault, { readonly kind: 'wrong-type' }>['expected'], string>> = {
  list: 'a list',
  object: 'an object',
  'list-or-object': 'a list or an object',
  boolean: 'true or false',
}

/** Each text ends a sentence that begins with the place. */
const wording: Wording<ListFault> = {
  'too-large': ({ limitBytes }) => `is larger than ${limitBytes / 1024 / 1024} MiB`,
  empty: () => 'is empty',
  'not-json': () => 'is not valid JSON in UTF-8',
  'wrong-type': ({ expected }) => `is not ${types[expected]}`,
  'wrong-kind': ({ expected }) => `is not ${expected.map(kind => `\`${kind}\``).join(' or ')}`,
  'wrong-text': ({ is, longest }) => `is not a ${is} of at most ${longest} characters`,
  'too-many': ({ limit }) => `has more than ${limit} elements`,
  'duplicate-name': () => 'repeats the name of an earlier element',
}

/** Describes a fault in a list of storage classes, after its place. */
export function describeListFault(fault: ListFault): string {
  return wordingFor(wording, fault)
}
