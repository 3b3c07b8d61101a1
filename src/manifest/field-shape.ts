import { findMemberSchema } from '../schema/field-schema.js'
import { isObject, type JsonSchema, type JsonValue } from '../schema/json-schema.js'
import { formatYamlText } from './yaml-text.js'

const ellipsis = '…'
const longest = 200

/** Formats an example of a map or list in one line of YAML, from its snippet or the examples of its required fields. */
export function formatShape(schema: JsonSchema): string {
  const { type = [], items, properties = {}, required = [] } = schema
  const isMap = [type].flat().includes('object')
  const isList = items !== undefined && !isMap
  const either = (schema.allOf ?? []).flatMap(part => part.oneOf?.at(-1)?.required ?? [])
  const needed = [...required, ...(schema.then?.required ?? []), ...either]
  const names = [...new Set(needed.length > 0 ? needed : Object.keys(properties))]
  const [snippet] = schema.defaultSnippets ?? []
  const [example = schema.enum?.[0] ?? schema.default] = schema.examples ?? []
  if (snippet !== undefined && isList === (snippet.type === 'array')) {
    const yaml = formatSnippet(snippet.body)
    return isList ? `[${yaml}]` : yaml
  }
  if (isList) return `[${formatShape(findMemberSchema(schema, 0))}]`
  if (names.length > 0) return formatMembers(names, name => formatShape(findMemberSchema(schema, name)))
  if (isMap) return '{ KEY: VALUE }'
  return typeof example === 'string' ? formatYamlText(example) : String(example ?? ellipsis)
}

/** A text of a snippet is YAML with placeholders. */
function formatSnippet(body: JsonValue): string {
  if (Array.isArray(body)) return `[${body.map(formatSnippet).join(', ')}]`
  if (isObject(body)) return formatMembers(Object.keys(body), name => formatSnippet(body[name] ?? null))
  return String(body).replaceAll(/\$\{\d+[:|]([^$}|,]*)(?:[|,][^$}]*)?\}/g, '$1')
}

/** Omits the members that do not fit, but never the first. */
function formatMembers(names: readonly string[], formatMember: (name: string) => string): string {
  let text = ''
  for (const name of names) {
    const member = `${formatYamlText(name)}: ${formatMember(name)}`
    if (text !== '' && text.length + member.length > longest) return `{ ${text}, ${ellipsis} }`
    text += text === '' ? member : `, ${member}`
  }
  return `{ ${text} }`
}
