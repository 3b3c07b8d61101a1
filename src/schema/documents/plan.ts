import { settingNames } from '../../contract/readings.js'
import type { JsonSchema } from '../json-schema.js'
import {
  anyObject,
  count,
  defineRecord,
  describe,
  digest,
  flag,
  formatVersion,
  jsonValue,
  listOf,
  type Members,
  nameType,
  oneOfTexts,
  pointer,
  text,
  textOrNull,
  texts,
  time,
} from './parts.js'

const siteStates = ['not-configured', 'in-progress', 'ready', 'failed', 'unrecognized'] as const
export const siteState = oneOfTexts(...siteStates)
export const operation = oneOfTexts('configure', 'update')
export const change = oneOfTexts('create', 'resume', 'update', 'no-op')

const digests: JsonSchema = { ...anyObject, additionalProperties: digest }

/** A placement policy with explicit defaults. Service §2.7. */
export const policy = nameType(
  'PodPlacementPolicy',
  '',
  defineRecord({ nodeAffinity: anyObject, tolerations: { type: 'array' } }),
)

const field = {
  pointer: describe('The field, as a JSON pointer into the manifest', pointer),
  parameter: describe('The request parameter that carries it', text),
  file: describe('The file of the field', text),
  line: describe('The line in the file, from 1', { type: 'integer', minimum: 1 }),
  'default?': describe('True for a default; the line is that of its parent', flag),
} as const

const fieldChange = {
  ...field,
  'before?': describe('The known current value; absent if unknown', jsonValue),
  'after?': describe('The value in the manifest; absent if the field was removed', jsonValue),
} as const

/** The actions of a plan: what each does, the reasons for it, and the members that only it has. */
const actions: readonly (readonly [
  operation: string,
  change: string,
  reasons: readonly string[],
  Members?,
])[] = [
  [
    'configure',
    'create',
    ['not-configured', 'rejected-before'],
    { irreversible: { const: true }, organization: {}, 'undocumented?': {}, licenses: {} },
  ],
  ['configure', 'resume', ['configuration-in-progress', 'submitted-before']],
  ['configure', 'no-op', ['already-configured']],
  [
    'update',
    'update',
    ['never-applied', 'policy-changed', 'cannot-be-read'],
    { policy: {}, upgradeConfig: {}, kept: {}, 'emptied?': {}, 'token?': {} },
  ],
  ['update', 'no-op', ['policy-unchanged']],
]

export const reason = oneOfTexts(...actions.flatMap(([, , reasons]) => reasons))

const action = nameType(
  'Action',
  'One step of a plan: what is done and why. `change` and `reason` belong together',
  {
    ...defineRecord({
      operation: describe('Operation of the service', operation),
      change: describe('Kind of the action; `no-op` sends nothing', change),
      reason: describe('Reason of the action', reason),
      irreversible: describe('True if the action cannot be undone', flag),
      fields: describe(
        'The fields that the action sets, one for each line of the manifest',
        listOf(
          nameType(
            'FieldChange',
            'A field that an action sets. Secrets are references',
            defineRecord(fieldChange),
          ),
        ),
      ),
      'organization?': describe(
        'Of `create`: the settings of the organization; secrets are references',
        nameType('Organization', '', anyObject),
      ),
      'undocumented?': describe(
        'Of `create`: the version, if the service document does not cover it',
        defineRecord({ version: text, reportedBy: textOrNull }),
      ),
      'licenses?': describe('Of `create`: the digest of each license file, by its pointer', digests),
      'policy?': describe('Of `update`: the placement policy, with explicit defaults', policy),
      'upgradeConfig?': describe(
        'Of `update`: the sent configuration, including other settings of the site',
        anyObject,
      ),
      'kept?': describe('Of `update`: other settings of the site that are preserved', texts),
      'emptied?': describe(
        'Of `update`: settings that are sent empty because the manifest has none, although the site may have some',
        listOf(pointer),
      ),
      'token?': describe(
        'Of `update`: the reference to the token',
        nameType('SecretReference', '', anyObject),
      ),
    }),
    oneOf: actions.map(([ofOperation, kind, reasons, members = {}]) => ({
      ...variant({
        operation: { const: ofOperation },
        change: { const: kind },
        reason: oneOfTexts(...reasons),
        irreversible: { const: false },
        ...members,
      }),
    })),
  },
)

/** Creates a variant of a record, with the names of the record's members that it has. */
function variant(members: Members): JsonSchema {
  const { properties = {}, required = [] } = defineRecord(members)
  return { properties, required }
}

const immutableEdit = nameType(
  'ImmutableEdit',
  'An edit that cannot be applied: the site has its organization, and only `configure` sets the field',
  defineRecord({
    ...fieldChange,
    because: describe(
      '`no-operation` if no operation can change it, `another-operation` if one does that Landform does not perform',
      oneOfTexts('no-operation', 'another-operation'),
    ),
    'operation?': describe(
      'That operation of the service, as a path below the administrator API, or below the site for `sharing/rest`',
      text,
    ),
    'since?': describe('The version of the service that introduced it, if public', text),
    'effect?': describe('Its effect, if it does not set every value', text),
    'asserted?': describe('True if the value before is one that a person asserted', { const: true }),
    ignored: describe('True if `--ignore-immutable` names the field', flag),
  }),
)

export const fieldStatus = nameType(
  'FieldAssessment',
  'A field and its status on a site that has its organization',
  {
    ...defineRecord({
      ...field,
      'value?': describe('The value in the manifest', jsonValue),
      verdict: describe(
        'Status of the field',
        oneOfTexts('equal', 'different', 'recorded', 'asserted', 'unknowable'),
      ),
      'source?': describe(
        'Of `different`: the source of the other value',
        oneOfTexts('site', 'record', 'assertion'),
      ),
      'found?': describe('Of `different`: the other value', jsonValue),
      'appliedAt?': describe('Of `recorded`: time of the last apply', time),
      'assertedAt?': describe('Of `asserted`: time at which a person asserted the value', time),
      'by?': describe('Of `asserted`: that person, if known', text),
      'reason?': describe('Of `asserted`: the reason that the person gave', text),
      'because?': describe(
        'Of `unknowable`: the reason why the value cannot be verified',
        oneOfTexts(
          'secret',
          'never-recorded',
          'never-asserted',
          'no-token',
          'not-allowed',
          'upgrading',
          'not-understood',
          'no-answer',
        ),
      ),
    }),
    oneOf: [
      variant({ verdict: { const: 'equal' }, 'value?': {}, 'default?': {} }),
      variant({ verdict: { const: 'different' }, source: {}, 'found?': {}, 'value?': {}, 'default?': {} }),
      variant({ verdict: { const: 'recorded' }, appliedAt: {}, 'value?': {}, 'default?': {} }),
      variant({
        verdict: { const: 'asserted' },
        assertedAt: {},
        'by?': {},
        'reason?': {},
        'value?': {},
        'default?': {},
      }),
      variant({ verdict: { const: 'unknowable' }, because: {}, 'value?': {}, 'default?': {} }),
    ],
  },
)

/** The number of fields by status. */
export const coverage = nameType(
  'Coverage',
  'The number of fields of a manifest by status',
  defineRecord({
    equal: describe('Fields that match the site', count),
    different: describe('Fields that differ from the site or the record', count),
    recorded: describe('Fields that match the last apply; the site does not report them', count),
    asserted: describe('Fields that match an assertion; the site does not report them', count),
    unknowable: describe('Fields that cannot be verified', count),
    unrecorded: describe(
      'Of these, the fields that a record would show: more than 0 only if no apply of the organization is recorded',
      count,
    ),
    total: describe('All fields', count),
  }),
)

const digestOrNull: JsonSchema = { ...digest, type: ['string', 'null'] }

/** The facts that a plan is valid for. */
const binds = nameType(
  'Bindings',
  'The facts that a plan was made from, to be compared with the facts when it is applied',
  defineRecord({
    manifest: describe('Digest of the manifest, with its bases', digest),
    files: describe('Digest of each referenced file', digests),
    origin: describe('Origin of the site', text),
    site: describe(
      'The observed site',
      defineRecord({
        state: describe(
          'State of the site; `not-observed` if the site was not observed, and then nothing can be applied',
          oneOfTexts(...siteStates, 'not-observed'),
        ),
        version: describe('Version of the site, if reported', textOrNull),
        'build?': describe('Build of the site, if reported', text),
        settings: describe(
          'Digest of each setting; null if the site does not report it',
          defineRecord(Object.fromEntries(settingNames.map(name => [name, digestOrNull]))),
        ),
      }),
    ),
    'state?': describe('State location', text),
    record: describe('Number of the record of the last apply; 0 for none', count),
    recorded: describe('Digest of that record', digest),
    tool: describe('Landform and its version', text),
    schema: describe('Version of the manifest format', text),
  }),
)

/** The preview of the volumes with the storage classes of a cluster; only with `--storage-classes`. */
const storage = defineRecord({
  classes: listOf(
    defineRecord({
      name: text,
      components: texts,
      exists: flag,
      'provisioner?': text,
      'allowVolumeExpansion?': flag,
      'volumeBindingMode?': text,
      'reclaimPolicy?': text,
      faults: listOf(
        oneOfTexts('no-provisioner', 'file-share', 'cannot-expand', 'binds-at-once', 'keeps-volumes'),
      ),
    }),
  ),
  others: texts,
})

/** The members of a plan, and of the generated type `PlanDocument`. */
export const planMembers = {
  formatVersion: describe('Version of the document format', formatVersion),
  id: describe('Digest of the actions and the facts of the plan; equal plans have equal digests', digest),
  name: describe('Name of the site', text),
  manifest: describe('The manifest file', text),
  url: describe('URL of the site', text),
  createdAt: describe('Time of creation', time),
  expiresAt: describe('Expiry; an expired plan is rejected', time),
  binds: describe(
    'The facts that the plan is valid for; if one changed, the plan is stale and is rejected',
    binds,
  ),
  settles: describe(
    'Decisions that are immutable after creation',
    listOf(
      nameType(
        'ImmutablePart',
        'A part of the manifest that is immutable once `configure` is accepted',
        defineRecord({
          pointer: describe('Place in the manifest', pointer),
          what: describe('The decision', text),
        }),
      ),
    ),
  ),
  actions: describe('Actions, in order', listOf(action)),
  immutable: describe('Edits of immutable fields', listOf(immutableEdit)),
  fields: describe('Of a ready site: the status of each field', listOf(fieldStatus)),
  coverage: describe('Number of fields by status', coverage),
  summary: describe(
    'Number of actions by kind',
    defineRecord({ create: count, update: count, resume: count, noOp: count }),
  ),
} as const satisfies Members

/** A plan, printed or saved. */
export const plan = defineRecord({
  ...planMembers,
  'storage?': describe('With `--storage-classes`: preview of the volumes with the storage classes', storage),
  'next?': describe('Next steps, if no apply of a ready site is recorded', texts),
  'notChecked?': describe(
    'Secrets and files that are not available where the plan was made',
    listOf(defineRecord({ pointer: text, 'env?': text, 'file?': text })),
  ),
})
