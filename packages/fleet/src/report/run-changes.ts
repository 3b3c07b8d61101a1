import { display } from 'landform/report'
import type { Run } from '../model/run.js'
import { describeProgress } from './run-line.js'

/** Formats the changes of sites between two polls, one per line; the first poll reports no changes. */
export function formatChanges(before: readonly Run[] | undefined, after: readonly Run[]): readonly string[] {
  const known = new Map(before?.map(run => [run.site, describeRun(run)]))
  return after.flatMap(run => {
    const words = describeRun(run)
    return before === undefined || known.get(run.site) === words
      ? []
      : [`[${display(run.name, 60)}] ${words}`]
  })
}

function describeRun(run: Run): string {
  const { state, message = '', retries } = run
  const place = describeProgress(run)
  const parts = [
    state,
    ...(place === '-' ? [] : [place]),
    ...(state === 'running' && retries > 0 ? [`retried ${retries === 1 ? 'once' : `${retries} times`}`] : []),
    ...(message === '' || state === 'done' ? [] : [display(message, 300)]),
  ]
  return parts.join(', ')
}
