/** Landform as a library. No function here prompts, prints, or ends the process. */
export { apply } from './apply/apply.js'
export type { Clock } from './apply/clock.js'
export type { ApplyEvent } from './apply/generated/event.js'
export type { Outcome, Receipt } from './apply/outcome.js'
export type { ApplyOptions, Ports } from './apply/ports.js'
export type { Reply, ServiceFailure } from './client/failure.js'
export { accountOf } from './client/sign-in.js'
export { createSignInProvider, type SignInProvider } from './client/sign-in-provider.js'
export type { ConfigureCall, SiteReader, SiteWriter } from './client/site-client.js'
export {
  type ExportResult,
  type SiteOperator,
  siteOperator,
  type WebhooksRequest,
} from './client/site-operator.js'
export { siteReader } from './client/site-reader.js'
export { siteWriter } from './client/site-writer.js'
export type { ExportRequest, ExportTarget } from './client/wire/form-requests.js'
export { parseServiceName, type ServiceName } from './contract/operations.js'
export type { Diagnostic, DiagnosticCode } from './diagnostics/diagnostic.js'
export type { Place } from './diagnostics/place.js'
export type { AnswerShape, Evidence, EvidenceEntry } from './evidence/evidence.js'
export { type ApplySiteOptions, applySite } from './library/apply-site.js'
export type { SitePorts, SiteRequest } from './library/open-site.js'
export { type PlannedSite, type PlanReply, planSite } from './library/plan-site.js'
export type { SiteProblem } from './library/problem.js'
export {
  type ComparedSite,
  compareSite,
  observeSite,
  type SiteStatus,
} from './library/read-site.js'
export type { Site } from './library/site.js'
export { type Base, baseOf } from './manifest/extends.js'
export { type LoadedManifest, loadManifest } from './manifest/load-manifest.js'
export type { Manifest } from './manifest/manifest.js'
export type { Judge } from './manifest/rules/rule.js'
export type { Source } from './manifest/source.js'
export {
  deleteAll,
  exportSite,
  listWebhooks,
  type OneShotOptions,
  type OneShotPorts,
  type WebhooksListing,
} from './operations/one-shot.js'
export type { DeleteOutcome, ExportOutcome } from './operations/outcome.js'
export { noSettings, type Observation, type SiteSettings } from './plan/observation.js'
export type { Action, Plan } from './plan/plan.js'
export { type PlanningReply, plan } from './plan/planner.js'
export { buildPlanDocument } from './plan/saved/plan-document.js'
export { formatSavedPlan, parsePlan, type SavedPlan } from './plan/saved/saved-plan.js'
export type { ApplyRecord, Situation } from './plan/situation.js'
export { judgeBy } from './policy/judge.js'
export { loadPolicy } from './policy/load-policy.js'
export type { Policy } from './policy/policy.js'
export { describeOutcome } from './report/endings/apply.js'
export { describeProblem } from './report/endings/problems.js'
export { describeFailure } from './report/endings/service.js'
export type { Result } from './result.js'
export type { NeededSecret } from './secrets/needed-references.js'
export { bindFiles } from './secrets/resolve.js'
export { type SecretSource, secretSource } from './secrets/secret-source.js'
export { createTokenProvider, noToken, type TokenProvider } from './secrets/token-provider.js'
export { fileBackend } from './state/file-backend.js'
export { gitBackend } from './state/git-backend.js'
export { memoryBackend } from './state/memory-backend.js'
export type { StatePorts, StateStore } from './state/ports.js'
export type { Series, StateBackend, Version } from './state/series.js'
export type { SiteState } from './state/site-state.js'
export { stateStore } from './state/state-store.js'
