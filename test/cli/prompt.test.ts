import { PassThrough } from 'node:stream'
import type { FormQuestion } from '../../src/cli/host.js'
import { prompt } from '../../src/cli/terminal/prompt.js'

const question: FormQuestion = {
  message: 'Name?',
  initial: 'production',
  rejection: line => (line === 'bad' ? 'not that one' : undefined),
}

/** Types keys at a question. The editor accepts them without a terminal as well. */
async function typed(keys: readonly string[], asked: FormQuestion = question) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = prompt(asked, { input, output })
  for (const key of keys) {
    input.write(key)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { answer: await answer, screen: String(output.read()) }
}

test.each([
  ['a line', ['test', '\r'], 'test'],
  ['an empty line, which selects the default', ['\r'], 'production'],
  ['a line that is corrected', ['bad', '\r', '\x7f\x7f\x7f', 'good', '\r'], 'good'],
])('accepts %s', async (_, keys, text) => {
  expect((await typed(keys)).answer).toEqual({ kind: 'line', text })
})

test('gives the reason why a line is rejected', async () => {
  expect((await typed(['bad', '\r', '\x03'])).screen).toContain('not that one')
})

test('accepts the marked choice, and shows the text of every choice', async () => {
  const choices = { choices: ['production', 'test'], label: (choice: string) => `the ${choice} site` }
  const { answer, screen } = await typed(['\x1b[B', '\r'], { ...question, ...choices })
  expect(answer).toEqual({ kind: 'line', text: 'test' })
  const [first = ''] = screen.split('\x1b[999D')
  expect([first.includes('the production site'), first.includes('the test site')]).toEqual([true, true])
})

test('Escape goes back', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = prompt(question, { input, output })
  input.write('\x1b')
  expect(await answer).toEqual({ kind: 'back' })
})

test.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])('%s is an interrupt', async (_, key) => {
  expect((await typed(['pro', key])).answer).toEqual({ kind: 'interrupt' })
})

test('the end of the input is an interrupt', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = prompt(question, { input, output })
  input.end()
  expect(await answer).toEqual({ kind: 'interrupt' })
})

test('on a terminal without a known width, lines are not wrapped', async () => {
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { columns: 0 })
  const answer = prompt({ ...question, message: 'What is the site called?' }, { input, output })
  input.write('\r')
  await answer
  expect(String(output.read())).toContain('What is the site called?')
})
