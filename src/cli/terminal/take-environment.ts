/** Left where it is: it holds no secret, and tells what to print of a defect. */
const left = 'LANDFORM_DEBUG'

/**
 * Takes the variables of Landform out of the environment of the process, and answers with all as they were: what Node reports
 * of a process, and what programs inherit that it starts, is what is left there. Kept as bytes, for a text would stand in
 * every snapshot of the heap.
 */
export function takeEnvironment(
  environment: Record<string, string | undefined>,
): Readonly<Record<string, string | undefined>> {
  const taken = { ...environment }
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('LANDFORM_') || name === left || value === undefined) continue
    const bytes = Buffer.from(value)
    Object.defineProperty(taken, name, { enumerable: true, get: () => bytes.toString() })
    delete environment[name]
  }
  return taken
}
