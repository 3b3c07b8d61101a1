import { quoted } from '../words.js'
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
  }),
  'yaml/empty': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file holds no document',
    message: () => 'the file holds no manifest',
    help: () => 'begin with `apiVersion: landform.dev/v1` and `kind: SiteDeployment`',
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
  }),
  'yaml/several-documents': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file holds more than one document',
    message: () => 'a second document begins here; a file holds one manifest',
    help: () => 'put each manifest into a file of its own',
  }),
  'yaml/duplicate-key': entry<{ readonly key: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'YAML 1.2.2',
    title: 'A key is written twice',
    message: ({ key }) => `${quoted(key)} is written twice in the same map`,
    help: () => 'keep one of them',
  }),
  'yaml/unsupported': entry<{ readonly what: string; readonly instead: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A YAML feature that manifests do not have',
    message: ({ what }) => `manifests have no ${what}`,
    help: ({ instead }) => instead,
  }),
  'yaml/too-large': entry<{ readonly what: string; readonly limit: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is larger or deeper than a manifest can be',
    message: ({ what, limit }) => `${what}; a manifest has at most ${limit}`,
  }),
} as const
