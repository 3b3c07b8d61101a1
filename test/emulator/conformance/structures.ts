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

/** Profiles, log settings and placement. */
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
          (name): Case => [`${JSON.stringify(name)} is refused`, refuses(profile({ name }))],
        ),
        ['no name is refused', refuses(profile({}))],
        ['a second field is refused', refuses(profile({ name: 'development', replicas: 1 }))],
      ],
    },
    {
      says: 'log settings are an object with a logLevel that is a text',
      shown: [
        ['INFO', accepts(logs({ logLevel: 'INFO' }))],
        ['any other text', accepts(logs({ logLevel: 'CHATTY' }))],
        ['no level is refused', refuses(logs({}))],
        ['a number is refused', refuses(logs({ logLevel: 1 }))],
        ['null is refused', refuses(logs({ logLevel: null }))],
        ['a second field is refused', refuses(logs({ logLevel: 'INFO', days: 60 }))],
      ],
      notShown: 'which levels there are',
    },
    {
      says: 'an upgrade configuration is a podPlacementPolicy with nodeAffinity, which may be empty, and tolerations',
      shown: [
        ['both empty', takes({}, [])],
        ['both filled', takes({ [required]: terms(zone) }, [toleration])],
        ['no policy is refused', rejectsConfig({})],
        ['the policy without its wrapper is refused', rejectsConfig({ nodeAffinity: {}, tolerations: [] })],
        ['a policy that is an array is refused', rejectsConfig({ podPlacementPolicy: [] })],
        ['no nodeAffinity is refused', rejectsConfig({ podPlacementPolicy: { tolerations: [] } })],
        ['nodeAffinity null is refused', rejectsPolicy(null)],
        ['nodeAffinity as an array is refused', rejectsPolicy([])],
        ['no tolerations are refused', rejectsConfig({ podPlacementPolicy: { nodeAffinity: {} } })],
        ['tolerations null are refused', rejectsPolicy({}, null)],
        ['tolerations as an object are refused', rejectsPolicy({}, toleration)],
        [
          'a third field is refused',
          rejectsConfig({ podPlacementPolicy: { nodeAffinity: {}, tolerations: [], a: 1 } }),
        ],
        [
          'a field beside the policy is refused',
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
        ['a third key is refused', rejectsPolicy({ podAffinity: terms(zone) })],
        ['a third key beside them is refused', rejectsPolicy({ [required]: terms(zone), podAffinity: {} })],
        ['other capitals are refused', rejectsPolicy({ [required.toLowerCase()]: terms(zone) })],
        ['terms without a key are refused', rejectsPolicy(terms(zone))],
      ],
    },
    {
      says: 'each holds nodeSelectorTerms, whose matchExpressions have a key, an operator and values',
      shown: [
        [
          'a preference in the form of Kubernetes is refused, which the document does not show',
          rejectsPolicy({ [preferred]: [{ weight: 1, preference: { matchExpressions: [zone] } }] }),
        ],
        ...kinds.flatMap((kind): Case[] => [
          ...[null, [zone], 'zone', {}, { nodeSelectorTerms: {} }, { nodeSelectorTerms: ['zone'] }].map(
            (value): Case => [
              `${kind}: ${JSON.stringify(value)} is refused`,
              rejectsPolicy({ [kind]: value }),
            ],
          ),
          ...[null, {}, 'zone', ['zone'], [null]].map(
            (matchExpressions): Case => [
              `${kind}: matchExpressions ${JSON.stringify(matchExpressions)} are refused`,
              rejectsPolicy({ [kind]: { nodeSelectorTerms: [{ matchExpressions }] } }),
            ],
          ),
          [
            `${kind}: no matchExpressions are refused`,
            rejectsPolicy({ [kind]: { nodeSelectorTerms: [{}] } }),
          ],
          [
            `${kind}: several expressions are taken`,
            takes({ [kind]: terms(zone, { ...zone, key: 'disk' }) }),
          ],
          [
            `${kind}: several terms are taken`,
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
              `${kind}: an expression with ${Object.keys(changes)[0]} ${JSON.stringify(Object.values(changes)[0])} is refused`,
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
          [`${kind}: ${operator} is taken with values`, takes({ [kind]: terms({ ...zone, operator }) })],
          [
            `${kind}: ${operator} is refused with none to compare`,
            rejectsPolicy({ [kind]: terms({ ...zone, operator, values: [] }) }),
          ],
        ]),
        ...['Exists', 'DoesNotExist'].map(
          (operator): Case => [
            `${kind}: ${operator} is taken`,
            takes({ [kind]: terms({ ...zone, operator, values: [] }) }),
          ],
        ),
        ...['Gt', 'in', '', null].map(
          (operator): Case => [
            `${kind}: ${JSON.stringify(operator)} is refused`,
            rejectsPolicy({ [kind]: terms({ ...zone, operator }) }),
          ],
        ),
      ]),
      notShown: 'whether Exists and DoesNotExist may have values, or leave the field out; neither is refused',
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
            `${JSON.stringify(changes)} is refused`,
            rejectsPolicy({}, [{ ...toleration, ...changes }]),
          ],
        ),
        ...['dedicated', null, []].map(
          (entry): Case => [`the entry ${JSON.stringify(entry)} is refused`, rejectsPolicy({}, [entry])],
        ),
      ],
      notShown: 'which of the four may be left out; none is missed',
    },
  ],
}
