import { newestReportedVersion, newestVersion } from '../../contract/versions.js'
import { formatAll, joinLines, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** The reported names or values to use instead of an unknown one. */
export interface ReportedAlternatives {
  readonly suggestion: string | undefined
  readonly allowed: readonly string[]
}

function formatReportedNames({ suggestion, allowed }: ReportedAlternatives): string {
  return suggestion === undefined ? `reported: ${formatAll(allowed)}` : `did you mean ${quote(suggestion)}?`
}

function explainUnreported(consequence: string): string {
  return joinSentences(
    `Parameters of versions after ${newestVersion} are known from public reports, which may be incomplete, so the value is sent unchanged.`,
    consequence,
    'Correct it, or rehearse the manifest on a disposable site.',
  )
}

/** The declared version, and its fields. */
export const versionEntries = {
  'version/unsupported': defineEntry<{ readonly version: string; readonly oldest: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §9',
    title: 'A service version without `configure`',
    message: ({ version, oldest }) =>
      `service version ${quote(version)} has no \`configure\` operation, which was introduced in ${oldest}`,
    help: ({ oldest }) => `use version ${oldest} or later, such as "${newestVersion}"`,
    explanation: () =>
      joinSentences(
        'Older versions do not have the operation that creates the organization, so a manifest cannot describe such a site.',
        'If the site runs a newer version, declare that version; otherwise upgrade the site first.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "10.8" }'),
      right: joinLines('site: { version: "11.2" }'),
    }),
  }),
  'version/field-too-new': defineEntry<{
    readonly field: string
    readonly needs: string
    readonly declared: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §9',
    title: 'A field newer than the declared service version',
    message: ({ field, needs }) => `${quote(field)} requires service version ${needs}`,
    help: ({ needs, declared }) =>
      `the manifest declares ${declared}: set \`spec.site.version\` to "${needs}" if the site runs it, or remove the field`,
    explanation: () =>
      joinSentences(
        'The declared version determines the fields of a manifest: an older service may reject or ignore newer fields.',
        'If the site runs the newer version, declare it; otherwise remove the field until the site is upgraded.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "11.1" }', 'upgrade: { podPlacementPolicy: {} }'),
      right: joinLines('site: { version: "11.2" }', 'upgrade: { podPlacementPolicy: {} }'),
    }),
  }),
  'version/reported': defineEntry<{ readonly declared: string; readonly reportedBy: string }>({
    severity: 'note',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A service version known only from public reports',
    message: ({ declared, reportedBy }) =>
      `service version ${declared} is known from public reports (${reportedBy}), not from the service document`,
    help: () => 'rehearse with `landform apply --emulate`, then on a disposable site',
    explanation: () =>
      joinSentences(
        `The service document ends with ${newestVersion}; parameters of later versions are known from public sources.`,
        'Each such field names its source in editors and in `landform explain FIELD`.',
        'Creation cannot be undone, so a plan for such a version repeats this note.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "11.5" }'),
      right: joinLines('site: { version: "11.2" } # if the site runs it'),
    }),
  }),
  'version/newer': defineEntry<{ readonly declared: string; readonly checkedAs: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §9',
    title: 'Unknown service version',
    message: ({ declared, checkedAs }) =>
      `service version ${declared} is neither documented nor reported; it is checked as ${checkedAs}`,
    help: () => 'put new parameters of `configure` under `spec.extra`',
    explanation: () =>
      joinSentences(
        `The service document covers versions up to ${newestVersion}, and public reports up to ${newestReportedVersion}; other versions are checked as the nearest earlier one.`,
        'Newer parameters are not checked, and changes are not detected.',
        'Send new parameters through `spec.extra`, and rehearse the manifest on a disposable site.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "13.0" } # and the site runs 11.2'),
      right: joinLines('site: { version: "11.2" }'),
    }),
  }),
  'version/value-unknown': defineEntry<
    {
      readonly field: string
      readonly found: string
    } & ReportedAlternatives
  >({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value that is not reported for this version',
    message: ({ field, found }) => `${quote(found)} is not a reported value of ${quote(field)}`,
    help: formatReportedNames,
    explanation: () => explainUnreported('The service may reject it, or use another value.'),
    example: () => ({
      wrong: joinLines('site: { version: "11.5" }', 'profile: standard-availabilty'),
      right: joinLines('site: { version: "11.5" }', 'profile: standard-availability'),
    }),
  }),
  'version/field-unknown': defineEntry<{ readonly field: string } & ReportedAlternatives>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A field that is not reported for this version',
    message: ({ field }) => `${quote(field)} is not a reported field of a connection`,
    help: formatReportedNames,
    explanation: () => explainUnreported('The service may reject or ignore it.'),
    example: () => ({
      wrong: joinLines(
        'site: { version: "11.5" }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1, regoin: eu-west-1 } }',
      ),
      right: joinLines(
        'site: { version: "11.5" }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    }),
  }),
  'site/version-differs': defineEntry<{ readonly declared: string; readonly reported: string }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Service §2.3',
    title: 'The site runs a different version',
    message: ({ declared, reported }) =>
      `\`spec.site.version\` is ${declared}, but the site reports ${reported}`,
    help: ({ reported }) => `set it to ${reported}, so that the right fields are checked`,
    explanation: () =>
      joinSentences(
        'The manifest is checked for its declared version, but the site runs another one.',
        'The check may miss fields that the site accepts, or allow fields that it does not know.',
        'Declare the version that the site reports.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "11.1" } # and the site reports 11.2'),
      right: joinLines('site: { version: "11.2" }'),
    }),
  }),
  'site/without-configure': defineEntry<{ readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'value',
    source: 'Service §9',
    title: 'The site is too old for `configure`',
    message: ({ needs, reported }) =>
      `\`configure\` requires service version ${needs}, but the site reports ${reported}`,
    help: () => 'upgrade the site first, or correct `spec.site.url` if it names another site',
    explanation: () =>
      joinSentences(
        'The operation that creates the organization was introduced in a later version than the site reports.',
        'How such a site handles the request is not known, and creation cannot be undone, so no plan is made.',
        'Upgrade the site, or correct the URL if it points to another site.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "11.2" } # and the site reports 10.8'),
      right: joinLines('site: { version: "11.2" } # and the site reports 11.2'),
    }),
  }),
  'site/too-old': defineEntry<{ readonly field: string; readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'key',
    source: 'Service §9',
    title: 'The site is too old for a field',
    message: ({ field, needs, reported }) =>
      `${quote(field)} requires service version ${needs}, but the site reports ${reported}`,
    help: () => 'remove the field, or upgrade the site first',
    explanation: () =>
      joinSentences(
        'The declared version has the field, but the site reports an older version.',
        'The site could reject the request or ignore the field, so no plan is made.',
        'Upgrade the site, or remove the field and declare the version of the site.',
      ),
    example: () => ({
      wrong: joinLines(
        'site: { version: "11.2" } # and the site reports 11.1',
        'upgrade: { podPlacementPolicy: {} }',
      ),
      right: joinLines('site: { version: "11.1" }'),
    }),
  }),
} as const
