import { joinLines, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

const formatExample = (comment: string) => joinLines(comment, 'logLevel: CHATTY')

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
    explanation: () =>
      joinSentences(
        'A comment `# landform-ignore-next-line CODE -- REASON` silences one warning on the line after it.',
        'Once the warning is gone, the comment could only hide a new one.',
      ),
    example: () => ({
      wrong: joinLines('# landform-ignore-next-line log/level -- our build has this level', 'logLevel: INFO'),
      right: 'logLevel: INFO',
    }),
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
    explanation: () =>
      joinSentences(
        'A comment that silences a warning names its code and, after `--`, the reason why it does not apply here.',
        'Separate several codes with commas.',
        'Errors cannot be silenced: a manifest with one cannot be applied.',
      ),
    example: () => ({
      wrong: formatExample('# landform-ignore-next-line log/level'),
      right: formatExample('# landform-ignore-next-line log/level -- our build has this level'),
    }),
  }),
} as const
