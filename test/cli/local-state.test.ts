import { expect, test } from '@jest/globals'
import { exitCodes } from '../../src/cli/exit-code.js'
import { localStateFailure } from '../../src/cli/local-state.js'
import { statePorts } from '../../src/cli/state-ports.js'
import { fileBackend } from '../../src/state/file-backend.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { stateStore } from '../../src/state/state-store.js'
import { aPlan, inProgress } from '../support/a-plan.js'
import { gitBackendIn } from '../support/git-repositories.js'
import { virtualClock } from '../support/virtual-clock.js'

const creating = aPlan()
const places = { file: fileBackend('.landform'), git: gitBackendIn('.'), memory: memoryBackend() }
const failureOf = (plan: typeof creating, kind: keyof typeof places, environment: Record<string, string>) =>
  localStateFailure(
    plan,
    { state: stateStore(places[kind], plan.url, statePorts({ clock: virtualClock() })) },
    { environment },
  )

test('a CI system creates no site with state on its own disk: 78, with both ways out', () => {
  const failure = failureOf(creating, 'file', { CI: 'true' })
  expect(failure).toMatchObject({ exitCode: exitCodes.refused })
  expect(failure?.message).toContain('.landform')
  expect(failure?.next).toMatch(/--state git:origin.*--accept-local-state/)
})

test.each<[string, typeof creating, keyof typeof places, Record<string, string>]>([
  ['a person at a machine that lasts', creating, 'file', {}],
  ['a CI system with state in git', creating, 'git', { CI: 'true' }],
  ['a rehearsal', creating, 'memory', { CI: 'true' }],
  ['a CI system that creates nothing', aPlan({ observed: inProgress }), 'file', { CI: 'true' }],
  ['an emulator beside it', aPlan({ url: 'http://127.0.0.1:8080/admin' }), 'file', { CI: 'true' }],
])('%s may', (_who, plan, kind, environment) => {
  expect(failureOf(plan, kind, environment)).toBeUndefined()
})
