import { knownStage, type StageName } from '../../contract/stages.js'
import { parseVersion } from '../../contract/version.js'
import type { SiteFault } from './fault.js'
import { milliseconds, time } from './quantities.js'
import type { Words } from './words.js'

const text = ':(?<text>[\\s\\S]*)'
const stage = ':(?<stage>[^,:]+)'

/** How each fault of the site is written. */
export const siteWords: Words<SiteFault> = {
  stall: {
    form: 'stall[:TIME]',
    pattern: `(?::(?<time>${time}))?`,
    make: ({ time }) => ({ kind: 'stall', ...(time !== undefined && { ms: milliseconds(time) }) }),
  },
  fail: {
    form: 'fail[:MESSAGE]',
    pattern: `(?:${text})?`,
    make: ({ text = 'A stage failed.' }) => ({ kind: 'fail', message: text }),
  },
  back: {
    form: 'back:STAGE[,after:TIME]',
    pattern: `${stage}(?:,after:(?<time>${time}))?`,
    make: ({ time = '0ms', ...rest }) =>
      withStage(rest, to => ({ kind: 'back', to, afterMs: milliseconds(time) })),
  },
  forget: { form: 'forget', pattern: '', make: () => ({ kind: 'forget' }) },
  replace: {
    form: 'replace[,version:VERSION][,build:TEXT]',
    pattern: '(?:,version:(?<version>[\\d.]+))?(?:,build:(?<build>[^,]+))?',
    make({ version: written, build }) {
      const version = written === undefined ? undefined : parseVersion(written)
      if (written !== undefined && version === undefined) return undefined
      return { kind: 'replace', ...(version && { version }), ...(build !== undefined && { build }) }
    },
  },
  state: {
    form: 'state:TEXT',
    pattern: text,
    make: ({ text = '' }) => ({ kind: 'state', text }),
  },
  message: {
    form: 'message:TEXT',
    pattern: text,
    make: ({ text = '' }) => ({ kind: 'message', text }),
  },
  rename: {
    form: 'rename:STAGE,to:NAME',
    pattern: `${stage},to:(?<to>[\\s\\S]*)`,
    make: ({ to = '', ...rest }) => withStage(rest, stage => ({ kind: 'rename', stage, to })),
  },
  hide: {
    form: 'hide:STAGE',
    pattern: stage,
    make: groups => withStage(groups, stage => ({ kind: 'hide', stage })),
  },
  repeat: {
    form: 'repeat:STAGE',
    pattern: stage,
    make: groups => withStage(groups, stage => ({ kind: 'repeat', stage })),
  },
  stages: {
    form: 'stages:COUNT',
    pattern: ':(?<count>\\d{1,7})',
    make: ({ count }) => ({ kind: 'stages', count: Number(count) }),
  },
  warnings: {
    form: 'warnings:COUNT',
    pattern: ':(?<count>\\d{1,7})',
    make: ({ count }) => ({ kind: 'warnings', count: Number(count) }),
  },
  skew: {
    form: 'skew:TIME, such as -5m',
    pattern: `:(?<time>[-+]?${time})`,
    make: ({ time = '' }) => ({ kind: 'skew', ms: milliseconds(time) }),
  },
}

function withStage<F>(
  { stage = '' }: Readonly<Record<string, string | undefined>>,
  make: (stage: StageName) => F,
): F | undefined {
  const known = knownStage(stage)
  return known === undefined ? undefined : make(known)
}
