import { readFile, writeFile } from 'node:fs/promises'
import { run } from '../../../src/cli/run.js'
import { exampleCopy } from '../../support/example-copy.js'
import { fakeHost } from '../../support/fake-host.js'
import { answeringSite, http, json } from '../../support/http-double.js'
import { someSecrets } from '../../support/some-secrets.js'

const resources = ['orgs', 'logs', 'system']
const root = (build: string, state: string) =>
  json({ fullVersion: '11.2.0', resources, status: { state, warnings: [], stages: [] }, info: { build } })
const empty = (build: string) => root(build, 'not_configured')
const lost = http(200, '').replace('content-length: 0', 'content-length: 9')

/** A site whose address leads to another site once `configure` was sent. */
async function aSite(toConfigure: string) {
  let get = empty('100')
  const site = await answeringSite(
    ({ path }) => {
      if (path.endsWith('/configure')) get = root('100', 'in_progress')
      return path.endsWith('/configure') ? toConfigure : json({ status: 'success' })
    },
    () => [get],
  )
  const host = fakeHost({ environment: someSecrets })
  const file = await exampleCopy('quickstart')
  const options = ['--url', site.url, '--no-license-check', '--timeout', '1m', '--poll-interval', '1s']
  return {
    host,
    posts: () => site.posts().map(({ path }) => path.replace(/^.*\//, '')),
    become: (answer: string) => {
      get = answer
    },
    apply: (...more: readonly string[]) => run(['apply', file, '--yes', ...options, ...more], host),
    edited: async (was: string, is: string) => {
      await writeFile(file, (await readFile(file, 'utf8')).replace(was, is))
      return run(['plan', file, '--url', site.url], host)
    },
    landform: (command: string) => run([command, file, '--url', site.url], host),
  }
}

test.each([
  ['during the wait', root('100', 'in_progress')],
  ['after an unknown outcome', lost],
])('another site that answers %s does not count as the configured site', async (_, answer) => {
  const site = await aSite(answer)
  expect(await site.apply()).toBe(3)
  for (const state of ['in_progress', 'ready']) {
    site.become(root('200', state))
    expect(await site.apply()).toBe(6)
    expect(site.host.screen()).toContain('another site responds at this address: build 200 instead of 100')
  }
  for (const command of ['plan', 'drift']) expect(await site.landform(command)).toBe(6)
  expect(site.posts()).toEqual(['configure'])
  // The right site is back.
  site.become(root('100', 'ready'))
  expect(await site.apply()).toBe(0)
  expect(site.posts()).toEqual(['configure', 'update'])
})

test('with --site-is another the apply continues with the new site', async () => {
  const site = await aSite(root('100', 'in_progress'))
  expect(await site.apply('--detach')).toBe(3)
  site.become(root('200', 'ready'))
  expect(await site.apply()).toBe(6)
  const command = commandWith('another', site.host.screen())
  expect(await run(command.split(' '), site.host)).toBe(0)
  expect(await site.apply()).toBe(0)
  expect(site.posts()).toEqual(['configure', 'update'])
})

const commandWith = (answer: string, screen: string) =>
  new RegExp(`\`landform (state discard-intent [^\`]* --site-is ${answer})\``).exec(screen)?.[1] ?? ''

test.each(['in_progress', 'ready'])(
  'with --site-is upgraded, a site that is %s keeps its record',
  async state => {
    const site = await aSite(root('100', 'in_progress'))
    expect(await site.apply('--detach')).toBe(3)
    site.become(root('200', state))
    expect(await site.apply()).toBe(6)
    const command = commandWith('upgraded', site.host.screen())
    const unanswered = command.replace(/ --site-is .*/, '').split(' ')
    expect(await run(unanswered, site.host)).toBe(6)
    expect(commandWith('another', site.host.screen())).not.toBe('')
    expect(await run(command.split(' '), site.host)).toBe(0)
    site.become(root('200', 'ready'))
    expect(await site.apply()).toBe(0)
    expect(site.posts()).toEqual(['configure', 'update'])
    expect(await site.edited('30Gi', '60Gi')).toBe(6)
    expect(site.host.screen()).toContain('spec.volumes.REST_METRICS_API.size')
  },
)
