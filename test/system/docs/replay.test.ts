import { runsHere } from '../../support/program.js'
import { describeWhere } from '../../support/test-where.js'
import { replayed } from './replay.js'

const describeWhereBash = describeWhere(await runsHere(['bash', '--version']), 'bash')

const block = (language: string, ...lines: readonly string[]) =>
  `\`\`\`${language}\n${lines.map(line => `${line}\n`).join('')}\`\`\`\n`

describeWhereBash('following a page', () => {
  test.each([
    [
      'runs nothing in comments',
      `<!-- prepare: touch a -->\n<!-- sh: touch a -->\n${block('sh', '[ ! -e a ]')}`,
    ],
    ['passes on no variable of the tests', block('sh', '[ -z "$CI$JEST_WORKER_ID$HTTPS_PROXY" ]')],
  ])('%s', async (_, page) => {
    expect(await replayed(page)).toEqual({ page, complaint: undefined })
  })

  test('reports an emulator that is left running', async () => {
    const { complaint } = await replayed(block('sh', 'landform emulate --detach'))
    expect(complaint).toMatch(/^its end: left in the home of the reader: emulators\/\d+\.json$/)
  })

  test.each([
    ['a command that fails before the last one', block('sh', 'false', 'true'), 'line 1: exit 1, not 0'],
    ['a missing failure', `words\n<!-- exit: 65 -->\n${block('sh', 'true')}`, 'line 3: exit 0, not 65'],
    [
      'different output',
      block('console', '$ echo yes', 'no'),
      'line 1: $ echo yes ends with 0, and prints\nyes',
    ],
    ['another exit code', block('console', '$ false', '[exit 2]'), 'line 1: $ false ends with 1'],
  ])('reports %s', async (_, page, complaint) => {
    expect((await replayed(page)).complaint).toContain(complaint)
  })

  test('rewrites it with the current output', async () => {
    const { page } = await replayed(`before\n\n  ${block('console', '$ echo one', 'two')}\nafter\n`)
    expect(page).toContain('before\n\n  ```console\n  $ echo one\n  one\n  [exit 0]\n```\n\nafter\n')
  })

  test.each(['op', 'sops', 'vault', 'aws', 'az', 'gcloud', 'kubectl'])(
    'the stand-in for %s rejects commands that no page has',
    async name => {
      const { complaint } = await replayed(block('console', `$ ${name} help`, '[exit 127]'))
      expect(complaint).toContain(`stand-in: ${name} is not rehearsed with: help`)
    },
  )
})
