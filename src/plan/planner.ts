import {
  compareVersions,
  findIntroduction,
  findKnownVersion,
  includes,
  isDocumented,
  parseVersion,
  type ServiceVersion,
} from '../contract/versions.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { findNewerParts } from '../manifest/rules/fields-exist-in-the-version.js'
import type { Result } from '../result.js'
import { apiVersion, type JsonValue } from '../schema/json-schema.js'
import { appendSegment } from '../schema/pointer.js'
import { ValueIndex } from '../schema/select.js'
import { isSame } from './compare/meaning.js'
import { classifyFields, listImmutableEdits } from './fields/classify-fields.js'
import { findAssertion, listChangedFields, listCreatedFields, policyPointer } from './fields/known.js'
import {
  findLivePolicy,
  isUnreadFor,
  listOtherPaths,
  mergeUpgradeConfig,
  type Observation,
  type SiteSettings,
  selectOtherSettings,
} from './observation.js'
import type { Blocker, Configure, Plan, Update } from './plan.js'
import { type Bindings, computeSettingDigests } from './saved/bindings.js'
import { withholdTexts } from './site-texts.js'
import { computeRecordDigest, type Situation } from './situation.js'
import { findOtherSite, hasBegun, isPending } from './submission.js'

/** A plan, or the reason why there is none: a person has to repair the site, or its version is too old. */
export type PlanningReply = Result<Plan, Blocker> & { readonly diagnostics: readonly Diagnostic[] }

/** Plans the steps from the observed state to the desired one. Pure: the same situation gives the same plan. */
export function plan(situation: Situation): PlanningReply {
  const { desired, observed, settings, url, now, lifetimeMs } = situation
  const diagnostics = [...diagnoseVersion(desired, observed), ...diagnoseSettings(desired, settings)]
  const impossible = findBlocker(observed, diagnostics) ?? findReplacedSite(situation)
  if (impossible !== undefined) return { ok: false, error: impossible, diagnostics }
  const configure = buildConfigure(situation)
  const update = buildUpdate(situation)
  if (update?.change === 'update') diagnostics.push(...diagnoseToken(desired))
  const immutable = listImmutableEdits(situation)
  return {
    ok: true,
    diagnostics,
    value: {
      name: desired.name,
      manifest: desired.file,
      url,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + lifetimeMs).toISOString(),
      binds: buildBindings(situation),
      ...withholdTexts(
        {
          actions: update === undefined ? [configure] : [configure, update],
          immutable,
          fields: classifyFields(situation),
        },
        situation,
      ),
    },
  }
}

/** Builds the facts of a situation that a plan is bound to. */
export function buildBindings(situation: Situation): Bindings {
  const { desired, observed, settings, record, url, stateLocation, files, tool } = situation
  return {
    manifest: desired.digest,
    files,
    origin: new URL(url).origin,
    site: {
      state: observed.assumed ? 'not-observed' : observed.kind,
      version: observed.version ?? null,
      ...(observed.build !== undefined && { build: observed.build }),
      settings: computeSettingDigests(settings),
    },
    ...(stateLocation !== undefined && { state: stateLocation }),
    record: record.serial,
    recorded: computeRecordDigest(situation),
    tool,
    schema: apiVersion,
  }
}

/** Finds the sign that another site now responds at the address that a request was sent to. */
export function findReplacedSite({ observed, submission }: Situation): Blocker | undefined {
  const difference = findOtherSite(submission, observed)
  if (submission !== undefined && difference !== undefined)
    return { kind: 'site-replaced', submission, difference }
  if (observed.kind !== 'not-configured' || submission === undefined || !hasBegun(submission))
    return undefined
  return { kind: 'site-replaced', submission }
}

/** Finds the reason why a site can be neither planned for nor compared. */
export function findBlocker(observed: Observation, diagnostics: readonly Diagnostic[]): Blocker | undefined {
  if (observed.kind === 'failed') return { kind: 'site-failed', observed }
  if (observed.kind === 'unrecognized') return { kind: 'site-unrecognized', observed }
  return diagnostics.some(({ severity }) => severity === 'error') ? { kind: 'site-too-old' } : undefined
}

/** The members of an action that sends nothing. */
const nothing = { irreversible: false, fields: [] } as const

function buildConfigure({ desired, observed, licenses, submission }: Situation): Configure {
  const { version } = desired.site
  if (observed.kind === 'ready')
    return { ...nothing, operation: 'configure', change: 'no-op', reason: 'already-configured' }
  if (observed.kind === 'in-progress')
    return { ...nothing, operation: 'configure', change: 'resume', reason: 'configuration-in-progress' }
  // A request that may be under way is waited for and never sent again, however long the site shows no sign of it.
  if (submission !== undefined && isPending(submission))
    return { ...nothing, operation: 'configure', change: 'resume', reason: 'submitted-before' }
  return {
    irreversible: true,
    fields: listCreatedFields(desired),
    operation: 'configure',
    change: 'create',
    reason: submission?.state === 'rejected' ? 'rejected-before' : 'not-configured',
    organization: desired.organization,
    ...(isDocumented(version)
      ? {}
      : { undocumented: { version, reportedBy: findKnownVersion(version)?.reportedBy ?? null } }),
    licenses,
  }
}

/** Builds the update; `undefined` if the manifest has no policy: the policy of the site then stays. */
function buildUpdate(situation: Situation): Update | undefined {
  const { desired, observed, settings, record } = situation
  const {
    policy,
    site: { token, signIn },
  } = desired
  if (policy === undefined) return undefined
  const others = selectOtherSettings(settings)
  const set = (reason: (Update & { change: 'update' })['reason'], known?: JsonValue): Update => ({
    irreversible: false,
    fields: listChangedFields(desired, policyPointer, { before: known, after: policy }),
    operation: 'update',
    change: 'update',
    reason,
    policy,
    upgradeConfig: mergeUpgradeConfig(policy, others),
    kept: listOtherPaths(others),
    ...findEmptiedFields(situation),
    // A manifest with a sign-in needs no token, so a missing token must not stop the plan.
    ...(token !== undefined && signIn === undefined && { token }),
  })
  if (observed.kind !== 'ready') return set('never-applied')
  const known = findLivePolicy(settings) ?? record.policy?.value
  // If Landform created the site without setting a policy, the site never had one from us. Any other site may have one.
  const { organization } = record
  const isOurs =
    organization !== undefined &&
    organization.asserted === undefined &&
    findAssertion(record, policyPointer) === undefined
  if (known === undefined) return set(isOurs ? 'never-applied' : 'cannot-be-read')
  return isSame(known, policy, policyPointer)
    ? { ...nothing, operation: 'update', change: 'no-op', reason: 'policy-unchanged' }
    : set('policy-changed', known)
}

/**
 * Finds the halves of the policy that are sent empty. If the site does not report its upgrade configuration, they may
 * overwrite values that others set. A site without an organization has no such values.
 */
function findEmptiedFields({
  desired: { policyDefaults = [] },
  observed,
  settings,
}: Situation): Pick<Update & { readonly change: 'update' }, 'emptied'> {
  if (policyDefaults.length === 0 || observed.kind !== 'ready' || settings.upgradeConfig.kind === 'read')
    return {}
  return { emptied: policyDefaults.map(half => appendSegment(policyPointer, half)) }
}

/** Reports a site version that differs from the declared one, and the parts that it is too old for. Service §9. */
export function diagnoseVersion(desired: Manifest, observed: Observation): readonly Diagnostic[] {
  const reported = parseReportedVersion(observed.version)
  if (reported === undefined || compareVersions(reported, desired.site.version) === 0) return []
  const spec = { ...desired.organization, ...(desired.policy !== undefined && { upgrade: {} }) }
  const facts = { declared: desired.site.version, reported }
  return [
    diagnose('site/version-differs', '/spec/site/version', facts),
    ...diagnoseMissingConfigure(observed, reported),
    ...[...findNewerParts(new ValueIndex({ spec }))]
      .filter(({ since }) => !includes(reported, since))
      .map(({ name: field, since: needs, pointer }) =>
        diagnose('site/too-old', pointer, { field, needs, reported }),
      ),
  ].map(diagnostic => addPlace(desired, diagnostic))
}

/** Reports a version without `configure`. A site that has its organization does not need the operation. */
function diagnoseMissingConfigure(observed: Observation, reported: ServiceVersion): readonly Diagnostic[] {
  const needs = findIntroduction('configure')
  if (observed.kind !== 'not-configured' || includes(reported, needs)) return []
  return [diagnose('site/without-configure', '/spec/site/version', { needs, reported })]
}

/** Parses the version in `fullVersion`, which may have a fourth number. */
function parseReportedVersion(fullVersion: string | undefined): ServiceVersion | undefined {
  const [numbers] = /^\d+(?:\.\d+){1,2}/.exec(fullVersion ?? '') ?? []
  return numbers === undefined ? undefined : parseVersion(numbers)
}

/** Reports an update that a site with authentication would reject for lack of a token. */
export function diagnoseToken(desired: Manifest): readonly Diagnostic[] {
  const { token, signIn } = desired.site
  if (token !== undefined || signIn !== undefined) return []
  return [addPlace(desired, diagnose('site/token-unnamed', policyPointer, {}))]
}

/** Reports the reasons why settings of a site were not read: each reason once, and only those a user can fix. */
export function diagnoseSettings(desired: Manifest, settings: SiteSettings): readonly Diagnostic[] {
  const { token: origin } = desired.site
  const place = origin === undefined ? '/spec/site' : '/spec/site/token'
  return [
    ...(isUnreadFor('no-token', settings) ? [diagnose('site/token-missing', place, { origin })] : []),
    ...(isUnreadFor('not-allowed', settings) ? [diagnose('site/token-refused', place, { origin })] : []),
    // A running upgrade matters only to a manifest that sets a policy for upgrades.
    ...(isUnreadFor('upgrading', settings) && desired.policy !== undefined
      ? [diagnose('site/upgrading', '/spec/upgrade', {})]
      : []),
  ].map(diagnostic => addPlace(desired, diagnostic))
}
