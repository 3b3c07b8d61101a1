import { enumerate, settings } from './enumerate.js'
import type { Mutant } from './scenario.js'

/** One course with two faults of so many is played. */
const one = 40

/** The first course in which a mutant breaks what none may; `undefined` where it gets through them all. */
export async function killer(
  mutant: Mutant,
): Promise<{ readonly courses: number; readonly violation: string } | undefined> {
  let courses = 0
  // Single faults first: they find most, and in no time.
  for (const keep of [() => false, (count: number) => count % one === 0])
    for (const setting of settings)
      for await (const { course } of enumerate(setting, keep, mutant)) {
        courses += 1
        const [violation] = course.violations
        if (violation !== undefined) return { courses, violation }
      }
  return undefined
}
