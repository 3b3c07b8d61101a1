import type { JsonSchema } from '../json-schema.js'
import {
  allowNull,
  anyObject,
  buildDocument,
  count,
  defineRecord,
  describe,
  digest,
  extendRecord,
  formatVersion,
  listOf,
  type Members,
  ms,
  nameType,
  oneOfTexts,
  ordinal,
  pointer,
  text,
  textOrNull,
  time,
} from './parts.js'
import { change, operation, policy } from './plan.js'

export const holder = nameType(
  'Holder',
  'The process that wrote an entry, described so that another process can check whether it still runs',
  defineRecord({
    host: text,
    pid: count,
    'startedAt?': describe('Distinguishes two processes with the same id', text),
    'boot?': describe('Distinguishes two boots of one machine', text),
    'namespace?': describe('Distinguishes two containers whose processes do not see each other', text),
    'machine?': describe('Digest of the machine id; absent if a machine has none', text),
  }),
)

const drain = nameType(
  'Drain',
  'The start of the time in which a request may still arrive',
  defineRecord({
    since: describe(
      'By the clock of the machine that measures the time',
      nameType(
        'MachineTime',
        'A reading of a monotonic clock. Two readings can be compared only if they come from the same clock',
        defineRecord({
          of: describe('The boot of the machine that the clock belongs to', text),
          ms: describe('Milliseconds since some moment of that boot', ms),
        }),
      ),
    ),
    'siteDate?': describe('By the clock of the site, if it reports one; it can only lengthen the wait', time),
    notedAt: describe('For display only', time),
  }),
)

const asserted = { const: true } as const

const organization = nameType(
  'AppliedOrganization',
  'The organization of the last apply or adoption',
  defineRecord({
    appliedAt: describe('Time of the apply, or of the assertion', time),
    'asserted?': describe(
      'True if a person asserted the values with `adopt`: others created the organization',
      asserted,
    ),
    manifest: describe('Digest of the manifest of the apply, or of the adoption', digest),
    value: describe(
      'The values that it was created with; secrets are references',
      nameType('RecordedOrganization', '', anyObject),
    ),
    'licenses?': describe('Digests of its license files, by their fields', {
      ...anyObject,
      additionalProperties: digest,
    }),
  }),
)

const who = {
  'by?': describe('The person, if `--by` or the environment names one', text),
  'reason?': describe('The reason that the person gave', text),
} as const

const assertion = nameType(
  'Assertion',
  'A person asserted the values of a part, which Landform neither set nor read',
  defineRecord({
    pointer: describe('The part, as a JSON pointer into the manifest', pointer),
    assertedAt: time,
    ...who,
  }),
)

/** The proven progress of a request; only `not-sent`, `rejected` and `cleared` mean that it started no configuration. */
const submissionStates = {
  intent: 'Recorded before sending. No result is recorded yet, so the request may have been sent.',
  'not-sent': 'No byte was sent.',
  rejected: 'A complete response rejected the request, and the site showed no configuration for two minutes.',
  acknowledged: 'The service accepted it.',
  unknown: 'It was sent, and no response confirms it.',
  begun: 'The site reported the configuration in progress.',
  ready: 'The site was ready.',
  failed: 'The site reported that the configuration failed.',
  cleared: 'An operator confirmed that it started no configuration, or that its site is gone.',
} as const

const submissionState = nameType('SubmissionState', 'The proven progress of the one `configure` of a site', {
  enum: Object.keys(submissionStates),
  enumDescriptions: Object.values(submissionStates),
})

export const timings = listOf(
  nameType(
    'StageTiming',
    'The start and end of a stage, in milliseconds after the first poll of the configuration',
    defineRecord({ stage: text, beganMs: ms, endedMs: ms }),
  ),
)

/** Creates the schema of a request, with the additional fields of a document. */
function buildSubmission(own: Members): JsonSchema {
  return defineRecord({
    generation: describe(
      'Grows only after a proof that the previous submission started no configuration',
      ordinal,
    ),
    nonce: describe('Identifies this request when its result is recorded', text),
    state: submissionState,
    intendedAt: time,
    changedAt: time,
    by: holder,
    'site?': describe(
      'The site that it was sent to, as it reported itself: another one is not waited for',
      defineRecord({
        'version?': text,
        'isRounded?': asserted,
        'build?': text,
        'emulator?': describe('The instance of an emulator; a real site has none', text),
      }),
    ),
    deadlineMs: describe(
      'The longest time that the request may be under way, by the client that sent it',
      ms,
    ),
    ...own,
    'drain?': describe(
      "The start of an operator's wait for the request to arrive, before it is cleared",
      drain,
    ),
    'reason?': describe('The message of the service, if it rejected the request. Untrusted', text),
    'rejection?': describe(
      'The rejection by the service, which counts once the site shows that it began nothing',
      defineRecord({
        kind: oneOfTexts('refused', 'unauthorized'),
        status: count,
        'code?': { type: 'integer' },
      }),
    ),
    'timings?': describe(
      'The timings of the stages of the last configuration of the site that was seen to be ready',
      timings,
    ),
  })
}

/** Creates the schema of a lock, with the additional fields of a document. */
function buildLock(own: Members): JsonSchema {
  return defineRecord({
    nonce: describe('Identifies the lock for removal by hand', text),
    fence: describe('Serial of the version that took it: a later lock has a higher one', count),
    holder,
    purpose: describe('Purpose of the run, such as `apply`', text),
    since: time,
    'expiresAt?': describe('End of the lease unless it is renewed; absent if locks are not leases', time),
    ...own,
  })
}

/** Creates the schema of a receipt, with the additional fields of a document. */
function buildReceipt(own: Members): JsonSchema {
  return defineRecord({
    startedAt: time,
    finishedAt: time,
    outcome: describe('Kind of its outcome', text),
    'reason?': describe('Message of the service, or the unknown fact, of some outcomes. Untrusted', text),
    manifest: describe('Digest of the manifest that was applied', digest),
    'plan?': describe('Id of the plan, if a saved one was performed', digest),
    actions: listOf(
      nameType('KeptAction', 'An action that an apply performed', defineRecord({ operation, change })),
    ),
    ...own,
  })
}

const lock = nameType('Lock', 'The lock that reserves a site for one run', buildLock({}))
const receipt = nameType('KeptReceipt', 'The receipt of an apply, as it is kept', buildReceipt({}))
const submission = nameType(
  'Submission',
  'The durable intent that is written before `configure` is sent, and its result; without any secret. No request is sent to an adopted site (`organization.asserted`): it is `ready` from the first',
  buildSubmission({
    organization: describe(
      'The requested organization: the record once the service accepts the request',
      organization,
    ),
  }),
)

/** A state location, a site URL, or both. */
const place = { 'state?': text, 'site?': text } as const

/** The members of each kind of entry, with the event for which it is written. */
const entries: Readonly<Record<string, readonly [meaning: string, members: Members]>> = {
  locked: [
    'A run began',
    {
      'former?': describe('The lock before, if its run did not release it', lock),
      'isGone?': describe(
        'The process of the lock before has ended; absent if only its lease expired',
        asserted,
      ),
    },
  ],
  renewed: ['The lease of the lock was renewed', {}],
  submission: ['The progress of the request changed', { state: submissionState }],
  draining: ['An operator withdraws the request: the time in which it may still arrive begins', {}],
  policy: ['The placement policy is about to be sent', {}],
  receipt: ['A run ended', { receipt }],
  adopted: [
    'A person asserted the configuration of the site; the values are in the record',
    {
      ...who,
      'parts?': describe('The parts that were asserted, `/spec` for all', listOf(pointer)),
    },
  ],
  released: ['A run released the site before it did anything', {}],
  unlocked: ['A person removed the lock of a run', { lock }],
  moved: [
    'A pointer: the state is elsewhere. In the chain of a name, or of the path of a manifest, it holds the address that the state belongs to',
    {
      ...place,
      'name?': describe('In the chain of a path: the name in the manifest', text),
      'request?': describe(
        'In the chain of a name: the newest `configure` that the state must hold',
        defineRecord({ nonce: text, generation: ordinal }),
      ),
      'source?': describe('The place that the state comes from, until it has arrived', defineRecord(place)),
    },
  ],
  received: [
    'The first version of state that was moved here',
    { source: defineRecord({ ...place, serial: count }) },
  ],
}

/** The reason for writing a version. */
export const entry = nameType('StateEntry', 'The event for which a version of the state was written', {
  type: 'object',
  required: ['type'],
  oneOf: Object.entries(entries).map(([title, [description, members]]) => ({
    title,
    description,
    ...defineRecord({ type: { const: title }, ...members }),
  })),
})

const usedPlan = describe(
  'The saved plan that was performed last: it is never performed again',
  defineRecord({ id: digest, usedAt: time }),
)

/** The documents about the state of one site. */
export const stateDocuments = {
  state: buildDocument(
    'One version of the state of a site; `landform state show` reads it.',
    defineRecord({
      formatVersion,
      site: describe('URL of the site: the state of one site is never used for another', text),
      lineage: describe('Created with the first version: two histories of one site differ in it', text),
      serial: describe('Number of the version', ordinal),
      previous: describe('Digest of the text of the version before; null in the first', textOrNull),
      writtenAt: time,
      tool: describe('Landform and its version', text),
      entry,
      'lock?': lock,
      'submission?': submission,
      record: nameType(
        'ApplyRecord',
        "The record of Landform's last apply to one site, kept because the service shows no way to read these values back. Holds no secret, and nothing that a secret could be guessed from",
        defineRecord({
          serial: describe('Grows by one with each change; 0 if nothing was recorded yet', count),
          'organization?': organization,
          'policy?': defineRecord({ appliedAt: time, value: policy }),
          'assertions?': describe(
            'The parts that a person asserted since. The next apply of a part removes its assertion',
            listOf(assertion),
          ),
          'plan?': usedPlan,
        }),
      ),
      checksum: digest,
    }),
  ),
  history: buildDocument(
    'The output of `landform state show --format json`.',
    defineRecord({
      formatVersion,
      site: text,
      where: text,
      lineage: textOrNull,
      serial: count,
      lock: allowNull(buildLock({ liveness: oneOfTexts('alive', 'dead', 'elsewhere') })),
      submission: allowNull(extendRecord(buildSubmission({ manifest: digest }), { 'asserted?': asserted })),
      record: defineRecord({
        serial: count,
        'organization?': defineRecord({ appliedAt: time, 'asserted?': asserted, manifest: digest }),
        'policy?': defineRecord({ appliedAt: time }),
        'assertions?': listOf(assertion),
        'plan?': usedPlan,
      }),
      history: listOf(defineRecord({ serial: ordinal, at: time, tool: text, message: text, entry })),
    }),
  ),
  openIntents: buildDocument(
    'The output of `landform state show --format json` without a site.',
    defineRecord({
      formatVersion,
      intents: listOf(
        describe(
          'A submission intent of this machine whose outcome was not known when its run ended',
          defineRecord({
            site: text,
            'name?': text,
            'manifest?': describe('Path of the manifest', text),
            state: describe('The state location that has the intent', text),
            lineage: text,
            nonce: text,
            generation: ordinal,
            recordedAt: time,
            'emulator?': describe('The instance of an emulator; a real site has none', text),
            note: describe('The file with this note', text),
          }),
        ),
      ),
    }),
  ),
} as const satisfies Members
