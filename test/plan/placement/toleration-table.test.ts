import fc from 'fast-check'
import { taintEffects } from '../../../src/contract/placement.js'
import { tolerates, toleratesAsDocumented } from '../../../src/plan/placement/taint.js'
import { buildTolerationTable } from '../../../src/plan/placement/toleration-table.js'
import { cases } from '../../support/cases.js'

const word = fc.constantFrom('', 'a', 'b', '__proto__')
const effect = fc.constantFrom(...taintEffects)
const toleration = fc.record(
  { key: word, operator: fc.constantFrom('Equal' as const, 'Exists' as const), value: word, effect },
  { requiredKeys: [] },
)
const taint = fc.record({ key: word, value: word, effect })

test('a table says of every taint what trying each toleration says', () => {
  fc.assert(
    fc.property(fc.array(toleration, { maxLength: 8 }), taint, (tolerations, one) => {
      expect(buildTolerationTable(tolerations)(one)).toEqual({
        toleration: tolerations.findIndex(each => tolerates(each, one)),
        isDocumented: tolerations.some(each => toleratesAsDocumented(each, one)),
      })
    }),
    { numRuns: cases(500) },
  )
})

test('a table tries no toleration twice, so that many taints and many tolerations are no product', () => {
  let reads = 0
  const tolerations = Array.from({ length: 1000 }, (_, at) => ({
    get key() {
      reads += 1
      return `k${at}`
    },
    operator: 'Exists' as const,
  }))
  const meet = buildTolerationTable(tolerations)
  for (let at = 0; at < 1000; at += 1) meet({ key: `other${at}`, value: '', effect: 'NoSchedule' })
  expect(reads).toBe(1000)
})
