import { controls, unnoticed } from '../proofs/supply/controls.js'
import { readSupply } from '../proofs/supply/read-supply.js'
import { root } from '../support/manifests.js'

const supply = readSupply(root)

describe('what comes in, and what is said of it', () => {
  test.each(Object.entries(supply.complaints))('%s is in order', (_, complaints) => {
    expect(complaints).toEqual([])
  })

  test('is looked at: whatever is spoilt is noticed', () => {
    expect(unnoticed(controls(supply))).toEqual([])
  })
})
