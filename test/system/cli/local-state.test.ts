import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkLocalState } from '../../../src/cli/site/consent.js'
import { statePorts } from '../../../src/library/system-ports.js'
import { exitCodes } from '../../../src/report/exit-code.js'
import { fileBackend } from '../../../src/state/file-backend.js'
import { memoryBackend } from '../../../src/state/memory-backend.js'
import { stateStore } from '../../../src/state/state-store.js'
import { aPlan, inProgress } from '../../support/a-plan.js'
import { anAuthority } from '../../support/certificate.js'
import { anEmulator } from '../../support/emulator.js'
import { gitBackendIn } from '../../support/git-repositories.js'
import { httpDouble } from '../../support/http-double.js'
import { landformProgram } from '../../support/landform-program.js'
import { runProgram } from '../../support/program.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { virtualClock } from '../../support/virtual-clock.js'

const creating = aPlan()
const places = { file: fileBackend('.landform'), git: gitBackendIn('.'), memory: memoryBackend() }
const failureOf = (plan: typeof creating, kind: keyof typeof places, environment: Record<string, string>) =>
  checkLocalState(
    plan,
    { state: stateStore(places[kind], { url: plan.url }, statePorts(virtualClock())) },
    { environment },
  )

test('a CI system creates no site with state on its own disk: 78, with both remedies', () => {
  const failure = failureOf(creating, 'file', { CI: 'true' })
  expect(failure).toMatchObject({ exitCode: exitCodes.refused })
  expect(failure?.message).toContain('.landform')
  expect(failure?.next?.join('\n')).toMatch(/state: git:origin.*\n.*--accept-local-state/)
})

test.each<[string, typeof creating, keyof typeof places, Record<string, string>]>([
  ['a person at a permanent machine', creating, 'file', {}],
  ['a CI system with state in git', creating, 'git', { CI: 'true' }],
  ['a rehearsal', creating, 'memory', { CI: 'true' }],
  ['a CI system that creates nothing', aPlan({ observed: inProgress }), 'file', { CI: 'true' }],
  ['an emulator on the same machine', aPlan({ url: 'http://127.0.0.1:8080/admin' }), 'file', { CI: 'true' }],
])('%s is allowed', (_who, plan, kind, environment) => {
  expect(failureOf(plan, kind, environment)).toBeUndefined()
})

test('apply is rejected in CI, and allowed with --accept-local-state', async () => {
  const emulator = await anEmulator({ stageMs: 0 })
  const certificate = anAuthority('localhost')
  // A site with TLS is not recognized as an emulator.
  const front = await httpDouble([{ reply: { forward: emulator.url } }], certificate)
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'ca.pem'), certificate.cert)
  const apply = (...args: readonly string[]) =>
    runProgram(
      process.execPath,
      [
        landformProgram,
        'apply',
        'examples/quickstart.yaml',
        '--url',
        `https://localhost:${front.port}${new URL(emulator.url).pathname}`,
        '--state',
        `file:${join(folder, 'state')}`,
        '--yes',
        ...args,
      ],
      { env: { ...process.env, ...someSecrets, CI: 'true', NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } },
    )
  const { code, stderr } = await apply()
  expect([code, emulator.world().counters.configure.received]).toEqual([exitCodes.refused, 0])
  expect(stderr).toContain('--accept-local-state')
  expect((await apply('--accept-local-state', '--poll-interval', '200ms')).code).toBe(exitCodes.done)
  expect(emulator.world().counters.configure.received).toBe(1)
})
