import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'

const environments = 'examples/environments'

const landform = async (...args: readonly string[]) => {
  const host = fakeHost()
  await run(args, host)
  return { out: host.out(), err: host.err() }
}

test.each([
  [['completion', 'fsh'], 'no completion for "fsh"; use bash, zsh or fish'],
  [['explain', 'volume/missing'], 'did you mean volume/missing-component?'],
])('%j names what there is', async (args, answer) => {
  expect((await landform(...args)).err).toContain(answer)
})

test('a base that is checked by its name says who checks it instead', async () => {
  const { err, out } = await landform('validate', `${environments}/base.yaml`)
  expect(out + err).toContain(
    'help: if other manifests extend this file, check those files or their folder instead',
  )
})

test('a manifest is rendered with what it is at its beginning, wherever the base says it', async () => {
  const { out } = await landform('render', `${environments}/production/site.yaml`)
  expect(out.match(/^\w+/gm)).toEqual(['apiVersion', 'kind', 'metadata', 'spec'])
})
