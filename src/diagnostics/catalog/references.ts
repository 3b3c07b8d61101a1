import { quoted } from '../words.js'
import { entry } from './entry.js'

/** Secrets and files that a manifest refers to. */
export const referencesEntries = {
  'secret/literal': entry<{ readonly field: string; readonly variable: string }>({
    severity: 'error',
    phase: 'manifest',
    // Not the value: the length of the mark would tell the length of the secret.
    marks: 'key',
    source: 'Landform',
    title: 'A secret is written into the manifest',
    message: ({ field }) => `${quoted(field)} is a secret, and a manifest only refers to secrets`,
    help: ({ variable }) =>
      `write { env: ${variable} } or { file: secrets/… }, and change the secret if this file was shared`,
  }),
  'secret/reference': entry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A secret reference that cannot be followed',
    message: ({ field, problem }) => `the reference of ${quoted(field)} ${problem}`,
    help: () => 'write { env: LANDFORM_… } or { file: path/below/the/manifest }',
  }),
  'secret/missing': entry<{ readonly field: string; readonly where: string; readonly problem: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A secret that a reference names is not there',
    message: ({ field, where, problem }) => `${quoted(field)} refers to ${where}, which ${problem}`,
    help: () =>
      'set the variable (`export NAME=…`, or a secret of your CI), or write the file; --emulate needs neither',
  }),
  'secret/malformed': entry<{ readonly field: string; readonly where: string; readonly problem: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A secret that cannot be used',
    message: ({ field, where, problem }) => `the secret of ${quoted(field)}, from ${where}, ${problem}`,
  }),
  'file/path': entry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A path that a manifest may not use',
    message: ({ field, problem }) => `the path of ${quoted(field)} ${problem}`,
    help: () => 'files lie in the folder of the manifest or below it; write the path relative to it, with /',
  }),
  'file/missing': entry<{ readonly field: string; readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A file that the manifest names is not there',
    message: ({ field, path }) => `${quoted(field)} names ${quoted(path)}, and there is no such file`,
    help: () => 'put the file there; the path is relative to the folder of the manifest',
  }),
  'file/unusable': entry<{ readonly field: string; readonly path: string; readonly problem: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A file that cannot be used',
    message: ({ field, path, problem }) => `${quoted(field)} names ${quoted(path)}, which ${problem}`,
  }),
} as const
