import { takeEnvironment } from '../../src/cli/terminal/process-host.js'

test('variables of Landform are removed from an environment, and their values returned on every call', () => {
  const environment: Record<string, string> = { PATH: '/bin', LANDFORM_TOKEN: 'é-1', LANDFORM_DEBUG: '1' }
  const taken = takeEnvironment(environment)
  expect(environment).toEqual({ PATH: '/bin', LANDFORM_DEBUG: '1' })
  for (const _ of [1, 2])
    expect({ ...taken }).toEqual({ PATH: '/bin', LANDFORM_TOKEN: 'é-1', LANDFORM_DEBUG: '1' })
})
