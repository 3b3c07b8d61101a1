import { redactObservation } from '../../src/client/redact/redacted.js'
import { redactorFor } from '../../src/client/redact/redactor.js'
import type { Observation } from '../../src/plan/observation.js'
import { Secret } from '../../src/secrets/secret.js'

const secret = 'completed-11.2'

test('a secret is redacted wherever a site may put it, and what is documented stays', () => {
  const redact = redactorFor(['completed', '11.2', secret].map(text => new Secret(Buffer.from(text))))
  const stages = [
    { name: secret, state: secret },
    { name: 'Queue store', state: 'completed', startTime: 1 },
  ]
  const value = {
    kind: 'unrecognized',
    state: secret,
    version: '11.2',
    warnings: [secret],
    stages,
  } as Observation
  expect(redactObservation({ ok: true, value }, redact)).toEqual({
    ok: true,
    value: {
      kind: 'unrecognized',
      state: '***',
      version: '11.2',
      warnings: ['***'],
      stages: [
        { name: '***', state: '***' },
        { name: 'Queue store', state: 'completed', startTime: 1 },
      ],
    },
  })
  const other: Observation = {
    kind: 'ready',
    version: `v ${secret}`,
    message: secret,
    warnings: [],
    stages: [],
  }
  expect(redactObservation({ ok: true, value: other }, redact)).toEqual({
    ok: true,
    value: { kind: 'ready', version: 'v ***', message: '***', warnings: [], stages: [] },
  })
})
