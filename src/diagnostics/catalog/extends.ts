import { describeDefect, type FileDefect } from '../reference-defect.js'
import { lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

const example = (wrong: string) => ({
  wrong: lines(`extends: ${wrong}`, 'metadata: { name: production }'),
  right: lines('extends: ../base.yaml', 'metadata: { name: production }'),
})

/** What a manifest builds on. */
export const extendsEntries = {
  'extends/path': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A path that `extends` may not have',
    message: ({ problem }) => `the path of \`extends\` ${problem}`,
    help: () => 'write it relative to this file, with /, such as ../base.yaml',
    explanation: paragraph(
      'A manifest is checked on many machines, and in pull requests from strangers.',
      'What it builds on is therefore named relative to the file itself, and lies in the same repository.',
    ),
    example: example('/srv/base.yaml'),
  }),
  'extends/missing': entry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The manifest to build on is not there',
    message: ({ path }) => `this builds on ${quoted(path)}, and there is no such file`,
    help: () => 'the path is relative to the file that says it; mend it, or add the file',
    explanation: paragraph(
      'Without the file nothing can be said of the manifest: most of its fields may stand there.',
      'The path begins at the folder of the file with `extends`, not at the folder that Landform runs in.',
    ),
    example: example('../bsae.yaml'),
  }),
  'extends/unusable': entry<{ readonly path: string; readonly defect: FileDefect }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The manifest to build on cannot be used',
    message: ({ path, defect }) => `this builds on ${quoted(path)}, which ${describeDefect(defect)}`,
    help: () =>
      'it is a regular file in the same repository, or, where there is none, below the folder that Landform runs in',
    explanation: paragraph(
      'A manifest may come from a stranger, and its mistakes are shown with the lines around them.',
      'So only files of the same repository are read: those below the nearest folder with `.git`.',
      'Where there is no repository, they lie below the folder that Landform runs in, or below that of the manifest.',
      'Links that lead out, devices and pipes are refused.',
    ),
    example: example('../../../elsewhere/base.yaml'),
  }),
  'extends/circle': entry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A manifest builds on itself',
    message: ({ path }) => `this builds on ${quoted(path)}, which builds on this`,
    help: () => 'remove one of the two; what both need goes into a third file',
    explanation: paragraph(
      'A manifest that builds on itself, by whatever way round, has no first value to begin with.',
      'Put what the files share into one that extends nothing.',
    ),
    example: example('site.yaml'),
  }),
  'extends/too-deep': entry<{ readonly most: number }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'Too many manifests build on one another',
    message: ({ most }) => `too many manifests build on one another; there are at most ${most}`,
    help: () => 'merge some of them; a base and one file an environment is what most need',
    explanation: paragraph(
      'Nobody can tell any more where a value comes from when it passed through so many files.',
      '`landform render` prints what the files make together, which is a good beginning for merging some.',
    ),
    example: example('../base-of-base-of-base.yaml'),
  }),
} as const
