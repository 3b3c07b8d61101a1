import { findStage, type StageName } from '../../contract/responses.js'
import { parseVersion } from '../../contract/versions.js'
import { durationPattern, parseDurationMs } from '../../schema/fields.js'
import type { SiteFault } from './fault.js'
import type { Words } from './words.js'

const text = ':(?<text>[\\s\\S]*)'
const stage = ':(?<stage>[^,:]+)'

/** The notation of each site fault. */
export const siteWords: Words<SiteFault> = {
  stall: {
    form: 'stall[:TIME]',
    meaning: 'makes the stage take longer, or for ever',
    pattern: `(?::(?<time>${durationPattern}))?`,
    make: ({ time }) => ({ kind: 'stall', ...(time !== undefined && { ms: parseDurationMs(time) }) }),
  },
  fail: {
    form: 'fail[:MESSAGE]',
    meaning: 'makes the stage fail at its end',
    pattern: `(?:${text})?`,
    make: ({ text = 'A stage failed.' }) => ({ kind: 'fail', message: text }),
  },
  back: {
    form: 'back:STAGE[,after:TIME]',
    meaning: 'moves the configuration back to an earlier stage',
    pattern: `${stage}(?:,after:(?<time>${durationPattern}))?`,
    make: ({ time = '0ms', ...rest }) =>
      withStage(rest, to => ({ kind: 'back', to, afterMs: parseDurationMs(time) })),
  },
  forget: {
    form: 'forget',
    meaning: 'removes the configuration of the site',
    pattern: '',
    make: () => ({ kind: 'forget' }),
  },
  replace: {
    form: 'replace[,version:VERSION][,build:TEXT]',
    meaning: 'replaces the site by another one that is not configured',
    pattern: '(?:,version:(?<version>[\\d.]+))?(?:,build:(?<build>[^,]+))?',
    make({ version: written, build }) {
      const version = written === undefined ? undefined : parseVersion(written)
      if (written !== undefined && version === undefined) return undefined
      return { kind: 'replace', ...(version && { version }), ...(build !== undefined && { build }) }
    },
  },
  upgrade: {
    form: 'upgrade,version:VERSION[,build:TEXT]',
    meaning: 'upgrades the site in place, with everything that is configured',
    pattern: ',version:(?<version>[\\d.]+)(?:,build:(?<build>[^,]+))?',
    make({ version: written = '', build }) {
      const version = parseVersion(written)
      return version && { kind: 'upgrade', version, ...(build !== undefined && { build }) }
    },
  },
  state: {
    form: 'state:TEXT',
    meaning: 'reports this overall state',
    pattern: text,
    make: ({ text = '' }) => ({ kind: 'state', text }),
  },
  message: {
    form: 'message:TEXT',
    meaning: 'reports this message',
    pattern: text,
    make: ({ text = '' }) => ({ kind: 'message', text }),
  },
  rename: {
    form: 'rename:STAGE,to:NAME',
    meaning: 'reports a stage under another name',
    pattern: `${stage},to:(?<to>[\\s\\S]*)`,
    make: ({ to = '', ...rest }) => withStage(rest, stage => ({ kind: 'rename', stage, to })),
  },
  hide: {
    form: 'hide:STAGE',
    meaning: 'omits a stage',
    pattern: stage,
    make: groups => withStage(groups, stage => ({ kind: 'hide', stage })),
  },
  repeat: {
    form: 'repeat:STAGE',
    meaning: 'lists a stage twice',
    pattern: stage,
    make: groups => withStage(groups, stage => ({ kind: 'repeat', stage })),
  },
  stages: {
    form: 'stages:COUNT',
    meaning: 'adds this many unknown stages',
    pattern: ':(?<count>\\d{1,7})',
    make: ({ count }) => ({ kind: 'stages', count: Number(count) }),
  },
  warnings: {
    form: 'warnings:COUNT',
    meaning: 'reports this many warnings',
    pattern: ':(?<count>\\d{1,7})',
    make: ({ count }) => ({ kind: 'warnings', count: Number(count) }),
  },
  skew: {
    form: 'skew:TIME',
    meaning: 'shifts the clock of the service, such as by -5m',
    pattern: `:(?<time>[-+]?${durationPattern})`,
    make: ({ time = '' }) => ({ kind: 'skew', ms: parseDurationMs(time) }),
  },
}

function withStage<F>(
  { stage = '' }: Readonly<Record<string, string | undefined>>,
  make: (stage: StageName) => F,
): F | undefined {
  const known = findStage(stage)
  return known === undefined ? undefined : make(known)
}
