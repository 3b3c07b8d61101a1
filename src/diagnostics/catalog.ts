import { limits } from '../contract/limits.js'
import { secretQuestions } from '../contract/questions.js'
import { newestVersion } from '../contract/versions.js'
import { allOf, oneOf, quoted, shortList } from './words.js'

/** How a code reads, and what it points at. All wording about the user's text is here. */
interface CatalogEntry<F> {
  readonly severity: 'error' | 'warning'
  /** When it can arise: reading the manifest, resolving its references, or comparing it with the site. */
  readonly phase: 'manifest' | 'references' | 'plan'
  /** The part of the source that is marked: the key of the field, or its value. */
  readonly marks: 'key' | 'value'
  /** The problem in a few words. */
  readonly title: string
  readonly message: (facts: F) => string
  readonly help?: (facts: F) => string | undefined
}

function entry<F>(entry: CatalogEntry<F>): CatalogEntry<F> {
  return entry
}

interface None {
  readonly [fact: string]: never
}

const didYouMean = (suggestion: string | undefined) =>
  suggestion === undefined ? undefined : `did you mean ${quoted(suggestion)}?`

export const catalog = {
  'yaml/not-text': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The file is not UTF-8 text',
    message: () => 'the file is not UTF-8 text, or holds a NUL character',
    help: () => 'save it as UTF-8',
  }),
  'yaml/empty': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The file holds no document',
    message: () => 'the file holds no manifest',
    help: () => 'begin with `apiVersion: landform.dev/v1` and `kind: SiteDeployment`',
  }),
  'yaml/syntax': entry<{ readonly reason: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The file is not YAML',
    message: ({ reason }) => `this is not YAML: ${reason}`,
    help: () =>
      'compare the indentation and quotes of this line and the ones before it; a value that holds `: ` or ` #` needs quotes',
  }),
  'yaml/several-documents': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The file holds more than one document',
    message: () => 'a second document begins here; a file holds one manifest',
    help: () => 'put each manifest into a file of its own',
  }),
  'yaml/duplicate-key': entry<{ readonly key: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'A key is written twice',
    message: ({ key }) => `${quoted(key)} is written twice in the same map`,
    help: () => 'keep one of them',
  }),
  'yaml/unsupported': entry<{ readonly what: string; readonly instead: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A YAML feature that manifests do not have',
    message: ({ what }) => `manifests have no ${what}`,
    help: ({ instead }) => instead,
  }),
  'yaml/too-large': entry<{ readonly what: string; readonly limit: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The file is larger or deeper than a manifest can be',
    message: ({ what, limit }) => `${what}; a manifest has at most ${limit}`,
  }),

  'manifest/unknown-field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
    /** Where the manifest has what the service calls by this name. */
    readonly home: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'A field that does not exist here',
    message: ({ field }) => `there is no field ${quoted(field)} here`,
    help: ({ field, suggestion, allowed, home }) =>
      (home === undefined
        ? undefined
        : `${quoted(field)} is the service's name; in a manifest it is ${quoted(home)}`) ??
      didYouMean(suggestion) ??
      (allowed.length === 0 ? 'remove it' : `here may stand ${shortList(allowed)}`),
  }),
  'manifest/missing-field': entry<{ readonly owner: string; readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'A required field is missing',
    message: ({ owner, missing }) => `${quoted(owner)} lacks ${allOf(missing)}`,
  }),
  'manifest/wrong-type': entry<{
    readonly field: string
    readonly expected: string
    readonly found: string
    /** The value as it should be written, where that is plain. */
    readonly rewritten: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A value of the wrong type',
    message: ({ field, expected, found }) => `${quoted(field)} takes ${expected}, but this is ${found}`,
    help: ({ rewritten }) => (rewritten === undefined ? undefined : `write ${rewritten}`),
  }),
  'manifest/value-not-allowed': entry<{
    readonly field: string
    readonly found: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A value outside the allowed set',
    message: ({ field, found }) => `${quoted(field)} cannot be ${quoted(found)}`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `use ${shortList(allowed)}`,
  }),
  'manifest/malformed-value': entry<{ readonly field: string; readonly rule: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A value of the wrong form',
    message: ({ field, rule }) => `${quoted(field)} must ${rule}`,
  }),

  'version/unsupported': entry<{ readonly version: string; readonly oldest: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A service version without `configure`',
    message: ({ version, oldest }) =>
      `service version ${quoted(version)} has no \`configure\`, which came with ${oldest}`,
    help: ({ oldest }) => `name a version from ${oldest} on, such as "${newestVersion}"`,
  }),
  'version/field-too-new': entry<{
    readonly field: string
    readonly needs: string
    readonly declared: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'A field newer than the declared service version',
    message: ({ field, needs, declared }) =>
      `${quoted(field)} needs service version ${needs}; \`spec.site.version\` says ${declared}`,
    help: ({ needs }) => `set \`spec.site.version\` to "${needs}" if the site runs it, or remove the field`,
  }),

  'site/url': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The address of the site cannot be used',
    message: ({ problem }) => `the address of the site ${problem}`,
    help: () => 'write the base URL of the administrator API, such as https://gis.example.org/arcgis/admin',
  }),

  'secret/literal': entry<{ readonly field: string; readonly variable: string }>({
    severity: 'error',
    phase: 'manifest',
    // Not the value: the length of the mark would tell the length of the secret.
    marks: 'key',
    title: 'A secret is written into the manifest',
    message: ({ field }) => `${quoted(field)} is a secret, and a manifest only refers to secrets`,
    help: ({ variable }) =>
      `write { env: ${variable} } or { file: secrets/… }, and change the secret if this file was shared`,
  }),
  'secret/reference': entry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A secret reference that cannot be followed',
    message: ({ field, problem }) => `the reference of ${quoted(field)} ${problem}`,
    help: () => 'write { env: LANDFORM_… } or { file: path/below/the/manifest }',
  }),
  'secret/missing': entry<{ readonly field: string; readonly where: string; readonly problem: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    title: 'A secret that a reference names is not there',
    message: ({ field, where, problem }) => `${quoted(field)} refers to ${where}, which ${problem}`,
    help: () =>
      'set the variable (`export NAME=…`, or a secret of your CI), or write the file; --emulate needs neither',
  }),
  'secret/malformed': entry<{ readonly field: string; readonly where: string; readonly problem: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    title: 'A secret that cannot be used',
    message: ({ field, where, problem }) => `the secret of ${quoted(field)}, from ${where}, ${problem}`,
  }),
  'file/path': entry<{ readonly field: string; readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A path that a manifest may not use',
    message: ({ field, problem }) => `the path of ${quoted(field)} ${problem}`,
    help: () => 'files lie in the folder of the manifest or below it; write the path relative to it, with /',
  }),
  'file/missing': entry<{ readonly field: string; readonly path: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    title: 'A file that the manifest names is not there',
    message: ({ field, path }) => `${quoted(field)} names ${quoted(path)}, and there is no such file`,
    help: () => 'put the file there; the path is relative to the folder of the manifest',
  }),
  'file/unusable': entry<{ readonly field: string; readonly path: string; readonly problem: string }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    title: 'A file that cannot be used',
    message: ({ field, path, problem }) => `${quoted(field)} names ${quoted(path)}, which ${problem}`,
  }),

  'administrator/username': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The user name is too short',
    message: () => `\`username\` has at least ${limits.usernameCharacters} characters`,
  }),
  'administrator/email': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'The e-mail address has the wrong form',
    message: () => '`email` is not an e-mail address',
    help: () => 'write one address, such as admin@example.org',
  }),
  'administrator/password': entry<{ readonly lacks: readonly string[] }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    title: 'The password breaks a rule of the service',
    message: ({ lacks }) => `the password that \`password\` refers to lacks ${lacks.join(' and ')}`,
    help: () =>
      `the service wants at least ${limits.passwordCharacters} characters, one letter A-Z or a-z, and one digit`,
  }),
  'administrator/security-question': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'The secret question is not chosen in one way',
    message: ({ problem }) => `\`securityQuestion\` ${problem}`,
    help: () =>
      `choose it by its text (\`question\`) or by its number from 1 to ${secretQuestions.length} (\`index\`)`,
  }),

  'volume/missing-component': entry<{ readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'A volume is missing',
    message: ({ missing }) =>
      `${allOf(missing)} ${missing.length === 1 ? 'has no volume' : 'have no volumes'}; each of the ${limits.volumes} components has one`,
    help: ({ missing }) => `add ${missing[0]}: { size: …, storageClass: … }`,
  }),

  'cloud/secret-fields': entry<{
    readonly type: string
    readonly wanted: readonly string[]
    readonly missing: readonly string[]
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'The secret does not fit the credential type',
    message: ({ type, wanted, missing, foreign }) => {
      const faults = [
        ...(missing.length > 0 ? [`lacks ${allOf(missing)}`] : []),
        ...(foreign.length > 0 ? [`does not know ${allOf(foreign)}`] : []),
      ]
      return wanted.length === 0
        ? `${quoted(type)} carries no \`secret\``
        : `the secret of ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ wanted }) => (wanted.length === 0 ? 'remove it' : `its fields are ${allOf(wanted)}`),
  }),
  'cloud/connection-fields': entry<{
    readonly type: string
    readonly allowed: readonly string[]
    readonly missing: string | undefined
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'The connection does not fit the provider',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing === undefined ? [] : [`lacks ${quoted(missing)}`]),
        ...(foreign.length > 0 ? [`has no ${oneOf(foreign)}`] : []),
      ]
      return `a connection with ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ allowed }) => `its fields are ${allOf(allowed)}`,
  }),

  'placement/values-required': entry<{ readonly operator: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'An expression compares with no values',
    message: ({ operator }) => `${quoted(operator)} compares a label with \`values\`, and there are none`,
    help: () => 'list at least one value, or use `Exists` or `DoesNotExist`',
  }),
  'placement/toleration-value': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    title: 'A toleration with `Exists` carries a value',
    message: () => 'a toleration with `Exists` looks at the key only and carries no `value`',
    help: () => 'remove `value`, or use the operator `Equal`',
  }),

  'extra/known-parameter': entry<{ readonly parameter: string; readonly home: string | undefined }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    title: 'A known parameter stands under `extra`',
    message: ({ parameter }) => `${quoted(parameter)} is no extra parameter`,
    help: ({ home }) =>
      home === undefined ? 'remove it: Landform sets it by itself' : `write it as ${quoted(home)}`,
  }),
  'extra/passed-through': entry<{ readonly parameter: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    title: 'A parameter is sent unchecked',
    message: ({ parameter }) =>
      `${quoted(parameter)} is sent to \`configure\` as it is; nothing is known of it, so nothing is checked`,
  }),

  'site/version-differs': entry<{ readonly declared: string; readonly reported: string }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    title: 'The site runs another version',
    message: ({ declared, reported }) =>
      `\`spec.site.version\` says ${declared}, and the site reports ${reported}`,
    help: ({ reported }) =>
      `set it to the version of the site (${reported}) to have the right fields checked`,
  }),
  'site/too-old': entry<{ readonly field: string; readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'key',
    title: 'The site is older than a field of the manifest',
    message: ({ field, needs, reported }) =>
      `${quoted(field)} needs service version ${needs}, and the site reports ${reported}`,
    help: () => 'remove the field, or upgrade the site first',
  }),
} as const
