import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, pointer, text, textOrNull } from './parts.js'

const flag: JsonSchema = { type: 'boolean' }
const buildList = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const rejection = buildRecord(
  {
    kind: { enum: ['taint', 'affinity'] },
    message: text,
    taint: text,
    failed: buildList(buildRecord({ pointer, found: textOrNull }, ['pointer', 'found'])),
  },
  ['kind', 'message'],
)

/** The preview of the placement policy on the nodes of a cluster; only with `--nodes`. */
export const placement = buildRecord(
  {
    policy: { enum: ['none', 'without-demand', 'with-demand'] },
    nodes: count,
    taking: count,
    verdicts: buildList(
      buildRecord(
        {
          node: text,
          takes: flag,
          ready: { type: ['boolean', 'null'] },
          preferred: flag,
          refusals: buildList(rejection),
          wider: buildList(buildRecord({ pointer, taint: text }, ['pointer', 'taint'])),
        },
        ['node', 'takes', 'ready', 'refusals', 'wider'],
      ),
    ),
  },
  ['policy', 'nodes', 'taking', 'verdicts'],
)

/** The preview of the volumes with the storage classes of a cluster; only with `--storage-classes`. */
export const storage = buildRecord(
  {
    classes: buildList(
      buildRecord(
        {
          name: text,
          components: buildList(text),
          exists: flag,
          allowVolumeExpansion: flag,
          volumeBindingMode: text,
          reclaimPolicy: text,
          faults: buildList({ enum: ['cannot-expand', 'binds-at-once', 'keeps-volumes'] }),
        },
        ['name', 'components', 'exists', 'faults'],
      ),
    ),
    others: buildList(text),
  },
  ['classes', 'others'],
)
