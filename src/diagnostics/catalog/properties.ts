import type { NotMigratedReason } from '../../contract/configure-properties.js'
import { formatAll, formatSuggestion, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

const vendor =
  "Reported: the vendor's configuration script (10.9.1), deployment guides (11.1 to 12.1), Helm chart (1.1 to 1.3) and Terraform module"

/** Property files of the vendor's configuration script, and the values of its chart. */
export const propertiesEntries = {
  'properties/syntax': defineEntry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'Not a plain property',
    message: ({ problem }) => `this line ${problem}`,
    help: () => 'write NAME="value", without anything that a shell would expand',
  }),
  'properties/shell': defineEntry<{ readonly name: string }>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'A value that needs a shell',
    message: ({ name }) => `the value of ${quote(name)} depends on a shell environment`,
    help: () => 'write the value itself',
  }),
  'properties/repeated': defineEntry<{ readonly name: string; readonly line: number }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'key',
    source: 'Landform',
    title: 'Duplicate property',
    message: ({ name, line }) => `${quote(name)} is set again in line ${line}, which takes precedence`,
  }),
  'properties/unknown': defineEntry<{ readonly name: string; readonly suggestion: string | undefined }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'key',
    source: vendor,
    title: 'Unknown property',
    message: ({ name }) => `${quote(name)} is not a known property and is not in the manifest`,
    help: ({ suggestion }) => formatSuggestion(suggestion),
  }),
  'properties/left-out': defineEntry<{
    readonly names: readonly string[]
    readonly because: NotMigratedReason
  }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'key',
    source: vendor,
    title: 'A property that was not migrated',
    message: ({ names, because }) =>
      `${formatFirst(names)} ${names.length === 1 ? 'was' : 'were'} not migrated: ${reasons[because][0]}`,
    help: ({ because }) => reasons[because][1],
  }),
  'properties/secret': defineEntry<{
    readonly name: string
    readonly isEncrypted: boolean
    readonly variable: string
  }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'value',
    source: vendor,
    title: 'A secret in the property file',
    message: ({ name, isEncrypted, variable }) =>
      `the secret ${quote(name)}${isEncrypted ? '' : ', readable in this file,'} was not copied; the manifest refers to ${quote(variable)}`,
    help: ({ isEncrypted, variable }) =>
      isEncrypted
        ? `decrypt it with its key file, and store the plain text as ${variable} in the secret store of your CI`
        : `choose a new secret, store it as ${variable} in the secret store of your CI, and delete this file`,
  }),
  'properties/license-path': defineEntry<{ readonly name: string; readonly path: string }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'The license file must be copied',
    message: ({ name, path }) => `the manifest expects the file of ${quote(name)} at ${quote(path)}`,
    help: ({ path }) => `copy the file to ${path}, below the folder of the manifest`,
  }),
  'properties/host': defineEntry<{ readonly name: string; readonly problem: keyof typeof hostProblems }>({
    severity: 'warning',
    phase: 'properties',
    marks: 'value',
    source: vendor,
    title: 'Not a full host name',
    message: ({ name, problem }) => `${quote(name)} ${hostProblems[problem]}`,
    help: () => 'write the host name as it is in DNS, such as gis.example.org, or give --url',
  }),
  'properties/form': defineEntry<{
    readonly name: string
    readonly form: 'a map' | 'a single value' | 'unwrapped'
  }>({
    severity: 'error',
    phase: 'properties',
    marks: 'key',
    source: vendor,
    title: 'A value of another form',
    message: ({ name, form }) =>
      form === 'unwrapped'
        ? 'the file is the output of `terraform output -json`, in which each value is wrapped in a map with its type'
        : `${name === '' ? 'the file' : quote(name)} must be ${form}`,
    help: ({ form }) => forms[form],
  }),
  'properties/hcl': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: vendor,
    title: 'Terraform variables that are not JSON',
    message: () => 'variables in HCL are not supported',
    help: () => 'write them as JSON, in a file NAME.tfvars.json, which Terraform reads as well',
  }),
  'properties/resource': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'properties',
    marks: 'value',
    source: 'Landform',
    title: 'A Kubernetes resource without the values of a chart',
    message: () => 'the file is a Kubernetes resource without chart values',
    help: () =>
      'write the values below `spec.values` or `spec.source.helm.valuesObject`, or in a file of their own',
  }),
} as const

const forms = {
  'a map': 'write its keys below it',
  'a single value': 'write a text, a number, true, false or null',
  unwrapped: "keep only the values: terraform output -json | jq 'map_values(.value)'",
} as const

/** Formats a few names, or the first and the number of the others. */
function formatFirst(names: readonly string[]): string {
  const [first = ''] = names
  return names.length > 3 ? `${quote(first)} and ${names.length - 1} other properties` : formatAll(names)
}

const hostProblems = {
  'an-address': 'is more than a host name; the manifest uses only the host',
  'no-domain': 'is a host name without a domain',
} as const

const reasons: Readonly<Record<NotMigratedReason, readonly [reason: string, help: string | undefined]>> = {
  'no-parameter': [
    'no matching service parameter is known',
    'set it after the organization has been created',
  ],
  'about-the-cluster': ["part of the deployment or of the vendor's tools, not of the service", undefined],
  'chart-configures': [
    'with it the chart configures the site itself, and `configure` cannot be undone',
    'set it to false before the chart is installed, so that only Landform configures',
  ],
  'another-profile': [
    'the manifest has a `profile`, as before 12.1',
    'give --service-version 12.1 and no --profile',
  ],
  'cloud-file': [
    'it names a file that contains secrets',
    'fill in spec.cloudStorage, or give --cloud and --credential, which write that section',
  ],
  'own-object-store': [
    'from 11.2 the module creates an object store itself if no file describes one',
    'write spec.cloudStorage for the object store of the site; --cloud and --credential generate that section',
  ],
  'placement-file': [
    'no public source names the parameter of `configure` for placement policies, which 12.1 added',
    'once the `configure` page of the site shows it, send it by spec.extra, or place the pods of stores afterwards',
  ],
  'no-version': [
    'its value does not begin with a version such as 11.2',
    'give the version of the site with --service-version',
  ],
  'another-version': [
    'the site reports another version, which the manifest has',
    'check that this file belongs to the site',
  ],
  'one-license': ['since 11.0 one license file contains everything (reported)', undefined],
  'no-label': [
    'its value is not a pair of key and value',
    'write it like arcgis/tier:storage, or add the label to the manifest',
  ],
}
