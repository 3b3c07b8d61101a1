import { accepts, answers, format, isAbsent, parameter, refuses } from './cases.js'
import { configure, ready, update, upgradeConfig } from './requests.js'
import type { Section } from './sentence.js'

const noPods = 'the emulator runs no pods and has no nodes'
const affinity = (kind: string) => ({
  [kind]: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
})
const exists = { key: 'upgrades', operator: 'Exists' }
const equal = { key: 'upgrades', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }
const withTolerations = (...tolerations: readonly unknown[]) =>
  update({ upgradeConfig: upgradeConfig({}, tolerations) })

export const updating: Section = {
  section: '4.4',
  title: 'update',
  sentences: [
    {
      says: 'POST {base_url}/system/upgrades/config/update, from 11.2',
      shown: [
        ['at 11.1 it is absent', isAbsent(update(), { ...ready, version: '11.1' })],
        ['at 11.2 it exists', answers(update(), { status: 'success' }, { ...ready, version: '11.2' })],
        [
          'the path above it does not exist',
          isAbsent({ ...update(), path: '/system/upgrades/config' }, ready),
        ],
      ],
    },
    {
      says: 'upgradeConfig is JSON, the policy; its nodeAffinity may be empty',
      shown: [
        ...parameter({
          name: 'upgradeConfig',
          good: upgradeConfig(),
          required: true,
          json: 'object',
          request: update,
          given: ready,
        }),
        ['a filled one is accepted', accepts(update({ upgradeConfig: upgradeConfig({}, [equal]) }), ready)],
        ['before a configuration it is rejected', refuses(update())],
        ['during it, it is rejected', refuses(update(), { before: [configure()], passedMs: 1 })],
      ],
      notShown: 'what a site that is not ready answers; here it refuses',
    },
    {
      says: 'f is the format of the response',
      shown: [
        ...format(update, ready),
        ['an unknown parameter is rejected', refuses(update({ colour: 'red' }), ready)],
        ['a parameter of another operation is unknown', refuses(update({ validate: 'true' }), ready)],
      ],
    },
    {
      says: 'token is an access token in the body',
      shown: parameter({ name: 'token', good: 'a-token', required: false, request: update, given: ready }),
    },
    {
      says: 'the policy applies to every upgrade job',
      notShown: 'no operation in the document makes an upgrade job',
    },
    { says: 'node affinity attracts pods to nodes with matching labels', notShown: noPods },
    {
      says: 'required entries must match, preferred ones are preferences',
      shown: [
        [
          'both are accepted',
          accepts(
            update({
              upgradeConfig: upgradeConfig({
                ...affinity('requiredDuringSchedulingIgnoredDuringExecution'),
                ...affinity('preferredDuringSchedulingIgnoredDuringExecution'),
              }),
            }),
            ready,
          ),
        ],
      ],
      notShown: noPods,
    },
    { says: 'it does not keep other pods away, and moves none', notShown: noPods },
    { says: 'a toleration allows pods on tainted nodes', notShown: noPods },
    {
      says: 'it matches a taint with the same key, value and effect, or only the key with Exists',
      shown: [
        ['key, value and effect', accepts(withTolerations(equal), ready)],
        ['only the key, with Exists', accepts(withTolerations(exists), ready)],
        ['Exists with a value is rejected', refuses(withTolerations({ ...exists, value: 'yes' }), ready)],
      ],
      notShown: noPods,
    },
    {
      says: 'the response is success',
      shown: [
        ['the first time', answers(update(), { status: 'success' }, ready)],
        [
          'with the same policy again',
          answers(update(), { status: 'success' }, { ...ready, before: [configure()] }),
        ],
      ],
    },
  ],
}
