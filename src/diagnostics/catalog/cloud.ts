import { allOf, oneOf, quoted } from '../words.js'
import { entry } from './entry.js'

/** Cloud storage. */
export const cloudEntries = {
  'cloud/secret-fields': entry<{
    readonly type: string
    readonly wanted: readonly string[]
    readonly missing: readonly string[]
    /** Fields of other types; what no type has is counted and not named. */
    readonly foreign: readonly string[]
    readonly strangers: number
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The secret does not fit the credential type',
    message: ({ type, wanted, missing, foreign, strangers }) => {
      const faults = [
        ...(missing.length > 0 ? [`lacks ${allOf(missing)}`] : []),
        ...(foreign.length > 0 ? [`does not know ${allOf(foreign)}`] : []),
        ...(strangers > 0 ? ['holds what no credential has'] : []),
      ]
      return wanted.length === 0
        ? `${quoted(type)} carries no \`secret\``
        : `the secret of ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ wanted }) => (wanted.length === 0 ? 'remove it' : `its fields are ${allOf(wanted)}`),
  }),
  'cloud/connection-fields': entry<{
    readonly type: string
    readonly allowed: readonly string[]
    readonly missing: string | undefined
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The connection does not fit the provider',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing === undefined ? [] : [`lacks ${quoted(missing)}`]),
        ...(foreign.length > 0 ? [`has no ${oneOf(foreign)}`] : []),
      ]
      return `a connection with ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ allowed }) => `its fields are ${allOf(allowed)}`,
  }),
} as const
