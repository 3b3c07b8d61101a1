import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './support/manifests.js'
import { runsHere } from './support/program.js'
import { moveHunks, workedExamples } from './support/worked-examples.js'

const path = join(root, 'CONTRIBUTING.md')
const page = readFileSync(path, 'utf8')
/** Whether to update the line numbers of the examples, which change with every edit above them. */
const rewritesGoldens = process.env['UPDATE_GOLDEN'] === '1'
const examples = workedExamples(page)
const hasGit = await runsHere(['git', '--version'])

test('the page has a worked example for each kind of change', () => {
  const names = ['field', 'rule', 'version', 'format', 'command', 'backend', 'outcome']
  expect(examples.map(({ name }) => name)).toEqual(names)
  expect([...page.matchAll(/^```diff$/gm)]).toHaveLength(examples.length)
})

describe.each([...examples])('the example of a $name', ({ diff }) => {
  // `test/system/contributing.test.ts` applies it, and runs its tests.
  ;(hasGit ? test : test.skip)('has edits that fit the code as it is', () => {
    const options = ['--check', '--recount', '-C1', '--verbose']
    const { status, stderr } = spawnSync('git', ['apply', ...options, '-'], {
      cwd: root,
      input: diff,
      encoding: 'utf8',
    })
    expect([status, status === 0 || stderr]).toEqual([0, true])
    const exact = moveHunks(diff, stderr)
    if (!rewritesGoldens) expect(diff).toBe(exact)
    else if (exact !== diff)
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(diff, () => exact),
      )
  })
})

test('a field is one row and one line in the list for tests; a quirk has a name, an encoder and a check', () => {
  const [field] = examples
  expect(field?.files.toSorted()).toEqual([
    'src/client/wire/configure-parts.ts',
    'src/contract/field-row.ts',
    'src/contract/fields.ts',
    'src/emulator/service/configure.ts',
    'test/support/every-field.ts',
  ])
})

test('every path on the pages for contributors exists', () => {
  const named = [page, readFileSync(join(root, 'SECURITY.md'), 'utf8')].flatMap(text => [
    ...text
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`((?:src|test|docs|scripts|examples)\/[\w./-]+)`/g),
  ])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, path = '']) => !existsSync(join(root, path))).map(([, path]) => path)).toEqual([])
})

test.each(['defect', 'wish'])('the form for a %s has the fields that GitHub requires', name => {
  const form = parse(readFileSync(join(root, '.github', 'ISSUE_TEMPLATE', `${name}.yml`), 'utf8'))
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
  const fields: readonly { readonly type: string; readonly id?: string }[] = form.body
  const ids = fields.flatMap(({ type, id }) => (type === 'markdown' ? [] : [id]))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain(undefined)
})
