import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, pointer, text, textOrNull } from './parts.js'

const flag: JsonSchema = { type: 'boolean' }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const refusal = record(
  {
    kind: { enum: ['taint', 'affinity'] },
    message: text,
    taint: text,
    failed: listOf(record({ pointer, found: textOrNull }, ['pointer', 'found'])),
  },
  ['kind', 'message'],
)

/** The preview of the placement policy on the nodes of a cluster; only with `--nodes`. */
export const placement = record(
  {
    policy: { enum: ['none', 'without-demand', 'with-demand'] },
    nodes: count,
    taking: count,
    verdicts: listOf(
      record(
        {
          node: text,
          takes: flag,
          ready: { type: ['boolean', 'null'] },
          preferred: flag,
          refusals: listOf(refusal),
          wider: listOf(record({ pointer, taint: text }, ['pointer', 'taint'])),
        },
        ['node', 'takes', 'ready', 'refusals', 'wider'],
      ),
    ),
  },
  ['policy', 'nodes', 'taking', 'verdicts'],
)

/** The preview of the volumes with the storage classes of a cluster; only with `--storage-classes`. */
export const storage = record(
  {
    classes: listOf(
      record(
        {
          name: text,
          components: listOf(text),
          exists: flag,
          allowVolumeExpansion: flag,
          volumeBindingMode: text,
          reclaimPolicy: text,
          faults: listOf({ enum: ['cannot-expand', 'binds-at-once', 'keeps-volumes'] }),
        },
        ['name', 'components', 'exists', 'faults'],
      ),
    ),
    others: listOf(text),
  },
  ['classes', 'others'],
)
