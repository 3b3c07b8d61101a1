import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { Plan } from '../../src/plan/plan.js'
import { buildPlanDocument } from '../../src/plan/saved/plan-document.js'
import { formatSavedPlan } from '../../src/plan/saved/saved-plan.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, ready } from '../support/a-plan.js'
import { fakeHost } from '../support/fake-host.js'
import { fakeReview, type Product, type Refusal } from '../support/fake-review.js'
import { root } from '../support/manifests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const products = ['GitHub', 'GitLab'] as const

/** `planOf` has changes; `doneOf` has none, since the site is up to date. */
const planOf = (file = 'site.yaml', name = 'production') =>
  aPlan({ desired: aManifest({ file, name, policy: aPolicy() }) })
const doneOf = (file = 'site.yaml'): Plan => {
  const desired = aManifest({ file })
  const organization = { appliedAt: '2026-03-04T05:06:07.089Z', manifest: '', value: desired.organization }
  const record = { ...emptyRecord, organization }
  const { actions: _, ...rest } = aPlan({ desired, observed: ready, record })
  return { ...rest, actions: [] }
}

/** A CI job for a pull or merge request, with a virtual clock. */
async function review(product: Product, refusals: readonly Refusal[] = []) {
  const fake = await fakeReview(product, refusals)
  const folder = await temporaryFolder()
  const save = (plan: Plan, name = 'plan.json') => {
    const file = join(folder, name)
    writeFileSync(file, formatSavedPlan(buildPlanDocument(plan)))
    return file
  }
  const comment = async (
    words: readonly string[],
    changes: Readonly<Record<string, string | undefined>> = {},
  ) => {
    const environment = Object.fromEntries(
      Object.entries({ ...fake.environment, ...changes }).filter(([, value]) => value !== undefined),
    ) as Readonly<Record<string, string>>
    const host = fakeHost({ environment })
    const exitCode = await run(['comment', ...words], host)
    // However a run ends, it never shows its token.
    expect(host.screen()).not.toContain(fake.token)
    return { exitCode, out: host.out(), err: host.err(), waitedMs: host.clock.now() }
  }
  return {
    ...fake,
    save,
    comment,
    show: (plan: Plan) => comment([save(plan), '--manifest', plan.manifest]),
    folder,
    nowhere: join(folder, 'nowhere.json'),
  }
}

describe.each(products)('the comment on a request on %s', product => {
  test('is written once and then replaced, with its commit and its run', async () => {
    const { show, bodies, headers, requests, list, edit, asksWho } = await review(product)
    const first = await show(planOf())
    expect(first).toMatchObject({ exitCode: 0, err: '' })
    expect(first.out).toMatch(/^Comment created in acme\/sites[#!]7: site\.yaml\n$/)
    expect(bodies()).toEqual([expect.stringMatching(/### Plan for `production`: create/)])
    expect(bodies()[0]).toMatch(
      /Commit `0123456789ab`, \[run\]\(https:\/\/git(?:hub|lab)\.example\.org\/\S+42\)/,
    )
    const again = await show(planOf())
    expect(again.out).toContain('Comment unchanged')
    const other = await show(planOf('site.yaml', 'renamed'))
    expect(other.out).toContain('Comment updated')
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `renamed`')])
    const who = asksWho === 0 ? [] : ['GET /api/v4/user']
    const search = `GET ${list}?per_page=100&page=1`
    expect(requests.slice(0, who.length + 2)).toEqual([...who, search, `POST ${list}`])
    expect(requests.filter(one => !one.startsWith('GET '))).toEqual([
      `POST ${list}`,
      expect.stringMatching(new RegExp(`^${edit} .*/1000$`)),
    ])
    expect(new Set(headers.map(String)).size).toBe(1)
    expect(headers[0]).toEqual([
      expect.stringMatching(/^Bearer gh?\w+[-_]canary$/),
      expect.stringMatching(/^landform\/\d/),
    ])
  })

  test('is found after two hundred others', async () => {
    const { show, say, comments, requests, list } = await review(product)
    await show(planOf())
    const [own] = comments.splice(0)
    const body = own?.body ?? ''
    // GitLab lists the newest first.
    if (product === 'GitLab') say(body)
    for (let count = 0; count < 230; count += 1) say(`comment ${count}`)
    if (product === 'GitHub') say(body)
    requests.length = 0
    expect((await show(planOf('site.yaml', 'renamed'))).out).toContain('Comment updated')
    expect(comments).toHaveLength(231)
    expect(requests.filter(one => one.includes('per_page'))).toEqual(
      [1, 2, 3].map(page => `GET ${list}?per_page=100&page=${page}`),
    )
  })

  test('is never the comment of another account, and never one that only quotes it', async () => {
    const { show, say, comments, bodies } = await review(product)
    await show(planOf())
    const body = comments.splice(0)[0]?.body ?? ''
    say(body, { id: 2, type: 'User' })
    say(`${body}\nSee above.`)
    expect((await show(planOf())).out).toContain('Comment created')
    expect(bodies()).toEqual([body, `${body}\nSee above.`, body])
  })

  test('reports the absence of changes only if it reported changes before', async () => {
    const { show, bodies } = await review(product)
    expect(await show(doneOf())).toMatchObject({ exitCode: 0, out: expect.stringContaining('not needed') })
    expect(bodies()).toEqual([])
    await show(planOf())
    await show(doneOf())
    expect(bodies()).toEqual([expect.stringMatching(/### Plan for `production`: no/i)])
  })

  test('marks an earlier plan as outdated after a commit that changes no file of the sites', async () => {
    const { show, comment, bodies } = await review(product)
    const unchanged = (...words: readonly string[]) => comment(['--manifest', 'site.yaml', ...words])
    expect(await unchanged()).toMatchObject({ exitCode: 0, out: expect.stringContaining('not needed') })
    expect(bodies()).toEqual([])
    await show(planOf())
    expect(await unchanged()).toMatchObject({ exitCode: 0, out: expect.stringContaining('Comment updated') })
    expect((await unchanged()).out).toContain('Comment unchanged')
    expect(bodies()).toEqual([
      expect.stringMatching(
        /^### No changes to `site\.yaml`\n\nThe earlier plan is outdated: this commit changes no/,
      ),
    ])
    await show(planOf())
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `production`')])
    expect((await comment([])).exitCode).toBe(64)
  })

  test('has no plan of an older commit once a plan cannot be made, and is updated later', async () => {
    const { show, comment, nowhere, bodies } = await review(product)
    const fail = () => comment([nowhere, '--manifest', './site.yaml'])
    expect(await fail()).toMatchObject({ exitCode: 66, err: expect.stringContaining('nowhere.json') })
    expect(bodies()).toEqual([])
    await show(planOf())
    expect(await fail()).toMatchObject({ exitCode: 66, out: expect.stringContaining('Comment updated') })
    expect(bodies()).toEqual([
      expect.stringMatching(/^### No plan for `\.\/site\.yaml`\n\nThe earlier plan is out/),
    ])
    expect((await fail()).out).toContain('Comment unchanged')
    await show(planOf())
    expect(bodies()).toEqual([expect.stringContaining('### Plan for `production`')])
  })

  test('covers several sites: a table of all, then a section for each with changes', async () => {
    const { comment, save, bodies, requests, list } = await review(product)
    const all = [doneOf('sites/a.yaml'), planOf('sites/b.yaml', 'b'), planOf('sites/c.yaml', 'c')]
    const files = all.map((plan, at) => save(plan, `${at}.json`))
    const first = await comment(files.toReversed())
    expect(first).toMatchObject({ exitCode: 0, err: '' })
    expect(first.out).toMatch(/^Comment created in acme\/sites[#!]7: sites\n$/)
    const [body = ''] = bodies()
    expect(body).toMatch(/^<!-- .* -->\n\n### 3 sites: 2 with changes, 1 without changes\n\n\| Site \|/)
    expect(body.match(/^\| `.*`sites.*$/gm)).toEqual(
      ['a', 'b', 'c'].map(name =>
        expect.stringMatching(new RegExp(`^\\| \`(?:production|b|c)\` .* \`sites/${name}\\.yaml\` \\|$`)),
      ),
    )
    expect(body.match(/^### Plan for .*$/gm)).toEqual([
      expect.stringContaining('### Plan for `b`: creates'),
      expect.stringContaining('### Plan for `c`: creates'),
    ])
    expect((await comment(files)).out).toContain('Comment unchanged')
    // The comment is the same after a site was added to the folder, and after it was removed.
    const more = save(planOf('sites/east/d.yaml', 'd'), '3.json')
    expect((await comment([...files.slice(1), more])).out).toContain('Comment updated')
    expect(bodies()).toEqual([expect.stringContaining('### 3 sites: 3 with changes')])
    expect(requests.filter(one => one.startsWith('POST'))).toEqual([`POST ${list}`])
  })

  test('accepts a folder of plans, and names the manifests of a folder that have no plan', async () => {
    const { comment, save, bodies, folder } = await review(product)
    const plans = join(folder, 'plans')
    mkdirSync(plans)
    const at = (name: string) => join(folder, 'sites', name)
    mkdirSync(join(folder, 'sites'))
    const manifest = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
    for (const name of ['a.yaml', 'b.yaml'])
      writeFileSync(at(name), manifest.replace('https://gis', `https://${name[0]}`))
    writeFileSync(at('landform.policy.yaml'), 'apiVersion: landform.dev/v1\nkind: Policy\nrules: []\n')
    writeFileSync(at('a.test.yaml'), '{}')
    save(planOf(at('a.yaml')), 'plans/a.plan.json')
    save(planOf(at('b.yaml'), 'b'), 'plans/b.plan.json')
    save(planOf(at('c.yaml'), 'c'), 'plans/other.json')
    const inFolder = () => comment([plans, '--manifest', join(folder, 'sites')])
    expect(await inFolder()).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('created') })
    expect(bodies()).toEqual([expect.stringContaining('### 2 sites: 2 with changes')])
    rmSync(join(plans, 'b.plan.json'))
    expect(await inFolder()).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('updated') })
    const [body = ''] = bodies()
    expect(body).toContain('### 2 sites: 1 with changes, 1 without a plan')
    expect(body).toMatch(/b\.yaml` \| `-` \| `no plan; see the run for the error` \| /)
    expect(body.match(/^### Plan for/gm)).toHaveLength(1)
    // Without any plan, the plans in the comment are outdated.
    rmSync(join(plans, 'a.plan.json'))
    expect(await inFolder()).toMatchObject({ exitCode: 66, err: expect.stringContaining('is a folder') })
    expect(bodies()).toEqual([
      expect.stringMatching(/^### No plan for `\S*sites`\n\nThe earlier plan is out/),
    ])
  })

  test('has room for sixty sites, and counts the sections that it omits', async () => {
    const { comment, save, bodies } = await review('GitHub')
    const names = Array.from({ length: 60 }, (_, at) => `site-${String(at).padStart(2, '0')}`)
    const files = names.map(name => save(planOf(`sites/${name}.yaml`, name), `${name}.json`))
    expect(await comment(files)).toMatchObject({ exitCode: 0, err: '' })
    const [body = ''] = bodies()
    expect(body.length).toBeLessThanOrEqual(65_536)
    expect(body.match(/^\| `site-/gm)).toHaveLength(60)
    const shown = body.match(/^### Plan for/gm)?.length ?? 0
    expect(shown).toBeGreaterThan(5)
    // Each section in the comment ends as the whole plan does.
    expect(body.match(/^Plan `sha256:.*\.$/gm)).toHaveLength(shown)
    expect(body).toContain(
      `… and ${60 - shown} more sections; the output of \`landform plan\` has every site.\n`,
    )
  })

  test('shows no plan that was altered, and no file that is not a plan', async () => {
    const { comment, save, bodies } = await review(product)
    const altered = save(planOf())
    writeFileSync(altered, JSON.stringify({ ...buildPlanDocument(planOf()), name: 'other' }))
    expect((await comment([altered])).exitCode).toBe(6)
    writeFileSync(altered, '{}')
    expect((await comment([altered])).exitCode).toBe(65)
    expect(bodies()).toEqual([])
  })

  test('is within the size limit, however long the plan is', async () => {
    const { show, bodies } = await review(product)
    const long = '|`'.repeat(3_000)
    const plan = planOf(`${long}.yaml`, long)
    const [action] = plan.actions
    const fields = Array.from({ length: 60 }, () => action?.fields ?? []).flat()
    const made = await show({ ...plan, actions: plan.actions.map(one => ({ ...one, fields })) })
    expect(made.exitCode).toBe(0)
    expect(bodies()).toHaveLength(1)
    expect(bodies()[0]).toContain('more\n')
  })
})

describe.each(products)('a comment that cannot be written on %s', product => {
  test.each([
    [401, 77, 'the token has no permission to write there (HTTP 401)'],
    [403, 77, 'the token has no permission to write there (HTTP 403)'],
    [404, 77, 'the token has no permission to write there (HTTP 404)'],
    [422, 5, 'responded with HTTP 422'],
  ])('is not retried after HTTP %i, and the message has the reason', async (status, code, words) => {
    const { show, requests, asksWho } = await review(product, [{ method: 'POST', status }])
    expect(await show(planOf())).toMatchObject({ exitCode: code, err: expect.stringContaining(words) })
    expect(requests).toHaveLength(asksWho + 2)
  })

  const soon = { 'retry-after': '1' }

  test.each<readonly [string, Refusal]>([
    ['a gateway that closed the connection', { method: 'GET', status: 502, headers: soon }],
    ['a secondary limit', { method: 'POST', status: 403, headers: soon }],
    ['a rate limit', { method: 'POST', status: 403, headers: { 'x-ratelimit-remaining': '0' } }],
    ['a rate limit in the message', { method: 'POST', status: 403, message: 'API rate limit exceeded' }],
    ['a gateway error after the comment was created', { method: 'POST', status: 502, done: true }],
  ])('%s is retried and creates no second one', async (_, refusal) => {
    const { show, bodies } = await review(product, [refusal])
    expect(await show(planOf())).toMatchObject({ exitCode: 0, err: '' })
    expect(bodies()).toEqual([expect.stringContaining('### Plan')])
  })

  test('an HTTP 5xx that lasts is reported after four attempts', async () => {
    const { show, requests } = await review(product, Array(9).fill({ method: 'GET', status: 500 }))
    const ended = await show(planOf())
    expect([ended.exitCode, requests.length]).toEqual([75, 4])
    expect(ended.err).toContain(`${product} responded with HTTP 500`)
  })

  test('the end of a rate limit of an hour is not awaited', async () => {
    const refusal = { method: 'GET', status: 429, headers: { 'retry-after': '3600' } }
    const { show, requests } = await review(product, [refusal])
    expect(await show(planOf())).toMatchObject({
      exitCode: 75,
      err: expect.stringContaining('limits the rate'),
    })
    expect(requests).toHaveLength(1)
  })

  test('an unreachable address ends with 69', async () => {
    const { comment, save, close } = await review(product)
    await close()
    expect(await comment([save(planOf())])).toMatchObject({
      exitCode: 69,
      err: expect.stringContaining(`could not reach ${product} (ECONNREFUSED)`),
    })
  })

  test('a proxy that cannot be used is named, and nothing is sent', async () => {
    const { comment, save, requests } = await review(product)
    const address = product === 'GitHub' ? 'GITHUB_API_URL' : 'CI_API_V4_URL'
    const ended = await comment([save(planOf())], {
      [address]: 'https://ci.example.org',
      HTTPS_PROXY: 'socks5://127.0.0.1:1',
    })
    expect([ended.exitCode, requests]).toEqual([78, []])
    expect(ended.err).toMatch(/the proxy in HTTPS?_PROXY is not the URL of a proxy/i)
  })
})

const variable = { GitHub: 'GITHUB_API_URL', GitLab: 'CI_API_V4_URL' } as const

describe.each(products)('a job of %s', product => {
  test.each([
    ['http://git.example.org/api', 78],
    ['http://127.evil.example.org', 78],
    ['http://10.0.0.1', 78],
    ['nowhere', 78],
  ])('sends no token to an API at %s', async (address, code) => {
    const { comment, save } = await review(product)
    const ended = await comment([save(planOf())], { [variable[product]]: address })
    expect([ended.exitCode, ended.err]).toEqual([
      code,
      expect.stringContaining(`${variable[product]} is not an https address`),
    ])
  })

  test('calls no other host, whatever the path of its API is', async () => {
    const { comment, save, url, requests } = await review(product)
    const odd = `${new URL(url).origin}//${product.toLowerCase()}.example.org`
    expect((await comment([save(planOf())], { [variable[product]]: odd })).exitCode).toBe(77)
    expect(requests).toHaveLength(1)
  })

  test('without a token names the variable, and sends nothing', async () => {
    const { comment, save, requests } = await review(product)
    const none = { GH_TOKEN: ' ', GITHUB_TOKEN: undefined, GITLAB_TOKEN: '' }
    const ended = await comment([save(planOf())], none)
    expect([ended.exitCode, requests]).toEqual([66, []])
    expect(ended.err).toMatch(/GH_TOKEN|GITLAB_TOKEN/)
  })

  test('without a pull or merge request writes no comment, and succeeds', async () => {
    const { comment, nowhere, requests } = await review(product)
    const none = { GITHUB_EVENT_PATH: undefined, CI_MERGE_REQUEST_IID: undefined }
    const ended = await comment([nowhere], none)
    expect([ended.exitCode, requests]).toEqual([0, []])
    expect(ended.out).toMatch(/^No comment: this job has no (?:pull|merge) request\.\n$/)
  })
})

test('outside a CI job there is nothing to comment on, and the message names another way', async () => {
  const { comment, save } = await review('GitHub')
  const ended = await comment([save(planOf())], { GITHUB_ACTIONS: undefined })
  expect([ended.exitCode, ended.err]).toEqual([
    78,
    expect.stringContaining(
      'next: for a comment of your own, `landform show plan.json --format markdown` prints',
    ),
  ])
})

test.each(['', 'acme', 'acme/sites/../other', 'acme/sites?x'])(
  'no request is sent for the repository %j',
  async repository => {
    const { comment, save, requests } = await review('GitHub')
    const ended = await comment([save(planOf())], { GITHUB_REPOSITORY: repository })
    expect([ended.exitCode, ended.err, requests]).toEqual([
      78,
      expect.stringContaining('GITHUB_REPOSITORY is not OWNER/NAME'),
      [],
    ])
  },
)

test.each([
  ['CI_MERGE_REQUEST_IID', '7/../8'],
  ['CI_MERGE_REQUEST_PROJECT_ID', 'acme%2Fsites'],
])('no request is sent for the %s %s', async (name, value) => {
  const { comment, save, requests } = await review('GitLab')
  const ended = await comment([save(planOf())], { [name]: value })
  expect([ended.exitCode, ended.err, requests]).toEqual([78, expect.stringContaining(`${name} is not`), []])
})

test("with a person's token only that person's comments are found", async () => {
  const { comment, save, say, comments, bodies } = await review('GitHub')
  const asPerson = { GH_TOKEN: 'github_pat_canary' }
  await comment([save(planOf())], asPerson)
  const body = comments.splice(0)[0]?.body ?? ''
  say(body, { id: 2, type: 'Bot' })
  say(body, { id: 1, type: 'User' })
  expect((await comment([save(planOf('site.yaml', 'renamed'))], asPerson)).out).toContain('Comment updated')
  expect(bodies()).toEqual([body, expect.stringContaining('### Plan for `renamed`')])
})

test('GITHUB_TOKEN is used if GH_TOKEN is not set', async () => {
  const { comment, save, headers } = await review('GitHub')
  const named = { GH_TOKEN: undefined, GITHUB_TOKEN: 'ghs_other_canary\n' }
  expect((await comment([save(planOf())], named)).exitCode).toBe(0)
  expect(headers[0]?.[0]).toBe('Bearer ghs_other_canary')
})
