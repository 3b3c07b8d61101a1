import { diskMutants, recipeKiller } from './sim/disk-mutants.js'
import { everyRecipe, writtenOn } from './sim/recipe.js'

// `npm run verify -- sim` plays every pair of mishaps.
test('a version that was reported as made is complete after any disk error and any power loss', async () => {
  let stories = 0
  const found: string[] = []
  for await (const { mishaps, written } of everyRecipe('no')) {
    stories += 1
    found.push(...written.violations.map(violation => `${violation} ${JSON.stringify(mishaps)}`))
  }
  expect(found).toEqual([])
  expect(stories).toBeGreaterThan(150)
})

test('no version survives a power loss without its predecessor, even if its writer died before the flush', async () => {
  const crash = { at: 11, name: 'crash' }
  const { calls } = await writtenOn([crash])
  for (let at = 12; at < calls.length; at += 1)
    for (let names = 0; names < 2 ** (calls[at]?.names ?? 0); names += 1) {
      const { violations } = await writtenOn([crash, { at, name: 'power', names, data: 'gone' }])
      expect([at, names, violations]).toEqual([at, names, []])
    }
})

test.each(Object.entries(diskMutants))('a write procedure that %s loses versions', async (_, change) => {
  expect(await recipeKiller(change)).toMatchObject({ violation: expect.stringMatching(/^.*I4: /) })
})
