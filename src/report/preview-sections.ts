import type { NodeVerdict } from '../plan/placement/node-verdict.js'
import { type PlacementPreview, refusingNodes, takingNodes } from '../plan/placement/preview.js'
import type { NamedClass, StoragePreview } from '../plan/placement/storage-preview.js'
import { reasonsOf } from '../plan/placement/words.js'
import { joined, listed, type Phrase, phrase, words } from './phrase.js'
import { headOf } from './placement-text.js'
import type { Section } from './section.js'
import { faultWords } from './storage-text.js'

/** Which nodes take upgrade pods, and why the others do not: those that do not come first, the nearest before. */
export function placementSection(preview: PlacementPreview): Section {
  const taking = takingNodes(preview)
  const nodes = [...refusingNodes(preview), ...taking]
  return {
    title: 'Upgrade pods',
    lead: words(headOf(preview, taking.length)),
    columns: ['Node', 'Takes them', 'Why'],
    rows: nodes.map(one => [
      phrase`${one.node}`,
      words(one.refusals.length === 0 ? 'yes' : 'no'),
      one.refusals.length === 0 ? aboutTaking(one) : listed(reasonsOf(one), 3),
    ]),
  }
}

function aboutTaking({ preferred, ready }: NodeVerdict): Phrase {
  const said = [
    ...(preferred === undefined ? [] : [preferred ? 'preferred' : 'not preferred']),
    ...(ready === false ? ['not ready now, though without the taint for it'] : []),
  ]
  return words(said.join(', ') || '–')
}

/** What the cluster has of the storage classes that the manifest names. */
export function storageSection({ classes, others }: StoragePreview): Section {
  const there = classes.filter(({ found }) => found !== undefined).length
  const rest =
    others.length === 0 ? [] : phrase` Not looked at, for no class makes them: ${listed(others, 8)}.`
  return {
    title: 'Storage classes',
    lead: phrase`The cluster has ${there} of ${classes.length} that the manifest names.${rest}`,
    columns: ['Class', 'Volumes', 'What is to be said'],
    rows: classes.map(one => [
      phrase`${one.name}`,
      joined(
        one.components.map(component => phrase`${component}`),
        ', ',
      ),
      saidOf(one),
    ]),
  }
}

function saidOf({ found, faults }: NamedClass): Phrase {
  if (found === undefined) return words('does not exist')
  return words(faults.map(fault => faultWords[fault]).join(', ') || '–')
}
