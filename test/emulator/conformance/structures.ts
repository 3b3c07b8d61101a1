import { accepts, refuses } from './cases.js'
import { configure, ready, update, upgradeConfig } from './requests.js'
import type { Case, Section } from './sentence.js'

const profile = (value: unknown) => configure({ systemArchitectureProfile: JSON.stringify(value) })
const logs = (value: unknown) => configure({ logSettings: JSON.stringify(value) })

const takes = (nodeAffinity: unknown, tolerations: unknown = []) =>
  accepts(update({ upgradeConfig: upgradeConfig(nodeAffinity, tolerations) }), ready)
const rejectsPolicy = (nodeAffinity: unknown, tolerations: unknown = []) =>
  refuses(update({ upgradeConfig: upgradeConfig(nodeAffinity, tolerations) }), ready)
const rejectsConfig = (config: unknown) => refuses(update({ upgradeConfig: JSON.stringify(config) }), ready)

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
const kinds = [required, preferred] as const
const terms = (...matchExpressions: readonly unknown[]) => ({ nodeSelectorTerms: [{ matchExpressions }] })
const zone = { key: 'zone', operator: 'In', values: ['a', 'b'] }
const toleration = { effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'gis' }

export const structures: Section = {
  section: '2.7',
  title: 'other structures',
  sentences: [
    {
      says: 'an architecture profile is an object with one of three names',
      shown: [
        ...['enhanced-availability', 'standard-availability', 'development'].map(
          (name): Case => [name, accepts(profile({ name }))],
        ),
        ...['Development', 'standard', '', null, 1, ['development']].map(
          (name): Case => [`${JSON.stringify(name)} is rejected`, refuses(profile({ name }))],
        ),
        ['a missing name is rejected', refuses(profile({}))],
        ['a second field is rejected', refuses(profile({ name: 'development', replicas: 1 }))],
      ],
    },
    {
      says: 'log settings are an object with a logLevel that is a text',
      shown: [
        ['INFO', accepts(logs({ logLevel: 'INFO' }))],
        ['any other text', accepts(logs({ logLevel: 'CHATTY' }))],
        ['a missing level is rejected', refuses(logs({}))],
        ['a number is rejected', refuses(logs({ logLevel: 1 }))],
        ['null is rejected', refuses(logs({ logLevel: null }))],
        ['a second field is rejected', refuses(logs({ logLevel: 'INFO', days: 60 }))],
      ],
      notShown: 'which levels there are',
    },
    {
      says: 'an upgrade configuration is a podPlacementPolicy with nodeAffinity, which may be empty, and tolerations',
      shown: [
        ['both empty', takes({}, [])],
        ['both filled', takes({ [required]: terms(zone) }, [toleration])],
        ['a missing policy is rejected', rejectsConfig({})],
        ['the policy without its wrapper is rejected', rejectsConfig({ nodeAffinity: {}, tolerations: [] })],
        ['a policy that is an array is rejected', rejectsConfig({ podPlacementPolicy: [] })],
        ['a missing nodeAffinity is rejected', rejectsConfig({ podPlacementPolicy: { tolerations: [] } })],
        ['nodeAffinity null is rejected', rejectsPolicy(null)],
        ['nodeAffinity as an array is rejected', rejectsPolicy([])],
        ['missing tolerations are rejected', rejectsConfig({ podPlacementPolicy: { nodeAffinity: {} } })],
        ['tolerations null are rejected', rejectsPolicy({}, null)],
        ['tolerations as an object are rejected', rejectsPolicy({}, toleration)],
        [
          'a third field is rejected',
          rejectsConfig({ podPlacementPolicy: { nodeAffinity: {}, tolerations: [], a: 1 } }),
        ],
        [
          'a field next to the policy is rejected',
          rejectsConfig({ podPlacementPolicy: { nodeAffinity: {}, tolerations: [] }, a: 1 }),
        ],
      ],
    },
    {
      says: 'nodeAffinity has one of two keys, or both',
      shown: [
        ['demands', takes({ [required]: terms(zone) })],
        ['preferences', takes({ [preferred]: terms(zone) })],
        ['both', takes({ [required]: terms(zone), [preferred]: terms(zone) })],
        ['a third key is rejected', rejectsPolicy({ podAffinity: terms(zone) })],
        ['a third key next to them is rejected', rejectsPolicy({ [required]: terms(zone), podAffinity: {} })],
        ['other capitals are rejected', rejectsPolicy({ [required.toLowerCase()]: terms(zone) })],
        ['terms without a key are rejected', rejectsPolicy(terms(zone))],
      ],
    },
    {
      says: 'each holds nodeSelectorTerms, whose matchExpressions have a key, an operator and values',
      shown: [
        [
          'a preference in the form of Kubernetes, which is not documented, is rejected',
          rejectsPolicy({ [preferred]: [{ weight: 1, preference: { matchExpressions: [zone] } }] }),
        ],
        ...kinds.flatMap((kind): Case[] => [
          ...[null, [zone], 'zone', {}, { nodeSelectorTerms: {} }, { nodeSelectorTerms: ['zone'] }].map(
            (value): Case => [
              `${kind}: ${JSON.stringify(value)} is rejected`,
              rejectsPolicy({ [kind]: value }),
            ],
          ),
          ...[null, {}, 'zone', ['zone'], [null]].map(
            (matchExpressions): Case => [
              `${kind}: matchExpressions ${JSON.stringify(matchExpressions)} are rejected`,
              rejectsPolicy({ [kind]: { nodeSelectorTerms: [{ matchExpressions }] } }),
            ],
          ),
          [
            `${kind}: missing matchExpressions are rejected`,
            rejectsPolicy({ [kind]: { nodeSelectorTerms: [{}] } }),
          ],
          [
            `${kind}: several expressions are accepted`,
            takes({ [kind]: terms(zone, { ...zone, key: 'disk' }) }),
          ],
          [
            `${kind}: several terms are accepted`,
            takes({
              [kind]: {
                nodeSelectorTerms: [...terms(zone).nodeSelectorTerms, ...terms(zone).nodeSelectorTerms],
              },
            }),
          ],
          ...[
            { key: undefined },
            { key: '' },
            { key: 1 },
            { operator: undefined },
            { values: 'a' },
            { values: [1] },
            { values: null },
            { weight: 1 },
          ].map(
            (changes): Case => [
              `${kind}: an expression with ${Object.keys(changes)[0]} ${JSON.stringify(Object.values(changes)[0])} is rejected`,
              rejectsPolicy({ [kind]: terms({ ...zone, ...changes }) }),
            ],
          ),
        ]),
      ],
    },
    {
      says: 'its operator is one of four',
      shown: kinds.flatMap((kind): Case[] => [
        ...['In', 'NotIn'].flatMap((operator): Case[] => [
          [`${kind}: ${operator} is accepted with values`, takes({ [kind]: terms({ ...zone, operator }) })],
          [
            `${kind}: ${operator} is rejected without values`,
            rejectsPolicy({ [kind]: terms({ ...zone, operator, values: [] }) }),
          ],
        ]),
        ...['Exists', 'DoesNotExist'].map(
          (operator): Case => [
            `${kind}: ${operator} is accepted`,
            takes({ [kind]: terms({ ...zone, operator, values: [] }) }),
          ],
        ),
        ...['Gt', 'in', '', null].map(
          (operator): Case => [
            `${kind}: ${JSON.stringify(operator)} is rejected`,
            rejectsPolicy({ [kind]: terms({ ...zone, operator }) }),
          ],
        ),
      ]),
      notShown: 'whether Exists and DoesNotExist may have values, or omit the field; neither is rejected',
    },
    {
      says: 'a toleration has an effect of three, a key, an operator of two, and a value',
      shown: [
        ...['NoExecute', 'NoSchedule', 'PreferNoSchedule'].map(
          (effect): Case => [`the effect ${effect}`, takes({}, [{ ...toleration, effect }])],
        ),
        ['the operator Equal', takes({}, [toleration])],
        ['the operator Exists', takes({}, [{ ...toleration, operator: 'Exists', value: undefined }])],
        ['several', takes({}, [toleration, { ...toleration, key: 'other' }])],
        ...[
          { effect: 'Evict' },
          { effect: 'noschedule' },
          { effect: 1 },
          { operator: 'In' },
          { operator: 'exists' },
          { operator: null },
          { key: 1 },
          { value: 1 },
          { value: true },
          { tolerationSeconds: 60 },
        ].map(
          (changes): Case => [
            `${JSON.stringify(changes)} is rejected`,
            rejectsPolicy({}, [{ ...toleration, ...changes }]),
          ],
        ),
        ...['dedicated', null, []].map(
          (entry): Case => [`the entry ${JSON.stringify(entry)} is rejected`, rejectsPolicy({}, [entry])],
        ),
      ],
      notShown: 'which of the four may be omitted; none is required',
    },
  ],
}
