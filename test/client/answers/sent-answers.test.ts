import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answeringSite, json, type Reply } from '../../support/http-double.js'
import { landform } from '../../support/landform.js'
import { root } from '../../support/manifests.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'
import { type Answered, type AnswerRow, answers, successes } from './sent-answers.js'

afterAll(removeTemporaryFolders)

const operations = Object.keys(successes) as readonly Answered[]
const quickstart = 'examples/quickstart.yaml'
const stateOf = (state: string) => json({ ...successes.root, status: { state } })

/** The command line of each operation. */
const commands: Readonly<Record<Answered, (url: string, folder: string) => readonly string[]>> = {
  root: url => ['status', quickstart, '--url', url],
  configure: (url, folder) => [
    'apply',
    quickstart,
    '--url',
    url,
    '--state',
    `file:${folder}`,
    '--yes',
    '--no-license-check',
    '--timeout',
    '5m',
  ],
  update: (url, folder) => ['apply', quickstart, '--url', url, '--state', `file:${folder}`, '--yes'],
  exportSite: url => ['export-site', quickstart, '--url', url, '--location', '/backups', '--yes'],
  validate: url => ['export-site', quickstart, '--url', url, '--location', '/backups', '--validate', '--yes'],
  deleteAll: url => [
    'webhooks',
    'delete-all',
    'Roads.FeatureServer',
    quickstart,
    '--url',
    url,
    '--confirm',
    `Roads.FeatureServer@${new URL(url).host}`,
  ],
}

/** Performs one operation on a site that gives this response to it, and the successful response to all others. */
async function performed(operation: Answered, [, answer, codes]: AnswerRow) {
  const sent = answer(successes[operation])
  let configured = false
  const look = (path: string): Reply => {
    if (!/\/admin\/?\?/.test(path)) return json({}, 404)
    if (operation === 'root') return sent
    if (operation !== 'configure') return stateOf('ready')
    return stateOf(configured ? 'ready' : 'not_configured')
  }
  const site = await answeringSite(
    ({ path }) => {
      configured = codes[1] === 0
      // After `configure`, the policy is sent as well.
      return operation === 'configure' && path.endsWith('/update') ? json(successes.update) : sent
    },
    ({ path }) => look(path),
  )
  const { exitCode, out, err } = await landform(commands[operation](site.url, await temporaryFolder()), {
    environment: someSecrets,
  })
  const posts = site.posts().filter(({ path }) => operation === 'update' || !path.endsWith('/update')).length
  return { exitCode, posts, said: quote(out, err).replaceAll(site.host, 'HOST') }
}

/** Returns the last sentence: the error or the success. */
function quote(out: string, err: string): string {
  const [, error] = /^(error: .*)$/m.exec(err) ?? []
  const lines = (text: string) =>
    text.split('\n').filter(line => line.trim() !== '' && !line.startsWith('next: '))
  return error ?? lines(out).at(-1) ?? lines(err).at(-1) ?? ''
}

const page = join(root, 'test/transcripts/answers.md')
const told = new Map<string, readonly string[]>()

test.each(answers)('%s ends each operation with its exit code', async (...row) => {
  const [name, , codes] = row
  const rows: string[] = []
  const ended: number[] = []
  for (const operation of operations) {
    const { exitCode, posts, said } = await performed(operation, row)
    ended.push(exitCode)
    if (operation === 'configure') expect(posts).toBe(1)
    const times = operation === 'root' ? '' : `${posts}`
    rows.push(`| ${operation} | ${exitCode} | ${times} | ${said.replaceAll('|', '\\|')} |`)
  }
  told.set(name, rows)
  expect(ended).toEqual(codes)
})

test('the message for each response is as reviewed', () => {
  const groups = new Map<string, readonly string[]>()
  for (const [name] of answers) {
    const group = (told.get(name) ?? []).join('\n')
    groups.set(group, [...(groups.get(group) ?? []), name])
  }
  const rows = [...groups].map(([group, names]) => `| **${names.join('; ')}** | | | |\n${group}`)
  const head = `# Answers of servers

Each answer, given to each operation on a raw socket: the exit code, how often the request was sent, and the sentence that ends
the run. \`test/client/answers/sent-answers.ts\` has the bytes and the exit codes; \`UPDATE_GOLDEN=1 npm test\` writes the
sentences anew.

| operation | exit code | requests | said |
|---|---|---|---|`
  const text = `${[head, ...rows].join('\n')}\n`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, text)
  else expect(text).toBe(readFileSync(page, 'utf8'))
})
