import { newestReportedVersion, newestVersion } from '../../contract/versions.js'
import { allOf, lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** What reports have in place of something that they lack. */
export interface Reported {
  readonly suggestion: string | undefined
  readonly allowed: readonly string[]
}

function reportedNames({ suggestion, allowed }: Reported): string {
  return suggestion === undefined ? `reported: ${allOf(allowed)}` : `did you mean ${quoted(suggestion)}?`
}

function beyondReports(consequence: string): string {
  return paragraph(
    `What versions after ${newestVersion} take is known from reports, which may lack something, so it is sent as it stands.`,
    consequence,
    'Correct it, or rehearse the manifest on a site that you can spare.',
  )
}

/** The declared version, and what it has. */
export const versionEntries = {
  'version/unsupported': entry<{ readonly version: string; readonly oldest: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §9',
    title: 'A service version without `configure`',
    message: ({ version, oldest }) =>
      `service version ${quoted(version)} has no \`configure\`, which came with ${oldest}`,
    help: ({ oldest }) => `name a version from ${oldest} on, such as "${newestVersion}"`,
    explanation: paragraph(
      'The organization is created by an operation that older versions do not have, so no manifest can describe such a site.',
      'If the site runs a newer version, write that one; otherwise upgrade the site first.',
    ),
    example: {
      wrong: lines('site: { version: "10.8" }'),
      right: lines('site: { version: "11.2" }'),
    },
  }),
  'version/field-too-new': entry<{
    readonly field: string
    readonly needs: string
    readonly declared: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §9',
    title: 'A field newer than the declared service version',
    message: ({ field, needs }) => `${quoted(field)} needs service version ${needs}`,
    help: ({ needs, declared }) =>
      `this is for ${declared}: set \`spec.site.version\` to "${needs}" if the site runs it, or remove the field`,
    explanation: paragraph(
      'The declared version decides which fields a manifest may have: what an older service does not know it may refuse or pass over.',
      'Where the site runs the newer version, declare it; otherwise take the field out until the site is upgraded.',
    ),
    example: {
      wrong: lines('site: { version: "11.1" }', 'upgrade: { podPlacementPolicy: {} }'),
      right: lines('site: { version: "11.2" }', 'upgrade: { podPlacementPolicy: {} }'),
    },
  }),
  'version/reported': entry<{ readonly declared: string; readonly reportedBy: string }>({
    severity: 'note',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A service version that is known from public reports',
    message: ({ declared, reportedBy }) =>
      `service version ${declared} is known from public reports (${reportedBy}), not from the service document`,
    help: () => 'rehearse it with `landform apply --emulate`, and first on a site that you can spare',
    explanation: paragraph(
      `The service document ends with ${newestVersion}; what later versions take is reported by public sources.`,
      'Each such field names its source in editors and in `landform explain FIELD`.',
      'A creation cannot be undone, so a plan for such a version says so once more.',
    ),
    example: {
      wrong: lines('site: { version: "11.5" }'),
      right: lines('site: { version: "11.2" } # if the site runs it'),
    },
  }),
  'version/newer': entry<{ readonly declared: string; readonly checkedAs: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §9',
    title: 'A service version that nothing is known of',
    message: ({ declared, checkedAs }) =>
      `service version ${declared} is neither documented nor reported; it is checked as ${checkedAs}`,
    help: () => 'write newer parameters of `configure` under `spec.extra`',
    explanation: paragraph(
      `The service document knows the service up to ${newestVersion}, and public reports up to ${newestReportedVersion}; other versions are checked as the one before them.`,
      'What has come since is missing here, and what has changed goes unnoticed.',
      'New parameters can be sent through `spec.extra`; rehearse the manifest on a site that you can spare.',
    ),
    example: {
      wrong: lines('site: { version: "13.0" } # and the site runs 11.2'),
      right: lines('site: { version: "11.2" }'),
    },
  }),
  'version/value-unknown': entry<
    {
      readonly field: string
      readonly found: string
    } & Reported
  >({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value that no report of this version has',
    message: ({ field, found }) => `no report has ${quoted(found)} for ${quoted(field)}`,
    help: reportedNames,
    explanation: beyondReports('The service may refuse it, or take something else for it.'),
    example: {
      wrong: lines('site: { version: "11.5" }', 'profile: standard-availabilty'),
      right: lines('site: { version: "11.5" }', 'profile: standard-availability'),
    },
  }),
  'version/field-unknown': entry<{ readonly field: string } & Reported>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A field that no report of this version has',
    message: ({ field }) => `no report has the field ${quoted(field)} in a connection`,
    help: reportedNames,
    explanation: beyondReports('The service may refuse it, or pass over it.'),
    example: {
      wrong: lines(
        'site: { version: "11.5" }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1, regoin: eu-west-1 } }',
      ),
      right: lines(
        'site: { version: "11.5" }',
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    },
  }),
  'site/version-differs': entry<{ readonly declared: string; readonly reported: string }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Service §2.3',
    title: 'The site runs another version',
    message: ({ declared, reported }) =>
      `\`spec.site.version\` says ${declared}, and the site reports ${reported}`,
    help: ({ reported }) =>
      `set it to the version of the site (${reported}) to have the right fields checked`,
    explanation: paragraph(
      'The manifest is checked for the version that it declares, and the site runs another one.',
      'Fields may be missing that the site would take, or be there that it does not know.',
      'Declare the version that the site reports.',
    ),
    example: {
      wrong: lines('site: { version: "11.1" } # and the site reports 11.2'),
      right: lines('site: { version: "11.2" }'),
    },
  }),
  'site/without-configure': entry<{ readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'value',
    source: 'Service §9',
    title: 'The site is older than `configure`',
    message: ({ needs, reported }) =>
      `\`configure\` needs service version ${needs}, and the site reports ${reported}`,
    help: () => 'upgrade the site first, or correct `spec.site.url` if it names another site',
    explanation: paragraph(
      'The organization is created by an operation that came with a later version than the one that the site reports.',
      'What such a site would do with the request is not known, and a creation cannot be undone, so no plan is made.',
      'Upgrade the site, or correct the address if it leads to another one.',
    ),
    example: {
      wrong: lines('site: { version: "11.2" } # and the site reports 10.8'),
      right: lines('site: { version: "11.2" } # and the site reports 11.2'),
    },
  }),
  'site/too-old': entry<{ readonly field: string; readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'key',
    source: 'Service §9',
    title: 'The site is older than a field of the manifest',
    message: ({ field, needs, reported }) =>
      `${quoted(field)} needs service version ${needs}, and the site reports ${reported}`,
    help: () => 'remove the field, or upgrade the site first',
    explanation: paragraph(
      'The manifest declares a version that has the field, but the site itself reports an older one.',
      'It could refuse the request or pass over the field, so no plan is made.',
      'Upgrade the site, or remove the field and declare the version of the site.',
    ),
    example: {
      wrong: lines(
        'site: { version: "11.2" } # and the site reports 11.1',
        'upgrade: { podPlacementPolicy: {} }',
      ),
      right: lines('site: { version: "11.1" }'),
    },
  }),
} as const
