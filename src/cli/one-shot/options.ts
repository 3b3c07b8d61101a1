import { manifestVersions } from '../../contract/versions.js'
import type { Options } from '../command.js'
import { commonOptions, formatOption, parseDuration, siteOptions } from '../options.js'
import { scenarioOption } from '../scenario-option.js'
import { UsageError } from '../usage-error.js'
import { siteFormats } from '../with-session.js'

/** The word of a one-shot operation that names a manifest; `--url` can stand in for it. */
export const siteArgument = {
  name: 'file',
  optional: true,
  describe: 'Manifest of the site; - is standard input. Not needed with --url',
} as const

/** The options that both one-shot operations have after their own. */
export const oneShotOptions = {
  token: {
    kind: 'text',
    value: 'env:NAME|file:PATH',
    describe: 'Where the token is, in place of spec.site.token; files below the working folder',
  },
  'service-version': {
    kind: 'text',
    value: 'VERSION',
    suggests: manifestVersions,
    describe: 'Version of a site without a manifest, to refuse what it does not have',
  },
  yes: { kind: 'flag', describe: 'Do not ask before the site does something' },
  ...siteOptions,
  ...scenarioOption,
  ...formatOption(siteFormats),
  ...commonOptions,
} as const satisfies Options

/** A timer that is set for longer fires at once. */
const longestMs = 2 ** 31 - 1

/** Reads how long the one request may take. */
export function parseDeadline(text: string): number {
  const deadlineMs = parseDuration('timeout', text)
  if (deadlineMs < 1000) throw new UsageError('--timeout is at least 1s')
  return Math.min(deadlineMs, longestMs)
}
