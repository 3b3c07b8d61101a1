import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPullRequest, updatePullRequest } from '../../src/github-action/comment.js'
import { formatOutputs, parseApiUrl, requestGitHub } from '../../src/github-action/github.js'
import { readInputs } from '../../src/github-action/inputs.js'
import { actionStep, releaseOf } from '../support/action-step.js'
import { fakeGitHub, type Refusal } from '../support/fake-github.js'
import { root } from '../support/manifests.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all([...open.splice(0).map(close => close()), removeTemporaryFolders()])
})

const marker = '<!-- landform-plan: production -->'
const event = { pull_request: { number: 7, head: { sha: '0123456789abcdef' } } }

/** What a step found: a report that says so, with or without something to do; or nothing but an exit code. */
const reporting = (text: string, isNews = true) => ({
  markdown: `${marker}\n\n### ${text}\n`,
  exitCode: 0,
  isNews,
})
const failing = { markdown: undefined, exitCode: 69, isNews: true }

async function github(refusals: readonly Refusal[] = []) {
  const fake = await fakeGitHub(refusals)
  open.push(fake.close)
  const step = async (
    found: ReturnType<typeof reporting> | typeof failing,
    token = 'ghs_123',
    about: object = event,
  ) => {
    const file = join(await temporaryFolder(), 'event.json')
    writeFileSync(file, JSON.stringify(about))
    const read = readInputs({ INPUT_COMMAND: 'plan', INPUT_FILES: 'site.yaml', INPUT_TOKEN: token })
    if (!read.ok) throw new Error(read.error)
    const environment = {
      GITHUB_API_URL: fake.url,
      GITHUB_EVENT_PATH: file,
      GITHUB_REPOSITORY: 'acme/sites',
      GITHUB_SERVER_URL: 'https://github.example.org',
      GITHUB_RUN_ID: '42',
    }
    return updatePullRequest(environment, { inputs: read.value, ...found })
  }
  return { ...fake, step, bodies: () => fake.comments.map(({ body }) => body) }
}

describe('the comment of a pull request', () => {
  test('is made once and then changed, with the commit and the run that it is of', async () => {
    const { step, bodies, requests } = await github()
    await step(reporting('First'))
    expect(bodies()).toEqual([expect.stringContaining('### First')])
    expect(bodies()[0]).toContain(
      'Commit 0123456789ab, [run](https://github.example.org/acme/sites/actions/runs/42)',
    )
    await step(reporting('Second'))
    expect(bodies()).toEqual([expect.stringMatching(/^<!-- landform-plan: production -->\n\n### Second\n/)])
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer ghs_123']))
  })

  test('is found behind a hundred others', async () => {
    const { step, say, bodies, requests } = await github()
    for (let count = 0; count < 230; count += 1) say(`comment ${count}`)
    say(`${marker}\n\nold`)
    await step(reporting('New'))
    expect(bodies()).toHaveLength(231)
    expect(bodies().at(-1)).toContain('### New')
    expect(requests.map(({ line }) => line.split('?')[1] ?? line)).toEqual([
      'per_page=100&page=1',
      'per_page=100&page=2',
      'per_page=100&page=3',
      'PATCH /api/v3/repos/acme/sites/issues/comments/1230',
    ])
  })

  test('is never one of a person, nor one that only quotes the marker', async () => {
    const { step, say, bodies } = await github()
    say(`${marker}\nmine`, 'User')
    say(`See ${marker}`)
    await step(reporting('Plan'))
    expect(bodies()).toEqual([`${marker}\nmine`, `See ${marker}`, expect.stringContaining('### Plan')])
  })

  test('is that of a person where the token is', async () => {
    const { step, say, bodies } = await github()
    say(`${marker}\nof somebody else`, 'User', 2)
    say(`${marker}\nold`, 'User')
    await step(reporting('Plan'), 'github_pat_123')
    expect(bodies()).toEqual([`${marker}\nof somebody else`, expect.stringContaining('### Plan')])
  })

  test('says that there is nothing to do only where it said otherwise before', async () => {
    const { step, bodies } = await github()
    await step(reporting('Nothing', false))
    expect(bodies()).toEqual([])
    await step(reporting('Something'))
    await step(reporting('Nothing', false))
    expect(bodies()).toEqual([expect.stringContaining('### Nothing')])
  })

  test('holds no plan of an older commit once one cannot be made, and is taken up again', async () => {
    const { step, bodies } = await github()
    await step(failing)
    expect(bodies()).toEqual([])
    await step(reporting('Plan'))
    await step(failing)
    expect(bodies()).toEqual([expect.stringContaining('### No plan: exit code 69')])
    await step(reporting('Again'))
    expect(bodies()).toEqual([expect.stringContaining('### Again')])
  })
})

describe('a comment that cannot be written', () => {
  test.each([
    [403, 'the token may not write here, as in pull requests from forks'],
    [404, 'the token may not write here'],
    [422, 'GitHub responded with HTTP 422'],
  ])('for %i says why', async (status, words) => {
    const { step, requests } = await github([{ method: 'POST', status }])
    expect(await step(reporting('Plan'))).toContain(words)
    expect(requests).toHaveLength(2)
  })

  const soon = { 'retry-after': '0' }

  test.each<readonly [string, Refusal]>([
    ['a gateway that broke off', { method: 'GET', status: 502, headers: soon }],
    ['a secondary limit', { method: 'POST', status: 403, headers: soon, message: 'secondary rate limit' }],
    [
      'an answer of trouble to a comment that was made',
      { method: 'POST', status: 502, headers: soon, done: true },
    ],
  ])('%s is tried again and makes no second one', async (_, refusal) => {
    const { step, bodies } = await github([refusal])
    expect(await step(reporting('Plan'))).not.toContain('no comment')
    expect(bodies()).toEqual([expect.stringContaining('### Plan')])
  })

  test('trouble that lasts is told, after four tries', async () => {
    const { step, requests } = await github(Array(9).fill({ method: 'GET', status: 500, headers: soon }))
    const said = await step(reporting('Plan'))
    expect([said, requests.length]).toEqual([
      '::warning title=landform::no comment: GitHub responded with HTTP 500; the summary has the report\n',
      4,
    ])
  })

  test('a limit of an hour is not waited for', async () => {
    const { step } = await github([{ method: 'GET', status: 429, headers: { 'retry-after': '3600' } }])
    expect(await step(reporting('Plan'))).toContain('no comment: GitHub limits the rate of requests')
  })

  test('is none where the token does not say whose it is', async () => {
    const { step, bodies } = await github([{ method: 'GET', status: 401 }])
    const said = await step(reporting('Plan'), 'github_pat_123')
    expect([said, bodies()]).toEqual([expect.stringContaining('the token may not write here'), []])
  })

  test('in a run without a pull request is none', async () => {
    const { step, requests } = await github()
    const said = await step(reporting('Plan'), 'ghs_123', { ref: 'refs/heads/main' })
    expect([said, requests]).toEqual([expect.stringContaining('this run has no pull request'), []])
  })
})

test('a run whose event is not there is about no pull request', () => {
  expect(readPullRequest({ GITHUB_EVENT_PATH: join(root, 'no-event.json') })).toBeUndefined()
})

test('no output can guess where it ends', () => {
  const [one, other] = [formatOutputs({ name: 'value' }), formatOutputs({ name: 'value' })]
  expect(one).toMatch(/^name<<(end-.+)\nvalue\n\1\n$/)
  expect(one).not.toBe(other)
})

test.each(['', 'acme', 'acme/sites/../other', 'acme/sites?x'])(
  'no request is sent for the repository %j',
  async repository => {
    const { url, requests } = await github()
    const file = join(await temporaryFolder(), 'event.json')
    writeFileSync(file, JSON.stringify(event))
    const read = readInputs({ INPUT_COMMAND: 'plan', INPUT_FILES: 'site.yaml', INPUT_TOKEN: 'ghs_123' })
    if (!read.ok) throw new Error(read.error)
    const said = await updatePullRequest(
      { GITHUB_API_URL: url, GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: repository },
      { inputs: read.value, ...reporting('Plan') },
    )
    expect([said, requests]).toEqual([expect.stringContaining('GITHUB_REPOSITORY is not OWNER/NAME'), []])
  },
)

test('no path of the API leads to another host', async () => {
  const { url, requests } = await github()
  const odd = {
    url: new URL(`${new URL(url).origin}//github.example.org`),
    token: 'ghs_123',
    environment: {},
  }
  await requestGitHub(odd, { method: 'GET', path: '/user' })
  expect(requests).toHaveLength(1)
})

describe('a step of the action', () => {
  const program = (text: string, changes: boolean) => `
const fs = require('node:fs')
const file = process.argv.find(word => word.startsWith('markdown=')).slice(9)
fs.writeFileSync(file, '${marker}\\n\\n### ${text}\\n')
fs.appendFileSync(process.env.GITHUB_OUTPUT, 'changes=${changes}\\nblocked=false\\n')`

  test.each([
    [true, [], ['### Plan'], 'comment created'],
    [false, [], [], ''],
    [
      true,
      [{ method: 'POST', status: 403 }],
      [],
      '::notice title=landform::no comment: the token may not write',
    ],
  ])('succeeds with changes %p and refusals %j', async (changes, refusals, bodies, words) => {
    const fake = await fakeGitHub(refusals)
    open.push(fake.close)
    const release = await releaseOf(program('Plan', changes))
    const { exitCode, log } = await actionStep(
      { command: 'plan', files: 'site.yaml', comment: 'true', token: 'ghs_123' },
      { release, environment: { GITHUB_API_URL: fake.url }, event },
    )
    expect([exitCode, log]).toEqual([0, expect.stringContaining(words)])
    expect(fake.comments.map(({ body }) => body)).toEqual(bodies.map(text => expect.stringContaining(text)))
  })
})

test.each([
  ['https://api.github.com', true],
  ['https://github.example.org/api/v3', true],
  ['http://127.0.0.1:8080/api/v3', true],
  ['http://[::1]:8080', true],
  ['http://github.example.org', false],
  ['http://127.evil.example.org', false],
  ['http://10.0.0.1', false],
  ['nowhere', false],
])('a token travels to %s: %p', (text, isAllowed) => {
  expect(parseApiUrl(text) !== undefined).toBe(isAllowed)
})
