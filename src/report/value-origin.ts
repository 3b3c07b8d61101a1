import type { ValueOrigin, WrittenValue } from '../plan/fields/value-origin.js'
import { display } from './display.js'
import { formatValue } from './field-rows.js'

/** Describes the origin of a value or of an unset field, its own line first. Empty for a field that was never set. */
export function describeOrigin(origin: ValueOrigin): readonly string[] {
  const { pointer, value, isDefault, layers, recorded } = origin
  if (value === undefined && layers.length === 0 && recorded?.value === undefined) return []
  const [own = '', ...others] = [
    ...(value === undefined ? ['not set'] : isDefault ? [`${formatValue(pointer, value)} by default`] : []),
    ...layers.map(layer => describeLayer(layer, pointer)),
  ]
  if (recorded === undefined) return [own, ...others]
  const verb = recorded.asserted ? 'adopted' : 'applied'
  const day = recorded.recordedAt.slice(0, 10)
  if (recorded.value === undefined) return [`${own}; not ${verb} on ${day}`, ...others]
  if (JSON.stringify(recorded.value) === JSON.stringify(value))
    return [`${own}; ${verb} on ${day}`, ...others]
  const other = typeof recorded.value === 'object' ? '' : ` as ${formatValue(pointer, recorded.value)}`
  return [own, ...others, `${verb}${other} on ${day}`]
}

function describeLayer({ file, line, how, value }: WrittenValue, pointer: ValueOrigin['pointer']): string {
  const place = `${display(file)}:${line}`
  switch (how) {
    case 'counts':
      return place
    case 'merged':
      return `merged with ${place}`
    case 'removes':
      return `removed by ${place}`
    case 'replaced':
      return `replaces ${value === undefined ? '' : `${formatValue(pointer, value)} from `}${place}`
  }
}
