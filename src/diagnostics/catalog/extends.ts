import { describeDefect, type FileDefect } from '../reference-defect.js'
import { lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

const example = (wrong: string) => ({
  wrong: lines(`extends: ${wrong}`, 'metadata: { name: production }'),
  right: lines('extends: ../base.yaml', 'metadata: { name: production }'),
})

/** Manifests that extend others. */
export const extendsEntries = {
  'extends/path': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid path in `extends`',
    message: ({ problem }) => `the path of \`extends\` ${problem}`,
    help: () => 'write a path relative to this file, with /, such as ../base.yaml',
    explanation: paragraph(
      'A manifest is checked on many machines, and in pull requests from unknown authors.',
      'The base manifest is therefore named relative to the file itself and must be in the same repository.',
    ),
    example: example('/srv/base.yaml'),
  }),
  'extends/missing': entry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The base manifest does not exist',
    message: ({ path }) => `the base manifest ${quoted(path)} does not exist`,
    help: () => 'correct the path, which is relative to this file, or add the file',
    explanation: paragraph(
      'Without the base the manifest cannot be checked, because most of its fields may be there.',
      'The path is relative to the folder of the file with `extends`, not to the working folder.',
    ),
    example: example('../bsae.yaml'),
  }),
  'extends/unusable': entry<{ readonly path: string; readonly defect: FileDefect }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The base manifest cannot be used',
    message: ({ path, defect }) => `the base manifest ${quoted(path)} ${describeDefect(defect)}`,
    help: () =>
      'use a regular file in the same repository or, without a repository, below the working folder',
    explanation: paragraph(
      'A manifest may come from an unknown author, and its mistakes are shown with the lines around them.',
      'Only files of the same repository are read: those below the nearest folder with `.git`.',
      'Without a repository, the file must be below the working folder or the folder of the manifest.',
      'Links that point outside, devices and pipes are rejected.',
    ),
    example: example('../../../elsewhere/base.yaml'),
  }),
  'extends/circle': entry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A manifest extends itself',
    message: ({ path }) => `circular \`extends\`: ${quoted(path)} extends this file`,
    help: () => 'remove one of the two `extends`, and move shared fields to a third file',
    explanation: paragraph(
      'A manifest that extends itself, directly or through others, has no base to start from.',
      'Move the shared fields to a file that extends nothing.',
    ),
    example: example('site.yaml'),
  }),
  'extends/too-deep': entry<{ readonly max: number }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'Too many levels of `extends`',
    message: ({ max }) => `too many levels of \`extends\`: at most ${max} manifests`,
    help: () => 'merge some of them; a base and one file for each environment are usually enough',
    explanation: paragraph(
      'With so many files it is hard to see where a value comes from.',
      '`landform render` prints the merged manifest, which helps when you merge some of them.',
    ),
    example: example('../base-of-base-of-base.yaml'),
  }),
} as const
