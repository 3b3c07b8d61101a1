import { commands, run } from '../../src/cli/run.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { fakeHost } from '../support/fake-host.js'

const helpOf = async (...words: readonly string[]) => {
  const host = fakeHost()
  await run([...words, '--help'], host)
  return host.out()
}

test.each(['', ...commands.map(({ name }) => name)])(
  'the help of landform %s fits on 80 columns, but for examples that are typed as one line',
  async name => {
    const lines = (await helpOf(...name.split(' ').filter(Boolean))).split('\n')
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.filter(line => line.length > 80 && !/^ {2}landform( \S+)+$/.test(line))).toEqual([])
  },
)

test('the help names every exit code but that of a reader who left', async () => {
  const { brokenPipe: _, ...told } = exitCodes
  const [, closing = ''] = (await helpOf()).split('Exit codes: ')
  expect(closing.match(/\d+/g)?.map(Number)).toEqual(Object.values(told))
})

test.each(commands.map(({ name, examples }) => [name, examples] as const))(
  'the help of %s shows each example on one line',
  async (name, examples) => {
    const lines = (await helpOf(...name.split(' '))).split('\n')
    expect(examples.length).toBeGreaterThan(0)
    for (const [line] of examples)
      expect(lines.filter(one => `${one}  `.startsWith(`  landform ${line}  `))).toHaveLength(1)
  },
)
