import { quote } from '../words.js'
import { defineEntry } from './entry.js'

/** Comments that silence warnings. */
export const ignoreEntries = {
  'ignore/unused': defineEntry<{ readonly code: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'An ignore comment that matches nothing',
    message: ({ code }) => `no ${quote(code)} is reported on the next line`,
    help: () => 'remove the comment: it would hide the next mistake of this kind here',
  }),
  'ignore/malformed': defineEntry<{ readonly problem: string; readonly meant: string | undefined }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'Invalid ignore comment',
    message: ({ problem }) => `this comment ${problem}, so it has no effect`,
    help: ({ meant }) =>
      meant === undefined
        ? 'write # landform-ignore-next-line CODE -- REASON'
        : `did you mean ${quote(meant)}?`,
  }),
} as const
