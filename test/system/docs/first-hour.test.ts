import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'
import { firstHour, followPage, readPage } from './documentation.js'
import { type Step, stepsOf } from './steps.js'
import { openTerminal, type Terminal } from './terminal.js'

/*
 * A user's first hour, in an empty home with Node, npm and git: clones the repository, then follows the README, the tutorial
 * and four how-to pages in one terminal. Runs every command of them except `npm test`, and no others. The clone gets the
 * packages and the build of this project, so nothing is downloaded. To test that a fresh clone builds, run these tests in
 * one. `test/transcripts/first-hour.md` has the commands.
 */
const transcript = join(root, 'test', 'transcripts', 'first-hour.md')
const git = (...words: readonly string[]) =>
  execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim()

let terminal: Terminal
const describeWhereBash = describeWhere(await runsHere(['bash', '--version']), 'bash')

beforeAll(async () => {
  const place = await temporaryFolder()
  const environment = {
    GIT_CONFIG_GLOBAL: join(root, 'test', 'system', 'docs', 'programs', 'gitconfig'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
  terminal = await openTerminal({ path: [], environment })
  const packages = `cp -al '${root}/node_modules' . 2>/dev/null || cp -R '${root}/node_modules' .`
  // Copied, because a build overwrites these files in place.
  const built = `cp -R '${root}/dist' .`
  const { exit, printed } = await terminal.run(
    `git clone --quiet '${repositoryIn(place)}'; cd landform; ${packages}; ${built}`,
  )
  if (exit !== 0) throw new Error(printed)
})

afterAll(() => terminal.close())

/** Creates a repository with the files of this project, committed or not. */
function repositoryIn(place: string): string {
  const repository = join(place, 'landform.git')
  const environment = { ...process.env, GIT_INDEX_FILE: join(place, 'index') }
  execFileSync('git', ['-C', root, 'add', '--all'], { env: environment })
  const tree = execFileSync('git', ['-C', root, 'write-tree'], { env: environment, encoding: 'utf8' }).trim()
  const author = ['-c', 'user.name=Some One', '-c', 'user.email=some.one@example.org']
  const commit = git(...author, 'commit-tree', tree, '-m', 'What is tested')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository])
  git('push', '--quiet', repository, `${commit}:refs/heads/main`)
  return repository
}

/** Marks the installation to be run. The tests of single pages skip it, because it is slow. */
function withInstallation(step: Step): Step {
  if (step.kind !== 'not-run' || !/^npm (?:start|run link)\b/.test(step.commands)) return step
  const commands = step.commands.replaceAll(/^npm test\b.*\n/gm, '')
  return { kind: 'run', line: step.line, commands, exit: 0 }
}

describeWhereBash('the first hour', () => {
  test.each(firstHour)('%s can be followed after the pages before it', async page => {
    const complaint = await followPage(page, { terminal, adapt: withInstallation })
    if (complaint !== undefined) throw new Error(`${page}, ${complaint}`)
  })

  test.each(firstHour)('%s can be followed again in the same home', async page => {
    if (page === firstHour[0]) terminal.begin()
    const complaint = await followPage(page, { terminal, adapt: step => step })
    if (complaint !== undefined) throw new Error(`${page}, ${complaint}`)
  })

  test('the uninstall command of the README removes the link, and keeps the checkout', async () => {
    const [uninstall] = /npm uninstall[^`]+/.exec(readPage('README.md')) ?? ['false']
    const found = 'hash -r; test -e ~/.local/bin/landform'
    const checkout = 'test -x ~/sites/landform/dist/bin/landform.cjs'
    const { exit, printed } = await terminal.run(`${found} && ${uninstall} && ! (${found}) && ${checkout}`)
    expect([exit, printed]).toEqual([0, expect.stringContaining('removed 1 package')])
  })
})

test('the transcript has every command of these pages', () => {
  const pages = firstHour.map(page => {
    const steps = stepsOf(readPage(page)).map(withInstallation).flatMap(format)
    return [`## ${page}`, ...steps].join('\n\n')
  })
  const said = ['# The first hour', 'In a clone of the repository, in one terminal:', ...pages]
  const text = `${said.join('\n\n')}\n`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(transcript, text)
  expect(readFileSync(transcript, 'utf8')).toBe(text)
})

/** Formats commands with their output. `text` instead of `console` hides them from `test/cli/transcripts.test.ts`. */
function format(step: Step): readonly string[] {
  switch (step.kind) {
    case 'file':
      return [`Save \`${step.name}\`.`]
    case 'run':
      return [formatTurn(step.commands, '', step.exit)]
    case 'session':
      return step.turns.map(({ command, said, exit }) => formatTurn(command, said, exit))
    case 'not-run':
    case 'shown':
      return []
  }
}

function formatTurn(commands: string, said: string, exit: number): string {
  const typed = `$ ${commands.trim().replaceAll('\n', '\n> ')}`
  return ['```text', typed, ...(said === '' ? [] : [said]), `[exit ${exit}]`, '```'].join('\n')
}
