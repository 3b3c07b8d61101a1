import { type ForeignContent, foreignContents } from '../reference-defect.js'
import { quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

const notTextWords = {
  'utf-16': {
    message: 'the file is UTF-16, not UTF-8',
    help: 'save it as UTF-8 in the editor, or run `iconv -f UTF-16 -t UTF-8`; in PowerShell write it with `-Encoding utf8`',
  },
  nul: { message: 'the file contains a NUL character here', help: 'remove it: a manifest is text' },
  'invalid-byte': {
    message: 'the file is not UTF-8: its first invalid byte is here',
    help: 'save it as UTF-8; an older encoding such as Windows-1252 is probable',
  },
} as const

/** The YAML text, before it is read as a manifest. */
export const yamlEntries = {
  'yaml/not-text': defineEntry<{ readonly reason: keyof typeof notTextWords }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'YAML 1.2.2',
    title: 'The file is not UTF-8 text',
    message: ({ reason }) => notTextWords[reason].message,
    help: ({ reason }) => notTextWords[reason].help,
  }),
  'yaml/foreign-content': defineEntry<{ readonly content: ForeignContent }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is encrypted, or was not fetched',
    message: ({ content }) => `the file ${foreignContents[content].is}`,
    help: ({ content }) => foreignContents[content].fix,
  }),
  'yaml/empty': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is empty',
    message: () => 'the file contains no manifest',
    help: () => 'start with `apiVersion: landform.dev/v1` and `kind: SiteDeployment`',
  }),
  'yaml/syntax': defineEntry<{ readonly reason: string; readonly help?: string | undefined }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'YAML 1.2.2',
    title: 'Invalid YAML',
    message: ({ reason }) => `invalid YAML: ${reason}`,
    help: ({ help }) =>
      help ??
      'check the indentation and quotes of this line and the lines before it; quote a value that contains `: ` or ` #`',
  }),
  'yaml/several-documents': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'More than one document in a file',
    message: () => 'a second document begins here, but a file must contain one manifest',
    help: () => 'put each manifest into its own file',
  }),
  'yaml/duplicate-key': defineEntry<{ readonly key: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'YAML 1.2.2',
    title: 'Duplicate key',
    message: ({ key }) => `duplicate key ${quote(key)} in the same map`,
    help: () => 'keep one of them',
  }),
  'yaml/unsupported': defineEntry<{ readonly what: string; readonly instead: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Unsupported YAML feature',
    message: ({ what }) => `manifests do not support ${what}`,
    help: ({ instead }) => instead,
  }),
  'yaml/too-large': defineEntry<{ readonly what: string; readonly limit: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file exceeds a limit',
    message: ({ what, limit }) => `${what}: at most ${limit}`,
  }),
} as const
