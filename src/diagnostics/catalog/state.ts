import { lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** Where the state of a site is kept. */
export const stateEntries = {
  'state/location': entry<{ readonly found: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The state location cannot be used',
    message: ({ found, problem }) => `${found} ${problem}`,
    help: () => 'write the git remote that every run can push to, such as `git:origin`',
    explanation: paragraph(
      'Before `configure` is sent, Landform writes a submission intent, so that no later run sends it a second time.',
      'That holds only where every run reads the same place: a git remote of the clone, a folder on a disk that lasts, or PostgreSQL.',
      'A manifest names a remote, never its address: where git connects to is decided by who cloned the repository.',
    ),
    example: {
      wrong: lines('state: origin'),
      right: lines('state: git:origin'),
    },
  }),
  'state/shared': entry<{ readonly other: string; readonly name: string }>({
    severity: 'warning',
    phase: 'files',
    marks: 'value',
    source: 'Landform',
    title: 'Two sites have one name in one state',
    message: ({ other, name }) =>
      `${quoted(other)} keeps its state under the name ${quoted(name)}, too, in the same location`,
    help: () => 'give each site a name of its own',
    explanation: paragraph(
      'The state of a site is found by the name that its manifest gives it, and belongs to one address.',
      'Of two sites with one name in one state location the second is refused.',
    ),
    example: {
      wrong: lines('metadata: { name: production }'),
      right: lines('metadata: { name: production-north }'),
    },
  }),
}
