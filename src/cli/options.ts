import {
  findIntroduction,
  findSchemaVersion,
  newestVersion,
  parseVersion,
  type ServiceVersion,
} from '../contract/versions.js'
import { findFieldByPath, findOpenField, suggestField } from '../manifest/field-path.js'
import { UsageError } from '../report/exit-code.js'
import { durationPattern, parseDurationMs } from '../schema/fields.js'
import type { JsonPointer } from '../schema/pointer.js'
import type { Arguments } from './command.js'
import type { waitOptions } from './command-options.js'

/** The destination of one format: stdout, or a file. */
export interface ReportTarget<F extends string> {
  readonly format: F
  readonly file: string | undefined
}

/** Reads the values of `--format`. Only one can go to stdout, which is a single document. */
export function parseTargets<F extends string>(
  values: readonly string[],
  formats: readonly F[],
): readonly ReportTarget<F>[] {
  const targets = values.map(value => {
    const [name = '', ...rest] = value.split('=')
    const format = formats.find(candidate => candidate === name)
    if (format === undefined)
      throw new UsageError(`unknown format ${JSON.stringify(name)}; use ${formats.join(' or ')}`)
    if (rest.length > 0 && rest.join('=') === '') throw new UsageError(`--format ${name}= needs a file name`)
    return { format, file: rest.length === 0 ? undefined : rest.join('=') }
  })
  if (targets.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError(
      'only one --format can go to stdout; give the others a file, such as --format json=out.json',
    )
  return targets
}

/** Reads the options of waiting. The result takes the default interval, which depends on the site. */
export function parseWaitOptions(argv: Omit<Arguments<typeof waitOptions>, 'notify'>) {
  const timeoutMs = parseDuration('timeout', argv.timeout)
  const chosen = argv['poll-interval']
  const pollMs = chosen === undefined ? undefined : parseDuration('poll-interval', chosen)
  if (pollMs !== undefined && pollMs < 10) throw new UsageError('--poll-interval must be at least 10ms')
  return (defaultPollMs: number) => ({ timeoutMs, pollMs: pollMs ?? defaultPollMs })
}

/** Reads a duration such as `500ms`, `90s`, `10m` or `3h`, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  if (new RegExp(`^${durationPattern}$`).test(text)) return parseDurationMs(text)
  throw new UsageError(`--${option} must be a duration such as 500ms, 90s, 10m or 3h`)
}

/** Node.js fires timers with a longer delay at once. */
const longestTimerMs = 2 ** 31 - 1

/** Reads the time limit of the one request. */
export function parseDeadline(text: string): number {
  const deadlineMs = parseDuration('timeout', text)
  if (deadlineMs < 1000) throw new UsageError('--timeout must be at least 1s')
  return Math.min(deadlineMs, longestTimerMs)
}

/** Reads a service version. */
export function parseServiceVersion(text: string): ServiceVersion {
  const version = parseVersion(text)
  if (version !== undefined) return version
  throw new UsageError(`${JSON.stringify(text)} is not a version such as ${newestVersion}`)
}

/** Reads a service version that has `configure`, with the version of the schema of its manifests. */
export function parseManifestVersion(text: string) {
  const version = parseServiceVersion(text)
  const schema = findSchemaVersion(version)
  if (schema !== undefined) return { version, schema }
  throw new UsageError(
    `service version ${version} has no configure: it was added in ${findIntroduction('configure')}`,
  )
}

/** Reads the fields that an option names; each includes everything below it. */
export function parseFields(option: string, paths: readonly string[]): readonly JsonPointer[] {
  return paths.map(path => {
    const pointer = findFieldByPath(path) ?? findOpenField(path)
    if (pointer !== undefined) return pointer
    const meant = suggestField(path)
    const remedy = meant === undefined ? 'name one such as spec.logLevel' : `did you mean ${meant}?`
    throw new UsageError(`unknown field ${JSON.stringify(path)} in --${option}; ${remedy}`)
  })
}

/** Reads a whole number from an inclusive range. */
export function parseWhole(option: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1
  if (value < from || value > to) throw new UsageError(`--${option} must be a number from ${from} to ${to}`)
  return value
}
