import { lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

const small = (comment: string) => lines(comment, 'logLevel: CHATTY')

/** Comments that silence warnings. */
export const ignoreEntries = {
  'ignore/unused': entry<{ readonly code: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'An ignore comment that matches nothing',
    message: ({ code }) => `no ${quoted(code)} is reported on the next line`,
    help: () => 'remove the comment: it would hide the next mistake of this kind here',
    explanation: paragraph(
      'A comment `# landform-ignore-next-line CODE -- REASON` silences one warning on the line after it.',
      'Once the warning is gone, the comment could only hide a new one.',
    ),
    example: {
      wrong: lines('# landform-ignore-next-line log/level -- our build has this level', 'logLevel: INFO'),
      right: 'logLevel: INFO',
    },
  }),
  'ignore/malformed': entry<{ readonly problem: string; readonly meant: string | undefined }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'Invalid ignore comment',
    message: ({ problem }) => `this comment ${problem}, so it has no effect`,
    help: ({ meant }) =>
      meant === undefined
        ? 'write # landform-ignore-next-line CODE -- REASON'
        : `did you mean ${quoted(meant)}?`,
    explanation: paragraph(
      'A comment that silences a warning names its code and, after `--`, the reason why it does not apply here.',
      'Separate several codes with commas.',
      'Errors cannot be silenced: a manifest with one cannot be applied.',
    ),
    example: {
      wrong: small('# landform-ignore-next-line log/level'),
      right: small('# landform-ignore-next-line log/level -- our build has this level'),
    },
  }),
} as const
