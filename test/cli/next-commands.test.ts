import { nextCommands } from '../../src/cli/site/next-commands.js'

const given = { file: 'site.yaml', url: undefined, state: undefined, emulate: false, 'allow-origin': [] }

describe('the next commands', () => {
  const ruled = { ...given, policy: ['team rules.yaml'], 'ignore-immutable': ['spec.logLevel'], yes: true }
  const { apply, plan, perform, status, show } = nextCommands(ruled)

  test('use the same policies and ignore the same edits if they plan', () => {
    const options = "--policy 'team rules.yaml' --ignore-immutable spec.logLevel"
    expect(plan).toBe(`landform plan site.yaml ${options}`)
    expect(apply).toBe(`landform apply site.yaml ${options} --yes`)
  })

  test('repeat no ignored edits for a saved plan, which contains them', () => {
    expect(perform('plan.json')).toBe(
      "landform apply plan.json --manifest site.yaml --policy 'team rules.yaml'",
    )
  })

  test('have only options that the command accepts', () => {
    expect(status).toBe('landform status site.yaml')
    expect(show).toBe('landform state show site.yaml')
  })

  test('name the same site and the same state, quoted for a shell', () => {
    const address = { url: 'https://gis.example.org/admin?x=1&y=2', state: 'file:my state' }
    expect(nextCommands({ ...given, ...address }).status).toBe(
      "landform status site.yaml --url 'https://gis.example.org/admin?x=1&y=2' --state 'file:my state'",
    )
  })
})
