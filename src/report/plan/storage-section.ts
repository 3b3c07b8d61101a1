import type { NamedClass, StorageFault, StoragePreview } from '../../plan/placement/storage-preview.js'
import { listTexts, type Phrase, phrase, words } from '../phrase.js'
import type { Section, SectionRow } from '../section.js'

/** Builds the section about the storage classes of the manifest and those in the cluster. */
export function buildStorageSection({ classes, others }: StoragePreview): Section {
  const there = classes.filter(({ found }) => found !== undefined).length
  return {
    title: 'Storage classes',
    tone: there < classes.length ? 'bad' : 'good',
    lead: phrase`${there} of ${classes.length} that the manifest names exist in the cluster.`,
    columns: ['Storage class', 'Volumes', 'In the cluster'],
    rows: [...classes.map(buildClassRow), ...(others.length === 0 ? [] : [buildOtherRow(others)])],
  }
}

function buildClassRow({ name, components, found, faults }: NamedClass): SectionRow {
  const said = found === undefined ? 'does not exist' : faults.map(fault => faultWords[fault]).join(', ')
  return {
    sign: found === undefined ? '-' : faults.length > 0 ? '!' : '+',
    cells: [phrase`${name}`, formatVolumes(components), words(said === '' ? 'exists' : said)],
  }
}

function buildOtherRow(others: StoragePreview['others']): SectionRow {
  return {
    sign: '?',
    cells: [words('none'), formatVolumes(others), words('not checked, because no class provisions them')],
  }
}

function formatVolumes(components: StoragePreview['others']): Phrase {
  return components.length > 2 ? phrase`${components.length} volumes` : listTexts(components, 2)
}

const faultWords: Readonly<Record<StorageFault, string>> = {
  'cannot-expand': 'volumes cannot be expanded',
  'binds-at-once': 'volumes are provisioned before their pods are scheduled',
  'keeps-volumes': 'volumes are retained after their claims are deleted',
}
