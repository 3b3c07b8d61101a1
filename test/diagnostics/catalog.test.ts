import {
  catalog,
  type DiagnosticCode,
  type DiagnosticFacts,
  diagnose,
} from '../../src/diagnostics/diagnostic.js'

const unmet = { field: 'a', requirements: [{ operator: 'is', operand: 'b' }] } as const

/** Realistic facts for each code; a new code does not compile without them. */
const facts: { readonly [C in DiagnosticCode]: DiagnosticFacts<C> } = {
  'site/shared': { other: 'other.yaml', url: 'https://gis.example.org/arcgis/admin' },
  'state/shared': { other: 'other.yaml', name: 'production' },
  'state/location': { found: '`file:`', problem: 'names no folder', instead: 'use file:DIR' },
  'yaml/not-text': { reason: 'utf-16' },
  'yaml/foreign-content': { content: 'git-crypt' },
  'yaml/empty': {},
  'site/token-unnamed': {},
  'site/url-base': { base: 'https://gis.example.org/arcgis/admin' },
  'manifest/placeholder': { found: 'CHANGE-ME', isVariable: false, reference: undefined },
  'administrator/password-not-ascii': {},
  'administrator/user-type-merged': { found: 'GISProfessionalAdvUT' },
  'manifest/hidden-character': { field: 'email', kind: 'zero-width', character: '\u200b' },
  'manifest/stray-character': { field: 'region', kind: 'space', cleaned: 'us-east-1' },
  'yaml/syntax': { reason: 'tabs cannot indent; use spaces' },
  'yaml/several-documents': {},
  'yaml/duplicate-key': { key: 'email' },
  'yaml/unsupported': { what: 'tags', instead: 'write the value without a tag' },
  'yaml/too-large': { what: 'the nesting is too deep', limit: '32 levels' },
  'manifest/foreign-file': {},
  'manifest/unknown-field': {
    field: 'emial',
    suggestion: 'email',
    certain: true,
    allowed: ['email', 'username'],
    known: undefined,
  },
  'manifest/missing-field': { owner: 'administrator', missing: ['email', 'username'] },
  'manifest/wrong-type': {
    field: 'version',
    expected: 'text',
    found: 'the number 11.2',
    rewriting: { kind: 'quotes', text: '11.2' },
  },
  'manifest/value-not-allowed': {
    field: 'profile',
    found: 'x',
    suggestion: undefined,
    certain: false,
    allowed: ['development'],
  },
  'manifest/malformed-value': {
    field: 'size',
    rule: 'is a storage quantity with a unit suffix, such as 16Gi',
  },
  'manifest/duplicate-entry': { list: 'folders', shared: '/data/a' },
  'version/unsupported': { version: '10.8', oldest: '10.9' },
  'version/field-too-new': { field: 'upgrade', needs: '11.2', declared: '11.1' },
  'site/url': { problem: 'is not a URL' },
  'secret/literal': { field: 'password', variable: 'LANDFORM_PASSWORD' },
  'secret/reference': { field: 'password', problem: 'is empty or a list' },
  'secret/missing': { field: 'password', place: { env: 'LANDFORM_PASSWORD' }, gap: 'not-set' },
  'secret/malformed': { field: 'password', place: { file: 'secrets/a' }, defect: { kind: 'empty' } },
  'file/path': { field: 'license', problem: 'is absolute' },
  'file/missing': { field: 'license', path: 'a.json' },
  'file/unusable': { field: 'license', path: 'a.json', defect: { kind: 'not-a-regular-file' } },
  'administrator/username': {},
  'administrator/username-symbols': { symbols: [' ', '!'] },
  'administrator/user-type': { found: 'creator', suggestion: 'creatorUT', otherCase: undefined },
  'administrator/email': {},
  'administrator/password': { gaps: [{ kind: 'digit' }, { kind: 'letter' }] },
  'administrator/security-question': { problem: 'has neither `question` nor `index`' },
  'volume/missing-component': { missing: ['BLOB', 'QUEUE'] },
  'volume/size': { size: '16gi', fault: 'spelling', instead: '16Gi' },
  'volume/storage-class': { name: 'Fast' },
  'volume/labels-missing': { component: 'BLOB', missing: ['tier', 'app'], selects: true },
  'volume/size-small': { component: 'BLOB', size: '8Gi', smallest: '32Gi' },
  'volume/size-large': { component: 'BLOB', size: '32Ti', smallest: '32Gi' },
  'volume/size-unused': { component: 'BLOB', size: '64Gi', smallest: '32Gi' },
  'volume/relational-sizes-differ': { primary: '64Gi', secondary: '16Gi' },
  'volume/provisioning-type': { found: 'dynamic', meant: 'DYNAMIC' },
  'volume/static': { volumes: 8 },
  'kubernetes/label-key': { key: 'tier=storage', split: 'tier: storage' },
  'kubernetes/label-value': { field: 'tier' },
  'cloud/secret-fields': {
    type: 'HMAC-KEYS',
    wanted: ['secretKey'],
    missing: ['secretKey'],
    foreign: ['x'],
    strangers: 1,
  },
  'cloud/connection-fields': {
    type: 'HMAC-KEYS',
    allowed: ['bucketName'],
    missing: 'bucketName',
    foreign: ['region'],
  },
  'cloud/provider-name': { type: 'IAM-ROLE', found: 'aws', reported: 'AWS', otherCase: true },
  'cloud/name': { field: 'bucketName', found: 'GIS', rule: '3 to 63 lowercase letters', example: 'gis' },
  'cloud/place': { kind: 'zone', field: 'region', found: 'us-east-1a', region: 'us-east-1' },
  'cloud/region-absent': { type: 'IAM-ROLE' },
  'cloud/managed-identity-replaced': {},
  'version/newer': { declared: '13.0', checkedAs: '12.1' },
  'version/reported': { declared: '11.5' },
  'version/value-unknown': {
    field: 'profile',
    found: 'text',
    suggestion: undefined,
    allowed: ['development'],
  },
  'version/field-unknown': { field: 'bucket', suggestion: 'bucketName', allowed: ['bucketName'] },
  'cloud/credential-fields': {
    type: 'USER-ASSIGNED-IDENTITY',
    missing: ['managedIdentityClientId'],
    foreign: [],
  },
  'license/server-file-needless': { declared: '11.2' },
  'license/server-file-absent': { declared: '10.9' },
  'profile/replaced': { isWritten: true },
  'profile/development-in-production': { where: 'metadata.name', says: 'production' },
  'log/level': { found: 'LOUD', suggestion: undefined, otherCase: undefined },
  'site/system-property': {
    found: 'containerStartupTimeoutSeconds',
    suggestion: 'containerStartUpTimeoutSeconds',
    otherCase: true,
  },
  'placement/values-required': { operator: 'In' },
  'placement/values-forbidden': { operator: 'Exists' },
  'placement/no-terms': {},
  'placement/empty-term': {},
  'placement/preferred-shape': { form: 'document' },
  'placement/toleration-value': {},
  'placement/toleration-key': {},
  'placement/toleration-effect': {},
  'placement/tolerates-everything': { effect: undefined },
  'volume/no-such-storage-class': {
    name: 'gp3',
    components: ['BLOB', 'QUEUE'],
    suggestion: undefined,
    available: ['gp2'],
  },
  'volume/class-provisions-nothing': {
    name: 'local',
    components: ['BLOB'],
    provisioner: 'kubernetes.io/no-provisioner',
  },
  'volume/class-of-file-shares': {
    name: 'efs',
    components: ['BLOB', 'SHARING'],
    provisioner: 'efs.csi.aws.com',
    databases: ['BLOB'],
  },
  'volume/class-cannot-expand': { name: 'gp3', components: ['BLOB'] },
  'volume/class-binds-at-once': { name: 'gp3', components: ['BLOB'], mode: 'Immediate' },
  'volume/class-keeps-volumes': { name: 'gp3', components: ['BLOB'], policy: 'Retain' },
  'extra/known-parameter': { parameter: 'token', under: 'extra', home: 'spec.site.token' },
  'extra/passed-through': { parameter: 'x' },
  'extends/path': { problem: 'is absolute' },
  'extends/missing': { path: '../base.yaml' },
  'extends/unusable': { path: '../base.yaml', defect: { kind: 'not-a-regular-file' } },
  'extends/circle': { path: '../base.yaml' },
  'extends/too-deep': { max: 8 },
  'ignore/unused': { code: 'volume/size-small' },
  'ignore/malformed': { problem: 'names no code', meant: undefined },
  'site/version-differs': { declared: '11.1', reported: '11.2' },
  'policy/violated': { rule: 'enough-space', message: 'Sizes are large.', unmet },
  'policy/advised': { rule: 'enough-space', message: undefined, unmet },
  'policy/unread': { file: 'landform-policy.yaml', name: 'landform.policy.yaml' },
  'policy/field': { field: 'atleast', suggestion: 'atLeast', allowed: ['atLeast', 'atMost'] },
  'policy/path': { path: 'spec.profil', suggestion: undefined, allowed: ['spec.profile', 'spec.site'] },
  'policy/value': { problem: { kind: 'duplicate-rule', name: 'a' }, suggestion: 'development' },
  'policy/test': { rule: 'enough-space', expected: 'pass', actual: 'violation', unmet },
  'site/sign-in': { problem: 'has two accounts' },
  'site/token-missing': { origin: { env: 'LANDFORM_TOKEN' } },
  'site/token-refused': { origin: { file: 'secrets/token' } },
  'site/upgrading': {},
  'scenario/field': { field: 'fault', suggestion: 'faults', allowed: ['faults', 'seed'] },
  'scenario/value': { problem: '`rot` is not an operation', suggestion: 'root' },
  'properties/syntax': { problem: 'is not of the form NAME=value' },
  'properties/shell': { name: 'ADMIN_EMAIL' },
  'properties/repeated': { name: 'ADMIN_EMAIL', line: 7 },
  'properties/unknown': { name: 'ADMIN_MAIL', suggestion: 'ADMIN_EMAIL' },
  'properties/left-out': { names: ['LOG_RETENTION_MAX_DAYS'], because: 'no-parameter' },
  'properties/secret': { name: 'ADMIN_PASSWORD', isEncrypted: true, variable: 'LANDFORM_ADMIN_PASSWORD' },
  'properties/license-path': { name: 'LICENSE_FILE', path: 'licenses/site.json' },
  'properties/host': { name: 'ARCGIS_ENTERPRISE_FQDN', problem: 'no-domain' },
  'properties/form': { name: 'configure.logSetting', form: 'a single value' },
  'properties/hcl': {},
  'properties/resource': {},
  'test/field': { field: 'expects', suggestion: 'expect', allowed: ['expect', 'name'] },
  'test/value': { problem: 'there is a test `one` already', suggestion: undefined },
  'test/failed': { test: 'one', problem: 'expected `exitCode` 0, got 3' },
  'test/unmet-fault': { test: 'one', fault: 'configure=html' },
  'manifest/number-loses-digits': { written: '12345678901234567890', sent: '12345678901234567000' },
  'manifest/number-respelled': { written: '1.10', sent: '1.1' },
  'administrator/username-space': {},
  'administrator/password-plain': {},
  'license/not-json': {},
  'cloud/service-value': { field: 'usage', found: 'default', documented: 'DEFAULT', otherCase: true },
  'site/url-capitals': {},
  'site/without-configure': { needs: '10.9', reported: '10.8' },
  'site/too-old': { field: 'upgrade', needs: '11.2', reported: '11.1' },
}
const codes = Object.keys(catalog) as DiagnosticCode[]

describe.each(codes)('%s', code => {
  const diagnostic = diagnose(code, '/spec', facts[code])
  const entry = catalog[code]

  test('has a title without a full stop', () => {
    expect(entry.title).toMatch(/^[A-Z][^\n]*[^.\s]$/)
  })

  test('has a message of one line that begins in lower case and has no full stop', () => {
    expect(diagnostic.message).toMatch(/^[a-z`0-9][^\n\r]*[^.\s]$/)
    expect(diagnostic.message).not.toMatch(/undefined|\[object|\s\s|``/)
  })

  test('has a whole sentence as help, if any', () => {
    const { help = 'nothing to say' } = diagnostic
    expect(help).toMatch(/^[a-z`][^\n\r]*[^.\s]$/)
    expect(help).not.toMatch(/undefined|\[object|\s\s|``/)
  })

  test('has exactly the properties from the catalog', () => {
    expect(diagnostic).toMatchObject({ code, severity: entry.severity, pointer: '/spec' })
    expect(
      Object.keys(diagnostic).every(key =>
        ['code', 'severity', 'message', 'pointer', 'help', 'part', 'fix'].includes(key),
      ),
    ).toBe(true)
  })

  test('consists of a folder and a name in lower case', () => {
    expect(code).toMatch(/^[a-z]+\/[a-z]+(-[a-z]+)*$/)
  })
})

describe('the wording', () => {
  test('has no title twice', () => {
    const titles = codes.map(code => catalog[code].title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('names everything that is missing', () => {
    const { message } = diagnose('manifest/missing-field', '', { owner: 'site', missing: ['url', 'version'] })
    expect(message).toBe('`site` is missing `url` and `version`')
  })

  test('suggests the intended name, lists the allowed ones, or tells the user to remove it', () => {
    const known = undefined
    const help = (suggestion: string | undefined, allowed: readonly string[]) =>
      diagnose('manifest/unknown-field', '', { field: 'x', suggestion, certain: false, allowed, known }).help
    expect(help('email', ['email', 'name'])).toBe('did you mean `email`?')
    expect(help(undefined, ['email', 'name'])).toContain('`email` or `name`')
    expect(help(undefined, [])).toBe('remove it')
  })

  test('agrees with the number of volumes', () => {
    const message = (missing: readonly string[]) =>
      diagnose('volume/missing-component', '', { missing }).message
    expect(message(['BLOB'])).toContain('no volume for `BLOB`;')
    expect(message(['BLOB', 'QUEUE'])).toContain('no volume for `BLOB` and `QUEUE`;')
  })

  test('says that a role has no secret', () => {
    const empty = { wanted: [], missing: [], foreign: [], strangers: 0 }
    expect(diagnose('cloud/secret-fields', '', { type: 'IAM-ROLE', ...empty })).toMatchObject({
      message: 'a credential of type `IAM-ROLE` must not have `secret`',
      help: 'remove it',
    })
  })

  test('omits help if there is none', () => {
    expect('help' in diagnose('administrator/username', '', {})).toBe(false)
  })
})
