/** The building blocks of commands, for packages that add some: host, options, reports, confirmation and exit codes. */
export { expandFiles } from '../cli/check/expand-files.js'
export { checkPolicyNames, loadFailure, redactLines } from '../cli/check/read-source.js'
export type { ArgumentsOf } from '../cli/command.js'
export { fleetFormats } from '../cli/command-options.js'
export type {
  FleetPackage,
  fleetCancel,
  fleetHistory,
  fleetResume,
  fleetStatus,
  fleetSubmit,
  fleetWorker,
} from '../cli/commands/fleet.js'
export type { Host, Signal } from '../cli/host.js'
export { parseDuration, parseTargets, parseWhole, type ReportTarget } from '../cli/options.js'
export { nextCommands } from '../cli/site/next-commands.js'
export { type OpenedSite, type SitesContext, withSites } from '../cli/site/open-sites.js'
export { connectionString, parseSecretOption, readSecretOption } from '../cli/site/secret-option.js'
export { checkTlsVerification, parseAllowedOrigins } from '../cli/site/site-policy.js'
export { confirm, signalCodes, stopSignal } from '../cli/terminal/interaction.js'
export {
  checkReports,
  emit,
  type Failure,
  fail,
  jsonText,
  paintFor,
  sayFailure,
} from '../cli/terminal/output.js'
export { canRedraw, drain } from '../cli/terminal/progress.js'
export type { OpenResult } from '../cli/with-opened.js'
export { endOfApply } from '../report/endings/apply.js'
export type { Ending } from '../report/endings/ending.js'
export { endOfProblem } from '../report/endings/problems.js'
export { toStateFailure } from '../report/endings/state.js'
export {
  type ExitCode,
  endStateByExitCode,
  exitCodeByEndState,
  exitCodes,
  severityOrder,
  UsageError,
  worstExitCode,
} from '../report/exit-code.js'
export { shellWord } from '../report/shell-word.js'
export { version } from '../version.js'
