import { quote } from '../words.js'
import { defineEntry } from './entry.js'

/** The state location of a site. */
export const stateEntries = {
  'state/location': defineEntry<{
    readonly found: string
    readonly problem: string
    readonly instead: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid state location',
    message: ({ found, problem }) => `${found} ${problem}`,
    help: ({ instead }) => instead,
  }),
  'state/shared': defineEntry<{ readonly other: string; readonly name: string }>({
    severity: 'error',
    phase: 'files',
    marks: 'value',
    source: 'Landform',
    title: 'Two sites share a name in one state location',
    message: ({ other, name }) =>
      `${quote(other)} uses the same name ${quote(name)} in the same state location`,
    help: () => 'give each site a unique name',
  }),
}
