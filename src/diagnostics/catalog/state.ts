import { joinLines, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** The state location of a site. */
export const stateEntries = {
  'state/location': defineEntry<{ readonly found: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid state location',
    message: ({ found, problem }) => `${found} ${problem}`,
    help: () => 'use a git remote that every run can push to, such as `git:origin`',
    explanation: () =>
      joinSentences(
        'Before `configure` is sent, Landform writes a submission intent, so that no later run sends it a second time.',
        'This works only if every run uses the same location: a git remote of the clone, a folder on a persistent disk, or PostgreSQL.',
        'A manifest names a remote, never its URL: whoever cloned the repository decides where git connects to.',
      ),
    example: () => ({
      wrong: joinLines('state: origin'),
      right: joinLines('state: git:origin'),
    }),
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
    explanation: () =>
      joinSentences(
        'The state of a site is identified by the name in its manifest, and belongs to one site URL.',
        'If two sites share a name in one state location, the second is rejected.',
      ),
    example: () => ({
      wrong: joinLines('metadata: { name: production }'),
      right: joinLines('metadata: { name: production-north }'),
    }),
  }),
}
