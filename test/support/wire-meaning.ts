import { posix } from 'node:path'
import { buildConfigureParts } from '../../src/client/wire/configure-parts.js'
import { buildUpdateFields } from '../../src/client/wire/form-requests.js'
import type { Organization, PodPlacementPolicy } from '../../src/manifest/manifest.js'
import { mergeUpgradeConfig } from '../../src/plan/observation.js'
import { isObject, type JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { Secret } from '../../src/secrets/secret.js'
import { valueAt } from './manifest-value.js'

/** Returns the content of every part of a `configure` request. A secret is replaced by its source. */
export function wireTexts(organization: Organization): ReadonlyMap<string, string> {
  const spec = { spec: organization } as unknown as JsonValue
  const secretAt = (pointer: JsonPointer) => new Secret(Buffer.from(source(valueAt(spec, pointer) ?? null)))
  return new Map(
    buildConfigureParts(organization, secretAt).map(part => [
      part.name,
      `${part.kind} ${part.kind === 'file' ? part.fileName : ''} ${part.value.toString()}`,
    ]),
  )
}

/** Returns the meaning of those parts as a text: two organizations with the same text are the same to the service. */
export function wireMeaning(organization: Organization): string {
  const meant = [...wireTexts(organization)].flatMap(([name, text]) => {
    const value = saidBy(name, text)
    return value === undefined ? [] : [`${name}=${JSON.stringify(value)}`]
  })
  return meant.toSorted().join('\n')
}

type Term = NonNullable<
  PodPlacementPolicy['nodeAffinity']['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number]

/** Returns the meaning of an update to the scheduler, as a text. */
export function policyMeaning(policy: PodPlacementPolicy): string {
  const upgradeConfig = mergeUpgradeConfig(policy, {})
  const [config] = buildUpdateFields({ upgradeConfig }, undefined)
  const { podPlacementPolicy } = JSON.parse(config?.value.toString() ?? '') as {
    podPlacementPolicy: PodPlacementPolicy
  }
  const { nodeAffinity, tolerations } = podPlacementPolicy
  const termMeaning = ({ matchExpressions }: Term) =>
    setOf(
      matchExpressions.map(({ key, operator, values = [] }) =>
        JSON.stringify([key, operator, setOf(values)]),
      ),
    )
  const affinity = Object.entries(nodeAffinity).map(([kind, selector]) =>
    'nodeSelectorTerms' in selector
      ? `${kind}: ${setOf(selector.nodeSelectorTerms.map(termMeaning))}`
      : `${kind}: ${selector.map(({ weight, preference }) => `${weight} ${termMeaning(preference)}`).join()}`,
  )
  const tolerated = tolerations.map(({ key = '', operator = 'Equal', value = '', effect = '' }) =>
    JSON.stringify([key, operator, value, effect]),
  )
  return `${setOf(affinity)} ${setOf(tolerated)}`
}

function saidBy(name: string, text: string): JsonValue | undefined {
  const content = text.replace(/^text {2}/, '')
  switch (name) {
    case 'systemArchitectureProfile':
      return content === '{"name":"standard-availability"}' ? undefined : content
    case 'folderPathsToRegister': {
      const listed = content.startsWith('{"paths":')
        ? (JSON.parse(content) as { paths: string[] })
        : undefined
      if (listed === undefined) return content
      return listed.paths.length === 0 ? undefined : { paths: [...new Set(listed.paths)].toSorted() }
    }
    case 'systemProperties':
      return content === '{}' ? undefined : sorted(JSON.parse(content) as JsonValue)
    case 'cloudConfig':
    case 'userManagedStores': {
      const entries = JSON.parse(content) as JsonValue[]
      return entries.length === 0 ? undefined : entries.map(entry => JSON.stringify(sorted(entry))).toSorted()
    }
    case 'volumesConfig': {
      const { volumesConfig } = JSON.parse(content) as { volumesConfig: { size: string }[] }
      return volumesConfig.map(volume => sorted({ ...volume, size: bytesOf(volume.size) } as JsonValue))
    }
    default:
      try {
        return name.startsWith('x ') ? sorted(JSON.parse(content) as JsonValue) : content
      } catch {
        return `text ${content}`
      }
  }
}

/** Returns the source of a secret or file. Its path is normalized. */
function source(value: JsonValue): string {
  const [kind, text] = isObject(value) ? (Object.entries(value)[0] ?? ['', '']) : ['file', value]
  return `${kind} ${kind === 'file' ? posix.normalize(String(text)) : text}`
}

function bytesOf(size: string): string {
  const [, number = '0', unit = ''] = /^([0-9.]+)([A-Za-z]+)$/.exec(size) ?? []
  const [whole = '0', fraction = ''] = number.split('.')
  const base = unit.endsWith('i') ? 1024n : 1000n
  const power = BigInt('kmgtpe'.indexOf(unit.slice(0, 1).toLowerCase()) + 1)
  return String(BigInt(whole + fraction.padEnd(9, '0')) * base ** power)
}

function setOf(texts: readonly string[]): string {
  return JSON.stringify([...new Set(texts)].toSorted())
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, sorted(member)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}
