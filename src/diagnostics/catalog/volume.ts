import { limits } from '../../contract/limits.js'
import { allOf } from '../words.js'
import { entry } from './entry.js'

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
  }),
} as const
