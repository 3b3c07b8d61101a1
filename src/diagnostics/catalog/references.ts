import {
  describeDefect,
  describeSecretPlace,
  gapWords,
  type ReferenceDefect,
  type ReferenceGap,
  type SecretPlace,
} from '../reference-defect.js'
import { quote } from '../words.js'
import { defineEntry } from './entry.js'

/** Secrets and files that a manifest refers to. */
export const referencesEntries = {
  'secret/literal': defineEntry<{ readonly field: string; readonly variable: string }>({
    severity: 'error',
    phase: 'manifest',
    // Not the value: the length of the mark would reveal the length of the secret.
    marks: 'key',
    source: 'Landform',
    title: 'A secret in the manifest',
    message: ({ field }) => `${quote(field)} must be a reference to a secret, not the secret itself`,
    help: ({ variable }) =>
      `write { env: ${variable} } or { file: secrets/… }, and change the secret if this file was shared`,
  }),
  'secret/reference': defineEntry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid secret reference',
    message: ({ field, problem }) => `the reference in ${quote(field)} ${problem}`,
    help: () => 'write { env: LANDFORM_… } or { file: path/below/the/manifest }',
  }),
  'secret/missing': defineEntry<{
    readonly field: string
    readonly place: SecretPlace
    readonly gap: ReferenceGap
  }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A referenced secret does not exist',
    message: ({ field, place, gap }) =>
      `${quote(field)} refers to ${describeSecretPlace(place)}, which ${gapWords[gap]}`,
    help: () =>
      'set the variable (`export NAME=…`, or a CI secret), or create the file; --emulate needs neither',
  }),
  'secret/malformed': defineEntry<{
    readonly field: string
    readonly place: SecretPlace
    readonly defect: ReferenceDefect
  }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A secret that cannot be used',
    message: ({ field, place, defect }) =>
      `the secret of ${quote(field)}, from ${describeSecretPlace(place)}, ${describeDefect(defect)}`,
  }),
  'file/path': defineEntry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid file path',
    message: ({ field, problem }) => `the path of ${quote(field)} ${problem}`,
    help: () => 'use a path relative to the folder of the manifest, with /, to a file in it or below it',
  }),
  'file/missing': defineEntry<{ readonly field: string; readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A file of the manifest does not exist',
    message: ({ field, path }) => `${quote(field)} names ${quote(path)}, which does not exist`,
    help: () => 'create the file; the path is relative to the folder of the manifest',
  }),
  'file/unusable': defineEntry<{
    readonly field: string
    readonly path: string
    readonly defect: ReferenceDefect
  }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A file that cannot be used',
    message: ({ field, path, defect }) =>
      `${quote(field)} names ${quote(path)}, which ${describeDefect(defect)}`,
  }),
} as const
