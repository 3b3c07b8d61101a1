import type { Mutants } from './mutant.js'

const atKubernetes = ['jest', 'state/kubernetes-backend'] as const
const atS3 = ['jest', 'state/s3-backend'] as const
const atPermission = ['jest', 'cli/plan/plan-permission'] as const
const atLicense = ['jest', 'cli/license-check'] as const

/** Mistakes in what keeps state on servers, asks for consent and for a license, and takes over or probes a site. */
export const placesAndConsent: Mutants = {
  'believes that a server keeps to the condition of a write': {
    file: 'src/state/object-store.ts',
    from: 'if (!created.value) return { ok: true, value: undefined }',
    to: 'if (created.ok) return { ok: true, value: undefined }',
    by: atS3,
    isShort: true,
  },
  'takes a write for its own by the answer alone': {
    file: 'src/state/object-store.ts',
    from: 'const isOurs = stored.value.run === run',
    to: 'const isOurs = created.value && run.length > 0',
    by: atS3,
  },
  'believes in a write that the server lost': {
    file: 'src/state/object-store.ts',
    from: "if (stored.value === undefined) return wrong('lost-write')",
    to: 'if (stored.value === undefined) return created',
    by: atKubernetes,
  },
  'takes what is listed for all that there is': {
    file: 'src/state/object-backend.ts',
    from: '      last = { serial, text: found.value.text }\n      seen = serial\n',
    to: '      last = { serial, text: found.value.text }\n      seen = serial\n      if (serial === listed.value) return { ok: true, value: last }\n',
    by: atS3,
  },
  'takes a version that is gone for the end of the state': {
    file: 'src/state/object-backend.ts',
    from: 'return serial === listed.value ? missing(serial) : { ok: true, value: last }',
    to: 'return { ok: true, value: last }',
    by: atKubernetes,
  },
  'takes a gateway that finds nothing for an object that is not there': {
    file: 'src/state/s3-store.ts',
    from: "status === 404 && parseS3Code(bytes) === 'NoSuchKey'",
    to: 'status === 404 && bytes.length >= 0',
    by: atS3,
  },
  'takes a gateway that finds nothing for a Secret that is not there': {
    file: 'src/state/kubernetes-store.ts',
    from: "const isMissing = status === 404 && readText(answer, 'reason') === 'NotFound'",
    to: 'const isMissing = status === 404',
    by: atKubernetes,
  },
  'keeps state in Secrets that can be changed': {
    file: 'src/state/kubernetes-store.ts',
    from: 'immutable: true,',
    to: 'immutable: false,',
    by: atKubernetes,
  },
  'creates no object unless it is new, and does not say so': {
    file: 'src/state/s3-store.ts',
    from: "'if-none-match': '*', [runHeader]: run",
    to: '[runHeader]: run',
    by: ['servers', '--only', 'numbers'],
  },
  'moves state and leaves no pointer': {
    file: 'src/state/move-state.ts',
    from: "taken.held.release({ type: 'moved', ...to.place })",
    to: "taken.held.release({ type: 'released' })",
    by: ['jest', 'state/move-state'],
  },
  'creates a site by a plan that nobody signed': {
    file: 'src/policy/plan-rules.ts',
    from: '!signedBy.some(isSignedBy)',
    to: '!signedBy.some(key => isSignedBy(key) || creates)',
    by: atPermission,
    isShort: true,
  },
  'takes any signature for one of the plan': {
    file: 'src/library/plan-permission.ts',
    from: 'signature !== undefined && isSignedBy(key, id, signature)',
    to: 'signature !== undefined && (isSignedBy(key, id, signature) || signature.length > 0)',
    by: atPermission,
  },
  'lets a nearer policy replace what a farther one asks': {
    file: 'src/library/plan-permission.ts',
    from: '  for (const { file, plans } of rules) {',
    to: '  for (const { file, plans } of rules.slice(-1)) {',
    by: atPermission,
  },
  'sends changes at any hour': {
    file: 'src/policy/plan-rules.ts',
    from: '!isOpen(hours, now)',
    to: '!isOpen(hours, now) && !sends',
    by: atPermission,
  },
  'performs a plan of any age': {
    file: 'src/policy/plan-rules.ts',
    from: '!(now - createdAt <= maxAgeMs)',
    to: '!(now - createdAt <= Number.POSITIVE_INFINITY)',
    by: atPermission,
  },
  'sends a license that the service has refused': {
    file: 'src/apply/check-license.ts',
    from: "if (answer?.kind === 'refused')",
    to: "if (answer?.kind === 'refused' && signal.aborted)",
    by: atLicense,
  },
  'takes a site without a license check for one that refuses': {
    file: 'src/client/validate-license.ts',
    from: '&& !noResource.includes(code)',
    to: '',
    by: atLicense,
  },
  'lets an option switch off what a policy asks of the license': {
    file: 'src/apply/check-license.ts',
    from: 'isWanted || isRequired ?',
    to: 'isWanted ?',
    by: atLicense,
  },
  'configures a site that was adopted': {
    file: 'src/apply/adopt-site.ts',
    from: "    state: 'ready',\n",
    to: "    state: 'not-sent',\n",
    by: ['jest', 'cli/adopt'],
  },
  'says of an adopted site that Landform applied it': {
    file: 'src/apply/adopt-site.ts',
    from: 'appliedAt: assertedAt, asserted: true, manifest, value',
    to: 'appliedAt: assertedAt, manifest, value',
    by: ['jest', 'cli/adopt'],
  },
  'writes a property that may be a secret into a manifest': {
    file: 'src/plan/adoption.ts',
    from: "isSecretName(name) || mayBeSecret(['systemProperties', name], value)",
    to: "(isSecretName(name) || mayBeSecret(['systemProperties', name], value)) && value === null",
    by: ['jest', 'cli/adopt'],
  },
  'keeps the texts of a site in its evidence': {
    file: 'src/evidence/shape.ts',
    from: '  const { length } = value\n',
    to: '  const { length } = value\n  if (identifier.test(value)) return value\n',
    by: ['jest', 'cli/probe'],
  },
  'keeps the names that a site gives to things in its evidence': {
    file: 'src/evidence/shape.ts',
    from: 'if (dataKeyed.includes(parent)) return () => false',
    to: 'if (dataKeyed.includes(parent)) return () => true',
    by: ['jest', 'cli/probe'],
  },
}
