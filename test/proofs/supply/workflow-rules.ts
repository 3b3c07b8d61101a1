import { parse } from 'yaml'

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly Step[]
}
interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}
interface Workflow {
  readonly on?: unknown
  readonly permissions?: Readonly<Record<string, string>> | string
  readonly jobs?: Readonly<Record<string, Job>>
}

/** The jobs that may write, and what: to publish a release is all there is. */
const writers: Readonly<Record<string, readonly string[]>> = { publish: ['contents', 'id-token'] }

/** Where a workflow of ours trusts more than it must: actions by a name that can move, rights, and scripts of packages. */
export function workflowComplaints(text: string): readonly string[] {
  const { on, permissions, jobs = {} } = parse(text) as Workflow
  const isRead = typeof permissions === 'object' && Object.values(permissions).every(one => one === 'read')
  return [
    ...pinComplaints(text),
    ...(isRead ? [] : ['gives every job more than to read, or does not say']),
    ...(/pull_request_target|workflow_run/.test(JSON.stringify(on ?? ''))
      ? ['runs code of others with our rights']
      : []),
    ...Object.entries(jobs).flatMap(([name, job]) => listJobErrors(name, job).map(what => `${name} ${what}`)),
  ]
}

/** Actions that are not named by a commit with its version beside it. */
export function pinComplaints(text: string): readonly string[] {
  return [...text.matchAll(/^[\s-]*uses: (.*)$/gm)]
    .map(([, used = '']) => used)
    .filter(used => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used))
    .map(used => `uses ${used}, which is no commit`)
}

function listJobErrors(name: string, { permissions = {}, steps = [] }: Job): readonly string[] {
  const written = Object.entries(permissions).filter(([, right]) => right !== 'read')
  const may = writers[name] ?? []
  const keepsToken = ({ uses = '', with: inputs }: Step) =>
    uses.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false
  return [
    ...written.filter(([what]) => !may.includes(what)).map(([what, right]) => `may ${right} ${what}`),
    ...(steps.some(keepsToken) && may.length === 0 ? ['leaves its token in the checkout'] : []),
    ...steps
      .filter(({ run = '' }) => /npm (?:ci|install)(?!.*--ignore-scripts)/.test(run))
      .map(({ run = '' }) => `lets packages run scripts: ${run}`),
  ]
}
