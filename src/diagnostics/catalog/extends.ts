import { describeDefect, type FileDefect } from '../reference-defect.js'
import { joinLines, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

const buildExample = (wrong: string) => ({
  wrong: joinLines(`extends: ${wrong}`, 'metadata: { name: production }'),
  right: joinLines('extends: ../base.yaml', 'metadata: { name: production }'),
})

/** Manifests that extend others. */
export const extendsEntries = {
  'extends/path': defineEntry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid path in `extends`',
    message: ({ problem }) => `the path of \`extends\` ${problem}`,
    help: () => 'write a path relative to this file, with /, such as ../base.yaml',
    explanation: () =>
      joinSentences(
        'A manifest is checked on many machines, and in pull requests from unknown authors.',
        'The base manifest is therefore named relative to the file itself and must be in the same repository.',
      ),
    example: () => buildExample('/srv/base.yaml'),
  }),
  'extends/missing': defineEntry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The base manifest does not exist',
    message: ({ path }) => `the base manifest ${quote(path)} does not exist`,
    help: () => 'correct the path, which is relative to this file, or add the file',
    explanation: () =>
      joinSentences(
        'Without the base the manifest cannot be checked, because most of its fields may be there.',
        'The path is relative to the folder of the file with `extends`, not to the working folder.',
      ),
    example: () => buildExample('../bsae.yaml'),
  }),
  'extends/unusable': defineEntry<{ readonly path: string; readonly defect: FileDefect }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The base manifest cannot be used',
    message: ({ path, defect }) => `the base manifest ${quote(path)} ${describeDefect(defect)}`,
    help: () =>
      'use a regular file in the same repository or, without a repository, below the working folder',
    explanation: () =>
      joinSentences(
        'A manifest may come from an unknown author, and its mistakes are shown with the lines around them.',
        'Only files of the same repository are read: those below the nearest folder with `.git`.',
        'Without a repository, the file must be below the working folder or the folder of the manifest.',
        'Links that point outside, devices and pipes are rejected.',
      ),
    example: () => buildExample('../../../elsewhere/base.yaml'),
  }),
  'extends/circle': defineEntry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A manifest extends itself',
    message: ({ path }) => `circular \`extends\`: ${quote(path)} extends this file`,
    help: () => 'remove one of the two `extends`, and move shared fields to a third file',
    explanation: () =>
      joinSentences(
        'A manifest that extends itself, directly or through others, has no base to start from.',
        'Move the shared fields to a file that extends nothing.',
      ),
    example: () => buildExample('site.yaml'),
  }),
  'extends/too-deep': defineEntry<{ readonly max: number }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'Too many levels of `extends`',
    message: ({ max }) => `too many levels of \`extends\`: at most ${max} manifests`,
    help: () => 'merge some of them; a base and one file for each environment are usually enough',
    explanation: () =>
      joinSentences(
        'With so many files it is hard to see where a value comes from.',
        '`landform render` prints the merged manifest, which helps when you merge some of them.',
      ),
    example: () => buildExample('../base-of-base-of-base.yaml'),
  }),
} as const
