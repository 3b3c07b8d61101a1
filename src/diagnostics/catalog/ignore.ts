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
    title: 'A comment that silences nothing',
    message: ({ code }) => `nothing on the next line is reported as ${quoted(code)}`,
    help: () => 'remove the comment: it would silence the next mistake of its kind here',
    explanation: paragraph(
      'A comment `# landform-ignore-next-line CODE -- REASON` silences one warning on the line after it.',
      'When the warning has gone, the comment only waits to hide another one.',
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
    title: 'A comment that should silence a warning and cannot',
    message: ({ problem }) => `this comment ${problem}, so it silences nothing`,
    help: ({ meant }) =>
      meant === undefined
        ? 'write # landform-ignore-next-line CODE -- REASON'
        : `did you mean ${quoted(meant)}?`,
    explanation: paragraph(
      'A comment that silences a warning names its code, and says after `--` why it does not apply here.',
      'Several codes are separated by commas.',
      'Errors cannot be silenced: a manifest with one cannot be applied.',
    ),
    example: {
      wrong: small('# landform-ignore-next-line log/level'),
      right: small('# landform-ignore-next-line log/level -- our build has this level'),
    },
  }),
} as const
