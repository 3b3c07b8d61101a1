import { formatSubmission, type SubmittedSite } from '../../packages/fleet/src/report/submission.js'
import { plain } from '../../src/report/terminal.js'

const former = {
  generation: 1,
  state: 'done',
  isCancelRequested: false,
  isStopped: false,
  digest: 'sha256:0',
  priority: 0,
  timeoutMs: 1,
} as const

function aSite(at: number, is: SubmittedSite['is']): SubmittedSite {
  const name = `site-${at}`
  const run = {
    site: `https://gis.example.org/${name}/admin`,
    name,
    manifest: `${name}.yaml`,
    digest: 'sha256:0',
  }
  return { run: { ...run, wave: 1, priority: 0, timeoutMs: 1 }, generation: 1, is, former }
}

const siteLines = (text: string) => text.split('\n').filter(line => line.startsWith('  site-'))

test('of more than ten sites, a submission lists those that get a run, and counts the unchanged ones', () => {
  const ten = Array.from({ length: 10 }, (_, at) => aSite(at, 'same'))
  expect(siteLines(formatSubmission(ten, plain))).toHaveLength(10)
  const eleven = formatSubmission([...ten, aSite(10, 'new')], plain)
  expect(siteLines(eleven)).toEqual([expect.stringContaining('site-10')])
  expect(eleven).toContain('11 sites, 10 unchanged.')
  expect(formatSubmission([...ten, aSite(10, 'same')], plain)).toBe('11 sites, 11 unchanged.\n')
})
