import { readLastSegment, readParent, splitPointer } from '../../diagnostics/pointer.js'
import type { FieldChange } from '../../plan/plan.js'
import { display } from '../display.js'
import { type Phrase, phrase, words } from '../phrase.js'
import { buildValuePhrase, formatFieldPlace } from './field-rows.js'

/** A volume that is created, as a row of a table. */
export interface VolumeRow {
  readonly component: string
  readonly size: Phrase
  readonly storageClass: Phrase
  /** The labels, and what else the manifest sets. */
  readonly labels: Phrase
  readonly file: string
  readonly line: number
  readonly place: string
}

/** Separates the volumes that are created, which fit into columns, from the other fields of an action. */
export function splitVolumes(fields: readonly FieldChange[]): {
  readonly volumes: readonly VolumeRow[]
  readonly others: readonly FieldChange[]
} {
  const isVolume = ({ pointer, before }: FieldChange) =>
    before === undefined && readParent(readParent(pointer)) === '/spec/volumes'
  const created = fields.filter(isVolume)
  const components = [...new Set(created.map(({ pointer }) => readParent(pointer)))]
  return {
    volumes: components.map(one =>
      buildVolumeRow(created.filter(({ pointer }) => readParent(pointer) === one)),
    ),
    others: fields.filter(field => !isVolume(field)),
  }
}

function buildVolumeRow(fields: readonly FieldChange[]): VolumeRow {
  const [first] = fields as readonly [FieldChange]
  const values = new Map(
    fields.map(({ pointer, after = null }) => [readLastSegment(pointer), buildValuePhrase(after, pointer)]),
  )
  const take = (name: string) => {
    const value = values.get(name)
    values.delete(name)
    return value ?? words('')
  }
  const [size, storageClass, labels] = [take('size'), take('storageClass'), take('labels')]
  return {
    component: display(splitPointer(first.pointer)[2] ?? ''),
    size,
    storageClass,
    labels: [...values].reduce((text, [name, value]) => phrase`${text} ${name} ${value}`, labels),
    file: display(first.file, 400),
    line: first.line,
    place: formatFieldPlace(first),
  }
}
