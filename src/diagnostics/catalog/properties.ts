import type { LeftOutBecause } from '../../contract/configure-properties.js'
import { didYouMean, paragraph, quoted } from '../words.js'
import { entry, type None } from './entry.js'

const vendor = "Reported: the vendor's configuration script (10.9.1) and deployment guides (11.1 to 12.1)"

/** Property files of the vendor's configuration script. */
export const propertiesEntries = {
  'properties/syntax': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'A line that is no plain property',
    message: ({ problem }) => `this line ${problem}`,
    help: () => 'write NAME="value", with nothing that a shell would have to work out',
    explanation: paragraph(
      'The vendor lets a shell read the file; Landform reads it by itself, and never runs anything that is in it.',
      'So a value is a word or a text in quotes, without `$`, backquotes or a second line.',
    ),
  }),
  'properties/shell': entry<{ readonly name: string }>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'A value that only a shell could work out',
    message: ({ name }) => `what ${quoted(name)} is depends on the environment of a shell`,
    help: () => 'write the value itself',
    explanation: paragraph(
      'A value with `$` or a backquote is made by the shell that reads the file, from what is around it there.',
      'Landform runs no shell and knows no such environment, and a guess would be settled for good by `configure`.',
    ),
  }),
  'properties/repeated': entry<{ readonly name: string; readonly line: number }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'key',
    source: 'Landform',
    title: 'A property that stands twice',
    message: ({ name, line }) => `${quoted(name)} is said again in line ${line}, and that one counts`,
    explanation: paragraph(
      'A shell takes the last of several lines with one name, and so does Landform.',
      'Look which of them was meant.',
    ),
  }),
  'properties/unknown': entry<{ readonly name: string; readonly suggestion: string | undefined }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'key',
    source: vendor,
    title: 'A property that nobody knows',
    message: ({ name }) =>
      `${quoted(name)} is no property that is known, and nothing of it is in the manifest`,
    help: ({ suggestion }) => didYouMean(suggestion),
    explanation: paragraph(
      'The names are those of public sources, which show the files of some versions.',
      'If the property is real, look for the field that says the same; `spec.extra` takes a parameter that Landform does not know.',
    ),
  }),
  'properties/left-out': entry<{ readonly name: string; readonly because: LeftOutBecause }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'key',
    source: vendor,
    title: 'A property that is not carried over',
    message: ({ name, because }) => `${quoted(name)} is not in the manifest: ${reasons[because][0]}`,
    help: ({ because }) => reasons[because][1],
    explanation: paragraph(
      'A manifest has a field for every parameter that the service document shows, and for no other.',
      'What has none, or what cannot be said in it beyond doubt, is named, so that nothing is lost unseen.',
    ),
  }),
  'properties/secret': entry<{
    readonly name: string
    readonly isEncrypted: boolean
    readonly variable: string
  }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'value',
    source: vendor,
    title: 'A secret that stands in the property file',
    message: ({ name, isEncrypted, variable }) =>
      `the secret of ${quoted(name)} stays behind${isEncrypted ? '' : ', and stands here for all to read'}; the manifest refers to ${quoted(variable)}`,
    help: ({ isEncrypted, variable }) =>
      isEncrypted
        ? `decrypt it with its key file, and set ${variable} to the plain text in the secret store of your CI`
        : `choose a new one, set ${variable} to it in the secret store of your CI, and delete this file`,
    explanation: paragraph(
      'A manifest never holds a secret, only where it comes from, and no secret is copied by a migration.',
      'What stood in a file, or beside the key that opens it, counts as known to everybody who could read it.',
    ),
  }),
  'properties/license-path': entry<{ readonly name: string; readonly path: string }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'A license that lies elsewhere',
    message: ({ name, path }) => `the manifest names ${quoted(path)} for the file of ${quoted(name)}`,
    help: ({ path }) => `copy the file to ${path}, below the folder of the manifest`,
    explanation: paragraph(
      'A manifest names files below its own folder, so that it means the same on every machine.',
      'The property has a path on the machine that ran the script.',
    ),
  }),
  'properties/not-text': entry<None>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'A file that is no text',
    message: () => 'the file is not text in UTF-8',
    explanation: paragraph(
      'A property file is text in UTF-8, without NUL.',
      'Save it as such, and look that no character was lost.',
    ),
  }),
} as const

const reasons: Readonly<Record<LeftOutBecause, readonly [reason: string, help: string | undefined]>> = {
  'no-parameter': ['no parameter of the service is known for it', 'set it once the organization exists'],
  'no-key-needed': ['secrets come from where the manifest says, and no key file opens them', undefined],
  'about-the-cluster': [
    'it is about the deployment in the cluster, which the service is not told',
    undefined,
  ],
  'another-profile': [
    'how the profiles of 12.1 are sent is not known',
    'choose one of the profiles of the service document with --profile',
  ],
  'cloud-file': [
    'it names a file that holds secrets',
    'write spec.cloudStorage; --cloud and --credential put the section there',
  ],
  'one-license': ['from 11.0 on one license file has all (reported)', undefined],
  'no-label': [
    'its value is not a key and a value',
    'write arcgis/tier:storage, or name the label in the manifest',
  ],
}
