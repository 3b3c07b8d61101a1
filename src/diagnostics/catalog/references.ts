import {
  describeDefect,
  describeGap,
  describeSecretPlace,
  type ReferenceDefect,
  type ReferenceGap,
  type SecretPlace,
} from '../reference-defect.js'
import { joinLines, joinSentences, quote } from '../words.js'
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
    explanation: () =>
      joinSentences(
        'A manifest is kept in git and shown in pull requests, so everyone with access can read a secret in it, permanently.',
        'Put the secret into an environment variable or an untracked file, and refer to it.',
        'If the file was shared, treat the secret as compromised and change it.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  password: change-me-1'),
      right: joinLines('administrator:', '  password: { env: LANDFORM_ADMIN_PASSWORD }'),
    }),
  }),
  'secret/reference': defineEntry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid secret reference',
    message: ({ field, problem }) => `the reference in ${quote(field)} ${problem}`,
    help: () => 'write { env: LANDFORM_… } or { file: path/below/the/manifest }',
    explanation: () =>
      joinSentences(
        'A reference has exactly one of `env` (an environment variable) and `file` (a file).',
        'Variable names begin with `LANDFORM_`, so that a pull request cannot read the variables of other tools.',
        'Files must be in the folder of the manifest or below it.',
      ),
    example: () => ({
      wrong: joinLines('site:', '  token: { env: LANDFORM_TOKEN, file: secrets/token }'),
      right: joinLines('site:', '  token: { env: LANDFORM_TOKEN }'),
    }),
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
      `${quote(field)} refers to ${describeSecretPlace(place)}, which ${describeGap(gap)}`,
    help: () =>
      'set the variable (`export NAME=…`, or a CI secret), or create the file; --emulate needs neither',
    explanation: () =>
      joinSentences(
        'The reference is well formed, but the variable or file does not exist.',
        'References are resolved only when a plan is made or applied, so validating a manifest does not need its secrets.',
        'Set the variable in the environment of the command or of your CI job, or create the file next to the manifest.',
      ),
    example: () => ({
      wrong: joinLines('site:', '  token: { env: LANDFORM_TOKN } # and LANDFORM_TOKEN is set'),
      right: joinLines('site:', '  token: { env: LANDFORM_TOKEN }'),
    }),
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
    explanation: () =>
      joinSentences(
        'The referenced value exists, but it is empty, too long or not text.',
        'An empty value is often left by a pipeline that expands an unset variable.',
        'Check the source of the secret; its value is never shown here.',
      ),
  }),
  'file/path': defineEntry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid file path',
    message: ({ field, problem }) => `the path of ${quote(field)} ${problem}`,
    help: () => 'use a path relative to the folder of the manifest, with /, to a file in it or below it',
    explanation: () =>
      joinSentences(
        'A manifest may come from an untrusted pull request, so it can only use files in its own folder or below.',
        'Paths are relative and use `/` on every system, so that a manifest works everywhere.',
        'Move the file there, or have your pipeline copy it.',
      ),
    example: () => ({
      wrong: joinLines('license: { file: ../licenses/site.json }'),
      right: joinLines('license: { file: licenses/site.json }'),
    }),
  }),
  'file/missing': defineEntry<{ readonly field: string; readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A file of the manifest does not exist',
    message: ({ field, path }) => `${quote(field)} names ${quote(path)}, which does not exist`,
    help: () => 'create the file; the path is relative to the folder of the manifest',
    explanation: () =>
      joinSentences(
        'The path is relative to the folder of the manifest, not to the working folder.',
        'License files are rarely kept in git: have your pipeline add them before it applies.',
      ),
    example: () => ({
      wrong: joinLines('license: { file: site.json } # and it is in licenses'),
      right: joinLines('license: { file: licenses/site.json }'),
    }),
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
    explanation: () =>
      joinSentences(
        'The path cannot be sent: it is not a readable file, it is empty or very large, or a link leads outside the folder.',
        'Use a regular file that the user running Landform can read.',
      ),
  }),
} as const
