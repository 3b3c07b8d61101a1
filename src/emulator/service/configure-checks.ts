import type { LimitedSecret, LimitedText, Quirk } from '../../contract/field-row.js'
import { type Field, listFields } from '../../contract/fields.js'
import { email, password, questionIndex, username } from './account.js'
import { userManagedStores } from './data-stores.js'
import { anyObject, anyText, type Check, choiceCheck, record, text } from './shape.js'
import { volumesConfig } from './volumes-config.js'

/** The values that the document describes in sections of their own. Service §2.4 to §2.6, §2.9. */
const quirks: Readonly<Record<Quirk, Check>> = {
  question: questionIndex,
  volumes: volumesConfig,
  // Depends on the version: see `configure`.
  cloudStorage: anyText,
  folders: anyText,
  dataStores: userManagedStores,
}

const limits: Readonly<Record<LimitedText | LimitedSecret, Check>> = { username, password, email }

/** The check of each parameter of `configure` except files, of which only the size is checked. Service §4.3. */
export const configureChecks: Readonly<Record<string, Check>> = Object.fromEntries(
  listFields('configure').flatMap(field => {
    const check = buildFieldCheck(field)
    return check === undefined ? [] : [[field.parameter.name, check] as const]
  }),
)

function buildFieldCheck(field: Field): Check | undefined {
  const { sent } = field
  if (typeof sent === 'object')
    return 'member' in sent ? record({ [sent.member]: buildTextCheck(field) }) : undefined
  switch (sent) {
    case 'text':
    case 'secret':
      return buildTextCheck(field)
    case 'json':
      return anyObject
    default:
      return quirks[sent]
  }
}

function buildTextCheck({ shape, sent, required }: Field): Check {
  if (shape.kind === 'choice') return choiceCheck(Object.keys(shape.options))
  if ('limit' in shape && shape.limit !== undefined) return limits[shape.limit]
  return required === 'yes' || typeof sent === 'object' ? text : anyText
}
