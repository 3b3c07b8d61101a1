import { nextCommands } from '../../src/cli/site/next-commands.js'

const given = { file: 'site.yaml', url: undefined, state: undefined, emulate: false, 'allow-origin': [] }

describe('the commands that go on from here', () => {
  const ruled = { ...given, policy: ['team rules.yaml'], 'ignore-immutable': ['spec.logLevel'], yes: true }
  const { apply, plan, perform, status, show } = nextCommands(ruled)

  test('are judged by the same rules and leave out the same edits, where they plan', () => {
    const options = "--policy 'team rules.yaml' --ignore-immutable spec.logLevel"
    expect(plan).toBe(`landform plan site.yaml ${options}`)
    expect(apply).toBe(`landform apply site.yaml ${options} --yes`)
  })

  test('leave out of a saved plan no edits, since it says itself which', () => {
    expect(perform('plan.json')).toBe(
      "landform apply plan.json --manifest site.yaml --policy 'team rules.yaml'",
    )
  })

  test('have only options that they know', () => {
    expect(status).toBe('landform status site.yaml')
    expect(show).toBe('landform state show site.yaml')
  })

  test('name the same site and the same state, in words that a shell keeps together', () => {
    const address = { url: 'https://gis.example.org/admin?x=1&y=2', state: 'file:my state' }
    expect(nextCommands({ ...given, ...address }).status).toBe(
      "landform status site.yaml --url 'https://gis.example.org/admin?x=1&y=2' --state 'file:my state'",
    )
  })
})
