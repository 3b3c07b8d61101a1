import { parseQuantity, quantityCharacters, storageUnits, zeroForm } from '../../contract/kubernetes.js'
import type { SizeFault } from '../../diagnostics/catalog/volume.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

const pattern = `${places.volumes}/size`

/** A size is a storage quantity with a unit suffix, greater than zero. Service §2.4. */
export const sizesAreQuantities: Rule = function* ({ index }) {
  for (const at of select(index, pattern)) {
    const size = at.value
    // The schema reports longer text.
    if (typeof size !== 'string' || size.length > quantityCharacters) continue
    const found = findSizeFault(size)
    if (found !== undefined) yield diagnose('volume/size', at.pointer, { size, ...found })
  }
}

function findSizeFault(size: string): { readonly fault: SizeFault; readonly instead: string } | undefined {
  const example = '16Gi'
  if (zeroForm.test(size)) return { fault: 'zero', instead: example }
  if (parseQuantity(size) !== undefined) return undefined
  if (parseQuantity(`${size}Gi`) !== undefined) return { fault: 'no-unit', instead: `${size}Gi` }
  const respelled = findIntendedSize(size)
  return respelled === undefined
    ? { fault: 'form', instead: example }
    : { fault: 'spelling', instead: respelled }
}

/** Finds the quantity that differs only in case, blanks or a trailing `B`; `m` alone would mean thousandths. */
function findIntendedSize(size: string): string | undefined {
  const [, number, letters = ''] = /^ *([0-9.]+) *([A-Za-z]{1,3}) *$/.exec(size) ?? []
  if (number === undefined || letters === 'm' || letters === 'e') return undefined
  const wanted = letters.toLowerCase()
  const unit = storageUnits.find(unit => [unit, `${unit}b`].some(name => name.toLowerCase() === wanted))
  if (unit === undefined || zeroForm.test(number)) return undefined
  const respelled = `${number}${unit}`
  return parseQuantity(respelled) === undefined ? undefined : respelled
}
