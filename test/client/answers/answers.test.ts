import type { Ports } from '../../../src/apply/ports.js'
import type { Reply, ServiceFailure } from '../../../src/client/failure.js'
import { defaultMaxBytes } from '../../../src/client/limit.js'
import type { Transport, TransportReply, TransportRequest } from '../../../src/client/route.js'
import { siteReader } from '../../../src/client/site-reader.js'
import { siteWriter } from '../../../src/client/site-writer.js'
import type { SiteProblem } from '../../../src/library/problem.js'
import { joinMessages, type Observation } from '../../../src/plan/observation.js'
import { plan } from '../../../src/plan/planner.js'
import { describeOutcome, endOfApply } from '../../../src/report/endings/apply.js'
import { describeProblem, endOfProblem } from '../../../src/report/endings/problems.js'
import { causeOfService } from '../../../src/report/endings/service.js'
import { describeEvent } from '../../../src/report/events.js'
import { exitCodes } from '../../../src/report/exit-code.js'
import { formatStatus } from '../../../src/report/status.js'
import { plain } from '../../../src/report/terminal.js'
import { noToken } from '../../../src/secrets/token-provider.js'
import { aManifest } from '../../support/a-manifest.js'
import { aSituation } from '../../support/a-plan.js'
import { applied, planFor, portsFor } from '../../support/applying.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { type Given, json, results } from './results.js'
import { rejections, roots, sentResults } from './rows.js'

const url = 'http://site.test/portal/admin'
const timeoutMs = 180_000
const root = (state: string) => json({ resources: ['orgs'], status: { state } })

interface Came {
  readonly exitCode: number
  readonly text: string
}

/** A site in this process that answers each request with the function. */
function siteOf(answerTo: (request: TransportRequest) => Given): Transport {
  return async request => {
    const { status, body, headers = {} } = answerTo(request)
    const bytes = Buffer.from(body)
    const whole: TransportReply = { kind: 'answer', status, headers, bytes }
    return bytes.byteLength > defaultMaxBytes ? { kind: 'none', reason: 'ANSWER_TOO_LARGE' } : whole
  }
}

/** A site that gives the response `first` to the first polls, and `then` to all later polls. */
function turning(polls: number, first: Given, then: Given): Transport {
  let left = polls
  return siteOf(() => {
    left -= 1
    return left >= 0 ? first : then
  })
}

function portsTo(transport: Transport): Ports {
  const clock = virtualClock()
  return portsFor(url, { clock, client: siteWriter(url, noToken, { transport }) })
}

const observed = (answer: Given) =>
  siteReader(url, noToken, { transport: siteOf(() => answer) }).observe(new AbortController().signal)

async function failureOf(answer: Given): Promise<ServiceFailure> {
  const seen = await observed(answer)
  if (seen.ok) throw new Error('it is not a failure')
  return seen.error
}

function planned(seen: Reply<Observation>): Came {
  const problem = (one: SiteProblem): Came => ({
    exitCode: endOfProblem(one).exitCode,
    text: describeProblem(one),
  })
  if (!seen.ok) return problem({ kind: 'look', url, failure: seen.error })
  const made = plan(aSituation({ observed: seen.value }))
  if (!made.ok) return problem({ kind: 'obstacle', blocker: made.error, diagnostics: [] })
  const actions = made.value.actions.map(({ operation, change }) => `${operation} ${change}`)
  return { exitCode: 0, text: actions.join(', ') }
}

function shown(seen: Reply<Observation>): Came {
  if (seen.ok) return { exitCode: 0, text: formatStatus(url, seen.value, { paint: plain }) }
  const text = describeProblem({ kind: 'look', url, failure: seen.error })
  return { exitCode: exitCodes[causeOfService(seen.error).exit], text }
}

/** Plans, and performs the plan if there is one. */
async function performed(
  ports: Ports,
): Promise<Came & { readonly told?: string; readonly journal?: string }> {
  const signal = new AbortController().signal
  const seen = await ports.client.observe(signal)
  const first = planned(seen)
  if (!seen.ok || first.exitCode !== 0) return first
  const { receipt, events } = await applied(await planFor(url, aManifest(), ports), ports, { timeoutMs })
  const kept = await ports.state.read()
  const journal = kept.ok ? kept.value?.submission?.state : undefined
  const text = describeOutcome(receipt.outcome)
  const told = events.map(describeEvent).join('\n')
  return { exitCode: endOfApply(receipt.outcome).exitCode, text, told, ...(journal && { journal }) }
}

/** A site that accepts `configure`, and gives the response to every poll. */
const configuring = (answer: Given) =>
  siteOf(({ method }) => (method === 'GET' ? answer : root('in_progress')))

describe.each(roots)('a response to a poll: %s', (_name, answer, result, says = /(?:)/) => {
  const must = results[result]

  test(`is ${result}`, async () => {
    const seen = await observed(answer)
    expect(planned(seen)).toEqual({ exitCode: must.plan[0], text: expect.stringMatching(must.plan[1]) })
    expect(shown(seen)).toEqual({ exitCode: must.status[0], text: expect.stringMatching(must.status[1]) })
    expect(planned(seen).text).toMatch(says)
  })

  test('ends an apply', async () => {
    const came = await performed(portsTo(configuring(answer)))
    expect(came).toMatchObject({ exitCode: must.apply[0], text: expect.stringMatching(must.apply[1]) })
  })

  test('ends a wait', async () => {
    const came = await performed(portsTo(turning(4, root('in_progress'), answer)))
    expect(came).toMatchObject({ exitCode: must.waiting[0], text: expect.stringMatching(must.waiting[1]) })
    expect(came.text).toMatch([3, 77].includes(must.waiting[0]) ? /(?:)/ : says)
  })
})

describe.each(rejections)('a rejection: %s', (_name, answer, result, sent, says = /(?:)/) => {
  const must = results[result]

  test('to a poll', async () => {
    const seen = await observed(answer)
    expect(planned(seen)).toEqual({ exitCode: must.plan[0], text: expect.stringMatching(must.plan[1]) })
    expect(shown(seen)).toEqual({ exitCode: must.status[0], text: expect.stringMatching(must.status[1]) })
    expect(planned(seen).text).toMatch(says)
  })

  test('to configure', async () => {
    const [exitCode, journal] = sentResults[sent]
    const transport = siteOf(({ method }) => (method === 'GET' ? root('not_configured') : answer))
    const came = await performed(portsTo(transport))
    expect(came).toMatchObject({ exitCode, journal })
    expect(came.told).toMatch(says)
    // The last sentence repeats the message of the service, whatever the outcome of the request.
    if (joinMessages(await failureOf(answer)) !== '') expect(came.text).toMatch(says)
  })

  test('to the polls of a wait', async () => {
    const came = await performed(portsTo(turning(4, root('in_progress'), answer)))
    expect(came).toMatchObject({ exitCode: must.waiting[0], text: expect.stringMatching(must.waiting[1]) })
  })
})

test('every result has a row', () => {
  const found = new Set([...roots, ...rejections].map(([, , result]) => result))
  expect(Object.keys(results).filter(result => !found.has(result as keyof typeof results))).toEqual([])
})

describe('a page as the response to configure, from a site whose root resource shows no state,', () => {
  const page = (status: number) => ({
    status,
    body: `<html><head><title>${status} of a proxy</title></head><body>nginx</body></html>`,
    headers: { 'content-type': 'text/html' },
  })
  const silentRoot = json({ resources: ['orgs'], fullVersion: '11.2.0' })

  test.each([400, 404, 405, 413, 414, 429, 500, 502, 503, 504])(
    'is reported with HTTP %i at once and in every later line, and the wait ends soon',
    async status => {
      let sent = 0
      const site = siteOf(({ method }) => {
        if (method === 'POST') sent += 1
        return method === 'POST' ? page(status) : silentRoot
      })
      const came = await performed(portsTo(site))
      expect(came).toMatchObject({ exitCode: 4, journal: 'unknown' })
      expect(came.text).toContain(`HTTP ${status}: ${status} of a proxy`)
      const told = came.told ?? ''
      expect(told.match(/^configure: .*$/gm)?.at(-1)).toContain(`${status} of a proxy`)
      const waits = told.match(/^still waiting .*$/gm) ?? []
      expect(waits.length).toBeGreaterThan(0)
      for (const wait of waits) expect(wait).toContain(`HTTP ${status}: ${status} of a proxy`)
      expect(waits.at(-1)).toContain('still waiting after 2m 00s')
      expect(sent).toBe(1)
    },
  )

  test('is not the end if the site begins later', async () => {
    let looks = 0
    const site = siteOf(({ method }) => {
      looks += method === 'GET' ? 1 : 0
      if (method === 'POST') return page(502)
      return looks < 10 ? silentRoot : root('ready')
    })
    expect(await performed(portsTo(site))).toMatchObject({ exitCode: 0, journal: 'ready' })
  })
})
