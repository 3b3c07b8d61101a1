import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCommands, run } from '../../src/cli/run.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { countColumns } from '../../src/report/terminal.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'

const commands = await loadCommands()

const helpOf = async (...words: readonly string[]) => {
  const host = fakeHost()
  await run([...words, '--help'], host)
  return host.out()
}

test.each(['', ...commands.map(({ name }) => name)])(
  'the help of landform %s fits on 80 columns, except for examples on one line',
  async name => {
    const lines = (await helpOf(...name.split(' ').filter(Boolean))).split('\n')
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.filter(line => line.length > 80 && !/^ {2}landform( \S+)+$/.test(line))).toEqual([])
  },
)

test('the help names every exit code except the one for a closed pipe', async () => {
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

/** Matches what is never wrapped, however long it is: a command to copy, an address, or a digest. */
const whole = /^\s*(?:\S+: +)?`?(?:landform|rm) .*$|\S*(?:\w:\/\/|[\da-f]{32})\S*/

function listSessions(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:console|text)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  return blocks.flatMap(block => block.split(/^(?=\S*\$ )/m))
}

/** Matches a typed line, and a line for a CI system. */
const isTyped = /^(?:\S*\$ |> (?! *\d+ \|))/
const isAnnotation = /^::(?:error|warning|notice) /

function listWideLines(text: string): readonly string[] {
  return listSessions(text)
    .flatMap(session => session.split('\n'))
    .filter(
      line => countColumns(line) > 80 && ![isTyped, isAnnotation, whole].some(pattern => pattern.test(line)),
    )
}

/** The transcripts, and the pages whose sessions are compared with the program's output by tests of their own. */
const pages = [
  'README.md',
  ...['test/transcripts', 'docs'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.md'))
      .map(file => join(folder, file)),
  ),
]

test.each(pages)('%s fits on 80 columns', file => {
  expect(listWideLines(readFileSync(join(root, file), 'utf8'))).toEqual([])
})

test('detects a line that is too wide, and ignores commands', () => {
  const words = 'word '.repeat(20)
  const text = `\`\`\`console\n$ landform plan ${words}\n${words}\n  \`landform apply ${words}\`\n[exit 0]\n\`\`\`\n`
  expect(listWideLines(text)).toEqual([words])
})
