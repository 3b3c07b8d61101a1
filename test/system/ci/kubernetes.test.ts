import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { lockTimeout } from '../../../src/ci/ci-facts.js'
import { exitCodeRows } from '../../../src/report/exit-code.js'
import { apiServer, namespace } from '../../support/api-server.js'
import { anAuthority } from '../../support/certificate.js'
import { anEmulator } from '../../support/emulator.js'
import { expectRestricted, kubernetesShapes, misfits } from '../../support/kubernetes-shapes.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { runProgram, runsHere } from '../../support/program.js'
import { type PodSpec, runPod } from '../../support/real/pod.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { testWhere } from '../../support/test-where.js'

const folder = join(root, 'examples', 'kubernetes')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.yaml'),
)
const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8'))
const [planJob, applyJob] = ['plan', 'apply'].map(name => read(join(name, 'job.yaml')))
const pods: readonly PodSpec[] = [planJob, applyJob].map(job => job.spec.template.spec)

test.each(files)('%s has only fields of Kubernetes', name => {
  const document = read(name)
  expect(misfits(document, kubernetesShapes[document.kind])).toEqual([])
})

test('a misspelt field, or one of another type, is found', () => {
  const wrong = { ...applyJob, spec: { ...applyJob.spec, backOffLimit: 1, activeDeadlineSeconds: '4h' } }
  expect(misfits(wrong, kubernetesShapes['Job'])).toEqual([
    '/spec/activeDeadlineSeconds: no number',
    '/spec/backOffLimit: no such field',
  ])
})

test.each(pods)('a pod conforms to the standard "restricted", and chooses no user or group', pod => {
  expectRestricted(pod)
  expect(Object.keys(pod.securityContext)).toEqual(['runAsNonRoot', 'seccompProfile'])
})

test.each([
  ['landform', '', ['create', 'get', 'list']],
  ['landform-plan', 'plan-', ['get', 'list']],
])(
  'the account %s has only the permissions that it needs in the namespace of the state',
  (account, file, verbs) => {
    const [role, binding] = ['role', 'role-binding'].map(name => read(join('state', `${file}${name}.yaml`)))
    expect(role.rules).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs }])
    expect(binding.roleRef.name).toBe(role.metadata.name)
    const { namespace: place } = read(join('apply', 'kustomization.yaml'))
    expect(read(join('plan', 'kustomization.yaml')).namespace).toBe(place)
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: account, namespace: place }])
    expect(read(join('state', 'kustomization.yaml')).namespace).toBe(namespace)
    expect(pods.map(({ serviceAccountName }) => serviceAccountName)).toContain(account)
    expect(read(join('site', `${file}service-account.yaml`)).metadata.name).toBe(account)
  },
)

describe('after a pod has ended', () => {
  const rules: readonly {
    readonly action: string
    readonly onExitCodes?: {
      readonly containerName: string
      readonly operator: string
      readonly values: readonly number[]
    }
  }[] = applyJob.spec.podFailurePolicy.rules
  const outcome = (code: number) =>
    rules.find(({ onExitCodes: codes }) => codes !== undefined && !codes.values.includes(code))?.action ??
    'Count'

  test('it is retried after exit codes for which another try helps, and only then', () => {
    const [values = []] = rules.flatMap(({ onExitCodes: codes }) =>
      codes === undefined ? [] : [codes.values],
    )
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(rules.at(-1)?.onExitCodes).toMatchObject({
      containerName: pods[1]?.containers[0]?.name,
      operator: 'NotIn',
    })
    const again = Object.values(exitCodeRows).filter(row => ['yes', 'later'].includes(row.again))
    // 137: killed, for example for lack of memory.
    expect(values.filter(code => code !== 137)).toEqual(
      again.map(({ code }) => Number(code)).toSorted((a, b) => a - b),
    )
    expect([3, 7, 69, 75].map(outcome)).toEqual(['Count', 'Count', 'Count', 'Count'])
    expect([4, 5, 6, 65, 77, 78].map(outcome)).toEqual(Array(6).fill('FailJob'))
  })

  test('a try waits longer than the lease of a killed one, and the job longer than a try', () => {
    expect(pods[1]?.containers[0]?.args).toContain(`--lock-timeout=${lockTimeout}`)
    expect(applyJob.spec.activeDeadlineSeconds).toBeGreaterThan(
      (3 * 60 + Number.parseInt(lockTimeout, 10)) * 60,
    )
    expect(applyJob.spec.template.spec.restartPolicy).toBe('Never')
  })
})

const hasKubectl = await runsHere(['kubectl', 'kustomize', '--help'])

testWhere(hasKubectl, 'kubectl')(
  'kubectl renders the example as a hook of Argo CD, with the given image',
  async () => {
    const copy = await temporaryFolder()
    cpSync(folder, copy, { recursive: true })
    for (const name of ['site/site.yaml', 'apply/plan.json']) writeFileSync(join(copy, name), '{}')
    const text = execFileSync('kubectl', ['kustomize', join(copy, 'argo-cd')], { encoding: 'utf8' })
    const [made] = text
      .split(/^---\n/m)
      .map(each => parse(each))
      .filter(each => each.kind === 'Job')
    expect([made.kind, made.metadata]).toEqual([
      'Job',
      {
        name: 'landform-production',
        namespace: 'gis',
        annotations: {
          'argocd.argoproj.io/hook': 'PostSync',
          'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
        },
      },
    ])
    expect(made.spec.template.spec.containers[0].image).toMatch(/^registry\.example\.org\/landform:\d/)
  },
)

test('a pod plans, another applies exactly that plan, and a restarted one continues', async () => {
  let aheadMs = 0
  const emulator = await anEmulator({ stageMs: 600_000, now: () => Date.now() + aheadMs })
  const cluster = await apiServer()
  const { config } = read(join('site', 'cluster.yaml')).data
  const words = 'init - --name production --email admin@example.org --storage-class gp3 --yes'
  const place = ['--url', emulator.url, '--state', `kubernetes:production/${namespace}`]
  const made = await runProgram(process.execPath, [landformProgram, ...words.split(' '), ...place])
  const kept: Record<string, Readonly<Record<string, string>>> = {
    'landform-site': { 'site.yaml': made.stdout },
    'landform-production': { password: 'Rehearsal1', answer: 'gardener' },
    'landform-production-license': { 'site.json': '{}' },
    'landform-cluster': { config: config.replace('https://kubernetes.default.svc', cluster.url) },
    'kube-root-ca.crt': { 'ca.crt': anAuthority('the cluster').cert },
  }
  const sources = {
    network: {},
    read: async (_: string, name: string) => kept[name] ?? {},
    token: async () => cluster.token,
  }
  const run = async (pod: PodSpec | undefined, ...more: readonly string[]) => {
    const { origin } = new URL(emulator.url)
    const spec: PodSpec = JSON.parse(JSON.stringify(pod).replace('https://gis.example.org', origin))
    const containers = spec.containers.map(one => (one.args ? { ...one, args: [...one.args, ...more] } : one))
    return runPod({ ...spec, containers }, { sources, disk: await temporaryFolder() })
  }
  const [planning, applying] = pods
  const [shown, saved] = await run(planning)
  expect([shown?.code, saved?.code, shown?.log]).toEqual([0, 0, expect.stringContaining('1 to create')])
  kept['landform-plan'] = { 'plan.json': saved?.log ?? '' }
  const [first] = await run(applying, '--timeout', '300ms')
  expect([first?.code, first?.log]).toEqual([3, expect.stringContaining('configuration continues')])
  aheadMs = 86_400_000
  expect((await run(applying))[0]).toEqual({
    name: 'landform',
    code: 0,
    log: expect.stringContaining('the site was verified ready'),
  })
  expect(emulator.requests.filter(({ operation }) => operation === 'configure')).toHaveLength(1)
  expect([...cluster.secrets.keys()].filter(name => name.endsWith('-000001')).length).toBeGreaterThan(0)
})
