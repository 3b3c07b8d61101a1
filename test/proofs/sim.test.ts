import { enumerate, settings } from './sim/enumerate.js'
import { interleaved } from './sim/interleave.js'
import { killer } from './sim/killer.js'
import { mutants } from './sim/mutants.js'

// `npm run verify -- sim` plays many more courses, pairs of faults and concurrent processes.
test.each(settings)(
  'no fault, at every eighth effect of an apply, violates an invariant: %j',
  async setting => {
    const found: string[] = []
    let courses = 0
    for await (const { scenario, course } of enumerate(setting, {
      share: first => first % 8 === 0,
      keep: count => count % 4000 === 0,
    })) {
      courses += 1
      found.push(...course.violations.map(violation => `${violation} ${JSON.stringify(scenario)}`))
    }
    expect(found).toEqual([])
    expect(courses).toBeGreaterThan(28)
  },
)

test('processes that apply at once configure once, and the same seed gives the same log', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const setting = settings[seed % settings.length]
    if (setting === undefined) throw new Error('no setting')
    const course = await interleaved(seed, setting)
    expect([seed, course.violations]).toEqual([seed, []])
    if (seed % 10 === 0) expect((await interleaved(seed, setting)).log()).toEqual(course.log())
  }
})

// Without these, the tests above prove nothing. `npm run verify -- sim --full` plants every mistake.
test.each([
  'sends again if the service is unavailable',
  'keeps no journal',
  'exits with 0 if the outcome is unknown',
])('a design that %s is detected', async name => {
  expect(await killer(mutants[name] ?? {})).toBeDefined()
})
