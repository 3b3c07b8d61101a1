import { isDeepStrictEqual } from 'node:util'
import { documentSchemas } from '../../src/schema/document-schemas.js'
import { applyEvent, stage } from '../../src/schema/documents/event.js'
import { defineRecord } from '../../src/schema/documents/parts.js'
import { planMembers } from '../../src/schema/documents/plan.js'
import type { JsonSchema } from '../../src/schema/json-schema.js'
import { buildPolicySchema } from '../../src/schema/policy-schema.js'
import { scenarioSchema } from '../../src/schema/scenario-schema.js'
import { buildTestSchema } from '../../src/schema/test-schema.js'

const json = { 'JsonObject, JsonValue': '../json-schema.js' }
const foreign = {
  JsonPointer: '../../schema/pointer.js',
  'Organization, PodPlacementPolicy, RecordedOrganization, SecretReference': '../../manifest/manifest.js',
  'JsonObject, JsonValue': '../../schema/json-schema.js',
}

/**
 * The generated modules, each with the name of its main type, the schema of that, and the modules of the types that it imports.
 * The types of a manifest come from `json-schema-to-typescript`, which names a structure anew in every place.
 */
const modules: Readonly<Record<string, readonly [string, JsonSchema, Readonly<Record<string, string>>]>> = {
  'schema/generated/policy': ['SitePolicy', buildPolicySchema(), json],
  'schema/generated/scenario': ['ScenarioDocument', scenarioSchema, json],
  'schema/generated/test': ['SiteTest', buildTestSchema(), json],
  'plan/generated/state': ['StateDocument', documentSchemas.state, foreign],
  'plan/generated/plan': ['PlanDocument', defineRecord(planMembers), foreign],
  'evidence/generated/evidence': ['Evidence', documentSchemas.probe, foreign],
  'plan/generated/stage': ['StageRecord', stage, {}],
  'apply/generated/event': [
    'ApplyEvent',
    applyEvent,
    {
      ServiceFailure: '../../client/failure.js',
      StageRecord: '../../plan/observation.js',
      'Holder, StageTiming': '../../plan/submission.js',
      Outcome: '../outcome.js',
      Anomaly: '../wait/reported.js',
    },
  ],
}

/** Generates the types of the documents that the program reads and writes, by the path of their module. */
export function generateTypes(notice: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(modules).map(([path, [root, schema, imports]]) => {
      const known = Object.keys(imports).flatMap(list => list.split(', '))
      const types = formatTypes(root, schema, known)
      const used = Object.entries(imports).flatMap(([list, module]) => {
        const own = list
          .split(', ')
          .filter(name => types.some(type => new RegExp(`\\b${name}\\b`).test(type)))
        return own.length === 0 ? [] : [`import type { ${own.join(', ')} } from '${module}'`]
      })
      return [`src/${path}.ts`, `${[[`// ${notice}`, ...used].join('\n'), ...types].join('\n\n')}\n`]
    }),
  )
}

/** Formats the type of a schema, and the named types in it; `known` are those of other modules. */
function formatTypes(root: string, schema: JsonSchema, known: readonly string[]): readonly string[] {
  const types = new Map(known.map(name => [name, '']))

  const declare = (name: string, meaning: string | undefined, node: JsonSchema): string => {
    if (types.has(name)) return name
    types.set(name, '')
    types.set(name, `${formatComment(meaning)}export type ${name} = ${formatType(node)}`)
    return name
  }
  const formatType = (node: JsonSchema): string => {
    const { $ref, type, properties, items, additionalProperties: others, 'x-type': named, ...rest } = node
    if (named !== undefined) {
      const { 'x-type': _, ...shape } = node
      return declare(...named, shape)
    }
    if ($ref !== undefined) {
      const name = $ref.slice('#/definitions/'.length)
      const target = schema.definitions?.[name] ?? {}
      return declare(name, target.description, target)
    }
    if (rest['x-reference'] !== undefined) {
      const reference = declare('SecretReference', 'A reference to a secret', secretReference)
      return rest['x-reference'] === 'secret' ? reference : `string | ${reference}`
    }
    const tagged = rest.allOf?.find(part => part.discriminator !== undefined || part.$ref !== undefined)
    if (tagged !== undefined) return formatType(tagged)
    if (rest.const !== undefined) return JSON.stringify(rest.const)
    const forms = rest.oneOf ?? rest.anyOf
    if (rest.enum !== undefined) return joinTypes(rest.enum.map(option => JSON.stringify(option)))
    if (forms !== undefined) return properties ? formatVariants(node, forms) : joinForms(forms)
    if (typeof type === 'object') return joinTypes(type.map(one => formatType({ ...node, type: one })))
    if (type === 'array') {
      const element = formatType(items ?? {})
      return `readonly ${element.includes('\n') || / [|]/.test(element) ? `(${element})` : element}[]`
    }
    if (properties !== undefined && type === 'object') return formatRecord(node)
    if (type === 'object' && typeof others === 'object')
      return `{ readonly [name: string]: ${formatType(others)} }`
    if (type === 'object') return 'JsonObject'
    if (type === 'integer') return 'number'
    return type ?? 'JsonValue'
  }
  const joinForms = (forms: readonly JsonSchema[]): string => {
    const all = forms.map(form => [form['x-type'] ? '' : formatComment(form.description), formatType(form)])
    if (!all.some(([, form = '']) => form.includes('\n'))) return joinTypes(all.map(([, form = '']) => form))
    return all
      .map(([comment, form]) => `\n${comment}| ${form}`)
      .join('')
      .replaceAll(/^(?=.)/gm, '  ')
  }
  const formatVariants = (node: JsonSchema, forms: readonly JsonSchema[]): string => {
    const variants = forms.map(form => completeVariant(node, form))
    const [first = {}] = variants
    const isShared = (name: string) =>
      variants.every(one => isDeepStrictEqual(findMember(one, name), findMember(first, name)))
    const own = joinForms(variants.map(one => selectMembers(one, name => !isShared(name))))
    return `${formatRecord(selectMembers(first, isShared))} & (${own}\n)`
  }
  const formatRecord = ({ properties = {}, required = [], allOf = [] }: JsonSchema): string => {
    const always = [
      ...required,
      ...allOf.flatMap(part => (part.oneOf === undefined ? (part.required ?? []) : [])),
    ]
    const members = Object.entries(properties).map(([name, property]) => {
      const member = property || {}
      const key = `${/^\w+$/.test(name) ? name : `'${name}'`}${always.includes(name) ? '' : '?'}`
      return `${formatComment(member.description)}readonly ${key}: ${formatType(member)}`
    })
    return `{\n${members.join('\n').replaceAll(/^/gm, '  ')}\n}`
  }

  declare(root, schema.description, schema)
  return [...types.values()].filter(text => text !== '')
}

const secretReference: JsonSchema = {
  oneOf: ['env', 'file'].map(name => defineRecord({ [name]: { type: 'string' } })),
}

/** Completes a variant of a record with the members that every variant has, and those that it names. */
function completeVariant({ properties = {}, required = [] }: JsonSchema, variant: JsonSchema): JsonSchema {
  const own = variant.properties ?? {}
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || name in own)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, { ...member, ...own[name] }])),
    required: [...required, ...(variant.required ?? [])],
  }
}

function findMember({ properties = {}, required = [] }: JsonSchema, name: string) {
  return [properties[name], required.includes(name)]
}

function selectMembers(record: JsonSchema, isWanted: (name: string) => boolean): JsonSchema {
  const members = Object.entries(record.properties ?? {}).filter(([name]) => isWanted(name))
  return { ...record, properties: Object.fromEntries(members) }
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function formatComment(text: string | undefined): string {
  return text ? `/** ${text.replace(/(?<=[\w`)])$/, '.')} */\n` : ''
}
