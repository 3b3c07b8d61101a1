import { lines, paragraph, quoted } from '../words.js'
import { entry, type None } from './entry.js'

/** The text itself, before it is a manifest. */
export const yamlEntries = {
  'yaml/not-text': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'YAML 1.2.2',
    title: 'The file is not UTF-8 text',
    message: () => 'the file is not UTF-8 text, or holds a NUL character',
    help: () => 'save it as UTF-8',
    explanation: paragraph(
      'A manifest is text in UTF-8, without NUL characters.',
      'Files in UTF-16 or in an older code page look alike in an editor and differ in their bytes.',
      'Save the file as UTF-8; the same holds for files that an encryption or compression tool wrote.',
    ),
  }),
  'yaml/empty': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file holds no document',
    message: () => 'the file holds no manifest',
    help: () => 'begin with `apiVersion: landform.dev/v1` and `kind: SiteDeployment`',
    explanation: paragraph(
      'The file holds nothing but blanks and comments, so there is nothing to check and nothing to apply.',
      'An empty manifest is never taken for a wish to have nothing.',
    ),
    example: {
      wrong: lines('# production'),
      right: lines(
        'apiVersion: landform.dev/v1',
        'kind: SiteDeployment',
        'metadata: { name: production }',
        'spec: {}',
      ),
    },
  }),
  'yaml/syntax': entry<{ readonly reason: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'YAML 1.2.2',
    title: 'The file is not YAML',
    message: ({ reason }) => `this is not YAML: ${reason}`,
    help: () =>
      'compare the indentation and quotes of this line and the ones before it; a value that holds `: ` or ` #` needs quotes',
    explanation: paragraph(
      'The text cannot be read as YAML, so nothing else of the file is checked.',
      'Mostly it is the indentation, a tab, a quote without its partner, or text that holds `: ` or ` #` outside quotes.',
      'The mistake may stand before the place that is marked: there the reader noticed it.',
    ),
    example: {
      wrong: lines('spec:', '  administrator:', '    description: first: the administrator'),
      right: lines('spec:', '  administrator:', '    description: "first: the administrator"'),
    },
  }),
  'yaml/several-documents': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file holds more than one document',
    message: () => 'a second document begins here; a file holds one manifest',
    help: () => 'put each manifest into a file of its own',
    explanation: paragraph(
      'A line of three dashes begins a new document.',
      'One file is one site, so that a plan, its record and its review are about one thing.',
      'Put each manifest into a file of its own and name them all on the command line.',
    ),
    example: {
      wrong: lines('metadata: { name: north }', '---', 'metadata: { name: south }'),
      right: lines('metadata: { name: north }'),
    },
  }),
  'yaml/duplicate-key': entry<{ readonly key: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'YAML 1.2.2',
    title: 'A key is written twice',
    message: ({ key }) => `${quoted(key)} is written twice in the same map`,
    help: () => 'keep one of them',
    explanation: paragraph(
      'YAML does not allow a key twice in one map, and readers that take it anyway do not agree on which of the two counts.',
      'Keep the one that is meant.',
    ),
    example: {
      wrong: lines('metadata:', '  name: north', '  name: south'),
      right: lines('metadata:', '  name: north'),
    },
  }),
  'yaml/unsupported': entry<{ readonly what: string; readonly instead: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A YAML feature that manifests do not have',
    message: ({ what }) => `manifests have no ${what}`,
    help: ({ instead }) => instead,
    explanation: paragraph(
      'Manifests are plain YAML: maps, lists, text, numbers and truths, with anchors and aliases.',
      'Tags, merge keys, directives and templates mean something else to each tool, or nothing.',
      'Write the value out, or render the template before the file is checked.',
    ),
    example: {
      wrong: lines('metadata:', '  name: !env SITE'),
      right: lines('metadata:', '  name: production'),
    },
  }),
  'yaml/too-large': entry<{ readonly what: string; readonly limit: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is larger or deeper than a manifest can be',
    message: ({ what, limit }) => `${what}; a manifest has at most ${limit}`,
    explanation: paragraph(
      'The limits are far above any real manifest; they keep a hostile file from using up memory or time.',
      'Look for a file that is no manifest, or for anchors that repeat each other.',
    ),
  }),
} as const
