import { describeDefect, type FileDefect } from '../reference-defect.js'
import { quote } from '../words.js'
import { defineEntry } from './entry.js'

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
  }),
  'extends/missing': defineEntry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'The base manifest does not exist',
    message: ({ path }) => `the base manifest ${quote(path)} does not exist`,
    help: () => 'correct the path, which is relative to this file, or add the file',
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
  }),
  'extends/circle': defineEntry<{ readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A manifest extends itself',
    message: ({ path }) => `circular \`extends\`: ${quote(path)} extends this file`,
    help: () => 'remove one of the two `extends`, and move shared fields to a third file',
  }),
  'extends/too-deep': defineEntry<{ readonly max: number }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'Too many levels of `extends`',
    message: ({ max }) => `too many levels of \`extends\`: at most ${max} manifests`,
    help: () => 'merge some of them; a base and one file for each environment are usually enough',
  }),
} as const
