import {
  describeDefect,
  describeGap,
  describeSecretPlace,
  type ReferenceDefect,
  type ReferenceGap,
  type SecretPlace,
} from '../reference-defect.js'
import { lines, paragraph, quoted } from '../words.js'
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
    explanation: paragraph(
      'A manifest is kept in git and shown in pull requests, so a secret in it is known to everybody who reads there, for good.',
      'Put the secret into an environment variable or an untracked file, and write where it is.',
      'If the file was shared, the secret is known: change it.',
    ),
    example: {
      wrong: lines('administrator:', '  password: change-me-1'),
      right: lines('administrator:', '  password: { env: LANDFORM_ADMIN_PASSWORD }'),
    },
  }),
  'secret/reference': entry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A secret reference that cannot be followed',
    message: ({ field, problem }) => `the reference of ${quoted(field)} ${problem}`,
    help: () => 'write { env: LANDFORM_… } or { file: path/below/the/manifest }',
    explanation: paragraph(
      'A secret is named in one of two ways: by a variable (`env`) or by a file (`file`), and by just one of them.',
      'Names of variables begin with `LANDFORM_`, so that a pull request cannot reach for those of other tools.',
      'Files lie in the folder of the manifest or below it.',
    ),
    example: {
      wrong: lines('site:', '  token: { env: LANDFORM_TOKEN, file: secrets/token }'),
      right: lines('site:', '  token: { env: LANDFORM_TOKEN }'),
    },
  }),
  'secret/missing': entry<{
    readonly field: string
    readonly place: SecretPlace
    readonly gap: ReferenceGap
  }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A secret that a reference names is not there',
    message: ({ field, place, gap }) =>
      `${quoted(field)} refers to ${describeSecretPlace(place)}, which ${describeGap(gap)}`,
    help: () =>
      'set the variable (`export NAME=…`, or a secret of your CI), or write the file; --emulate needs neither',
    explanation: paragraph(
      'The reference is well formed, but where it leads there is nothing.',
      'References are followed only when a plan is made or applied, so the secrets of a site are not needed to validate its manifest.',
      'Set the variable in the environment of the command or of your CI job, or write the file beside the manifest.',
    ),
    example: {
      wrong: lines('site:', '  token: { env: LANDFORM_TOKN } # and LANDFORM_TOKEN is set'),
      right: lines('site:', '  token: { env: LANDFORM_TOKEN }'),
    },
  }),
  'secret/malformed': entry<{
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
      `the secret of ${quoted(field)}, from ${describeSecretPlace(place)}, ${describeDefect(defect)}`,
    explanation: paragraph(
      'Something is where the reference leads, but it cannot be the secret: it is empty, too long or no text.',
      'A pipeline that expands a variable that is not set often leaves such an empty value.',
      'Look at the source of the secret; its value is never shown here.',
    ),
  }),
  'file/path': entry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A path that a manifest may not use',
    message: ({ field, problem }) => `the path of ${quoted(field)} ${problem}`,
    help: () => 'files lie in the folder of the manifest or below it; write the path relative to it, with /',
    explanation: paragraph(
      'A manifest may come from a pull request of somebody else, so it names only files in its own folder or below.',
      'Paths are relative and use `/` on every system, which lets one manifest serve everywhere.',
      'Move the file there, or let your pipeline copy it there.',
    ),
    example: {
      wrong: lines('license: { file: ../licenses/site.json }'),
      right: lines('license: { file: licenses/site.json }'),
    },
  }),
  'file/missing': entry<{ readonly field: string; readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Landform',
    title: 'A file that the manifest names is not there',
    message: ({ field, path }) => `${quoted(field)} names ${quoted(path)}, and there is no such file`,
    help: () => 'put the file there; the path is relative to the folder of the manifest',
    explanation: paragraph(
      'The path is read from the folder of the manifest, not from where the command runs.',
      'License files are seldom kept in git: let your pipeline put them there before it applies.',
    ),
    example: {
      wrong: lines('license: { file: site.json } # and it lies in licenses'),
      right: lines('license: { file: licenses/site.json }'),
    },
  }),
  'file/unusable': entry<{
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
      `${quoted(field)} names ${quoted(path)}, which ${describeDefect(defect)}`,
    explanation: paragraph(
      'The path leads to something that cannot be sent: no readable file, an empty or a very large one, or one that a link fetches from outside the folder.',
      'Put the file itself there, readable for the user that runs Landform.',
    ),
  }),
} as const
