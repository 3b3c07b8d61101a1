import { formatExampleLines } from '../../scripts/reference/example-events.js'
import { eventDocument } from '../../src/report/events.js'
import { isObject, type JsonValue } from '../../src/schema/json-schema.js'
import { emittedEvents } from './emitted-events.js'

const emitted = await emittedEvents()

test.each([...formatExampleLines()])('%s has the members that real runs emit', (type, line) => {
  const real = [...emitted].flatMap(([name, event]) =>
    name === type ? [shapeOf(JSON.parse(JSON.stringify(eventDocument(event, 0))))] : [],
  )
  expect(real).toEqual([shapeOf(JSON.parse(line))])
})

/** Returns a document with types instead of values, and for a list the different shapes of its elements. */
function shapeOf(value: JsonValue): JsonValue {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
  const shapes = value.map(element => JSON.stringify(shapeOf(element)))
  return [...new Set(shapes)]
}
