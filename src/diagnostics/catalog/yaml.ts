import { joinLines, joinSentences, quote } from '../words.js'
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
    explanation: () =>
      joinSentences(
        'A manifest is text in UTF-8, without NUL characters.',
        'Files in UTF-16 or in an older code page look alike in an editor and differ in their bytes.',
        'Save the file as UTF-8; the same holds for files that an encryption or compression tool wrote.',
      ),
  }),
  'yaml/empty': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is empty',
    message: () => 'the file contains no manifest',
    help: () => 'start with `apiVersion: landform.dev/v1` and `kind: SiteDeployment`',
    explanation: () =>
      joinSentences(
        'The file contains only blanks and comments, so there is nothing to check or apply.',
        'Landform never interprets an empty manifest as a request to remove a site.',
      ),
    example: () => ({
      wrong: joinLines('# production'),
      right: joinLines(
        'apiVersion: landform.dev/v1',
        'kind: SiteDeployment',
        'metadata: { name: production }',
        'spec: {}',
      ),
    }),
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
    explanation: () =>
      joinSentences(
        'The text cannot be parsed as YAML, so nothing else in the file is checked.',
        'Common causes are indentation, a tab, an unclosed quote, or `: ` or ` #` in text without quotes.',
        'The mistake may be before the marked place, where the parser detected it.',
      ),
    example: () => ({
      wrong: joinLines('spec:', '  administrator:', '    description: first: the administrator'),
      right: joinLines('spec:', '  administrator:', '    description: "first: the administrator"'),
    }),
  }),
  'yaml/several-documents': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'More than one document in a file',
    message: () => 'a second document begins here, but a file must contain one manifest',
    help: () => 'put each manifest into its own file',
    explanation: () =>
      joinSentences(
        'A line of three dashes begins a new document.',
        'Each file describes one site, so that a plan, its record and its review cover one site.',
        'Put each manifest into its own file and pass all files on the command line.',
      ),
    example: () => ({
      wrong: joinLines('metadata: { name: north }', '---', 'metadata: { name: south }'),
      right: joinLines('metadata: { name: north }'),
    }),
  }),
  'yaml/duplicate-key': defineEntry<{ readonly key: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'YAML 1.2.2',
    title: 'Duplicate key',
    message: ({ key }) => `duplicate key ${quote(key)} in the same map`,
    help: () => 'keep one of them',
    explanation: () =>
      joinSentences(
        'YAML does not allow duplicate keys in a map, and parsers that accept them do not agree which value wins.',
        'Keep the intended one.',
      ),
    example: () => ({
      wrong: joinLines('metadata:', '  name: north', '  name: south'),
      right: joinLines('metadata:', '  name: north'),
    }),
  }),
  'yaml/unsupported': defineEntry<{ readonly what: string; readonly instead: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Unsupported YAML feature',
    message: ({ what }) => `manifests do not support ${what}`,
    help: ({ instead }) => instead,
    explanation: () =>
      joinSentences(
        'Manifests are plain YAML: maps, lists, text, numbers and booleans, with anchors and aliases.',
        'Tags, merge keys, directives and templates have no common meaning across tools.',
        'Write the value explicitly, or render the template before you check the file.',
      ),
    example: () => ({
      wrong: joinLines('metadata:', '  name: !env SITE'),
      right: joinLines('metadata:', '  name: production'),
    }),
  }),
  'yaml/too-large': defineEntry<{ readonly what: string; readonly limit: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file exceeds a limit',
    message: ({ what, limit }) => `${what}: at most ${limit}`,
    explanation: () =>
      joinSentences(
        'The limits are far above the size of a real manifest; they prevent a malicious file from exhausting memory or time.',
        'Check whether the file is a manifest at all, and whether anchors repeat each other.',
      ),
  }),
} as const
