import { expect, test } from '@jest/globals'
import { enumerate, settings } from './sim/enumerate.js'
import { interleaved } from './sim/interleave.js'
import { killer } from './sim/killer.js'
import { mutants } from './sim/mutants.js'

// `npm run verify:sim` plays every single fault, pairs, and many more seeds.
test.each(settings)('whatever goes wrong once, or now and then twice, apply ends well: %j', async setting => {
  const found: string[] = []
  let courses = 0
  for await (const { scenario, course } of enumerate(setting, {
    share: first => first % 2 === 0,
    keep: count => count % 2000 === 0,
  })) {
    courses += 1
    found.push(...course.violations.map(violation => `${violation} ${JSON.stringify(scenario)}`))
  }
  expect(found).toEqual([])
  expect(courses).toBeGreaterThan(115)
})

test('processes that apply at once configure once, and the same seed brings the same', async () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const setting = settings[seed % settings.length]
    if (setting === undefined) throw new Error('no setting')
    const course = await interleaved(seed, setting)
    expect([seed, course.violations]).toEqual([seed, []])
    if (seed % 25 === 0) expect((await interleaved(seed, setting)).log()).toEqual(course.log())
  }
})

// Courses without an end would let every test above pass: each mistake must show.
test.each(Object.entries(mutants))('a design that %s is found out', async (_, mutant) => {
  expect(await killer(mutant)).toBeDefined()
})
