import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { exitCodeRows } from '../../../src/report/exit-code.js'
import { type ApiServer, apiServer, namespace } from '../../support/api-server.js'
import { anAuthority } from '../../support/certificate.js'
import { bareRepository, checkout, git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { kubernetesShapes, misfits } from '../../support/kubernetes-shapes.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { runProgram, runsHere } from '../../support/program.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

const open: (Emulator | ApiServer)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
  await removeTemporaryFolders()
})

interface Container {
  readonly name: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
  }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly securityContext: object
}

const folder = join(root, 'examples', 'kubernetes')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.yaml'),
)
const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8'))
const job = read(join('base', 'job.yaml'))
const pod = job.spec.template.spec
const [checkoutContainer]: readonly Container[] = pod.initContainers
const [container]: readonly Container[] = pod.containers
const containers = [...pod.initContainers, ...pod.containers]

test.each(files)('%s has only fields that Kubernetes knows', name => {
  const document = read(name)
  expect(misfits(document, kubernetesShapes[document.kind])).toEqual([])
})

test('a field that is misspelt or of another type is found', () => {
  const wrong = { ...job, spec: { ...job.spec, backOffLimit: 1, activeDeadlineSeconds: '4h' } }
  expect(misfits(wrong, kubernetesShapes['Job'])).toEqual([
    '/spec/activeDeadlineSeconds: no number',
    '/spec/backOffLimit: no such field',
  ])
})

test('the pod keeps to the standard "restricted", as the user of the image', () => {
  const [, user] = /^USER (\d+):\1$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: Number(user),
    seccompProfile: { type: 'RuntimeDefault' },
  })
  for (const { securityContext } of containers)
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  const volumes = pod.volumes.map(({ name }: { readonly name: string }) => name)
  for (const { volumeMounts } of containers)
    for (const { name } of volumeMounts) expect(volumes).toContain(name)
})

test('the account may create and read Secrets where the state is, and its token is in one container', () => {
  const [role, binding] = [read(join('state', 'role.yaml')), read(join('state', 'role-binding.yaml'))]
  expect(role.rules).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs: ['create', 'get', 'list'] }])
  const account = read(join('base', 'service-account.yaml')).metadata.name
  expect(pod.serviceAccountName).toBe(account)
  expect(binding.roleRef.name).toBe(role.metadata.name)
  const { namespace: place } = read(join('base', 'kustomization.yaml'))
  expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: account, namespace: place }])
  expect(read(join('state', 'kustomization.yaml')).namespace).toBe(namespace)
  expect(container?.args).toContain(`--state=kubernetes:production/${namespace}`)
  const holders = containers.filter(({ volumeMounts }) =>
    volumeMounts.some(
      ({ mountPath }: { readonly mountPath: string }) =>
        mountPath === '/var/run/secrets/kubernetes.io/serviceaccount',
    ),
  )
  expect(holders).toEqual([container])
})

describe('what becomes of a pod that ended', () => {
  const rules: readonly {
    readonly action: string
    readonly onExitCodes?: {
      readonly containerName: string
      readonly operator: string
      readonly values: readonly number[]
    }
  }[] = job.spec.podFailurePolicy.rules
  const outcome = (code: number) =>
    rules.find(({ onExitCodes: codes }) => codes !== undefined && !codes.values.includes(code))?.action ??
    'Count'

  test('it begins anew with the exit codes that another try helps, and with no other', () => {
    const [values = []] = rules.flatMap(({ onExitCodes: codes }) =>
      codes === undefined ? [] : [codes.values],
    )
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(rules.at(-1)?.onExitCodes).toMatchObject({ containerName: container?.name, operator: 'NotIn' })
    const again = Object.values(exitCodeRows).filter(row => ['yes', 'later'].includes(row.again))
    // Killed, such as for want of memory.
    expect(values.filter(code => code !== 137)).toEqual(
      again.map(({ code }) => Number(code)).toSorted((a, b) => a - b),
    )
    expect([3, 7, 69, 75].map(outcome)).toEqual(['Count', 'Count', 'Count', 'Count'])
    expect([4, 5, 6, 65, 77, 78].map(outcome)).toEqual(Array(6).fill('FailJob'))
  })

  test('the tries last longer than the lease of one that was killed, and the job longer than a wait', () => {
    const pauses = Array.from({ length: job.spec.backoffLimit }, (_, at) => Math.min(10 * 2 ** at, 360))
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(15 * 60)
    expect(job.spec.activeDeadlineSeconds).toBeGreaterThan(3 * 60 * 60)
    expect(pod.restartPolicy).toBe('Never')
  })
})

const hasKubectl = await runsHere(['kubectl', 'kustomize', '--help'])
if (!hasKubectl) process.stderr.write('SKIPPED: kustomizations need kubectl\n')
const kustomized = hasKubectl ? test : test.skip

kustomized('kubectl makes of the example a hook of Argo CD with the image that was named', () => {
  const text = execFileSync('kubectl', ['kustomize', join(folder, 'argo-cd')], { encoding: 'utf8' })
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
})

/** Lays down the files with which a pod finds its cluster: the example's kubeconfig, a token and an authority. */
async function kubeconfigOfPod({ url, token }: ApiServer): Promise<string> {
  const at = await temporaryFolder()
  const { config } = read(join('base', 'cluster.yaml')).data
  writeFileSync(join(at, 'config'), config.replace('https://kubernetes.default.svc', url))
  writeFileSync(join(at, 'token'), token)
  writeFileSync(join(at, 'ca.crt'), anAuthority('the cluster').cert)
  return join(at, 'config')
}

if (!hasGit) process.stderr.write('SKIPPED: the containers of the job need git\n')
const story = hasGit ? test : test.skip

story(
  'the containers do what they say, and a pod that begins anew goes on',
  async () => {
    let aheadMs = 0
    const emulator = await startEmulator({ stageMs: 600_000, now: () => Date.now() + aheadMs })
    const cluster = await apiServer()
    open.push(emulator, cluster)
    const KUBECONFIG = await kubeconfigOfPod(cluster)
    const bare = await bareRepository()
    const repository = await checkout(bare)
    const manifest = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
    writeFileSync(
      join(repository, 'site.yaml'),
      manifest
        .replace(/https:.*admin/, emulator.url)
        .replace('{ env: LANDFORM_SECURITY_ANSWER }', '{ file: secrets/answer }'),
    )
    git(repository, 'add', '.')
    git(repository, 'commit', '--quiet', '--message=site')
    git(repository, 'push', '--quiet', 'origin', 'HEAD:main')
    const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'landform-production': { password: 'Rehearsal1', answer: 'gardener' },
      'landform-production-license': { 'site.json': '{}' },
    }

    /** One pod: an empty disk, files as the kubelet lays them down, and what the containers run. */
    const runPod = async (...more: readonly string[]) => {
      const disk = await temporaryFolder()
      const inside = (text: string) => text.replaceAll('/checkout', join(disk, 'checkout'))
      const run = (one: Container | undefined, cwd: string) => {
        const { command = ['landform'], args = [], env = [] } = one ?? {}
        const told = env.map(({ name, value, valueFrom }) => {
          const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {}
          return [name, value ?? secrets[secret]?.[key] ?? '']
        })
        const variables = { ...gitEnvironment, ...Object.fromEntries(told), LANDFORM_TOKEN: 'x', KUBECONFIG }
        const filled = [...command, ...args].map(word =>
          inside(word)
            .replace('$(REPOSITORY)', `file://${bare}`)
            .replace('https://gis.example.org', new URL(emulator.url).origin),
        )
        const [program = '', ...words] =
          filled[0] === 'landform' ? [...landform, ...filled.slice(1), ...more] : filled
        return runProgram(program, words, {
          cwd,
          env: variables,
        })
      }
      mkdirSync(join(disk, 'checkout'))
      expect(await run(checkoutContainer, disk)).toMatchObject({ code: 0 })
      for (const { name, mountPath } of container?.volumeMounts ?? []) {
        const secret = pod.volumes.find((one: { readonly name: string }) => one.name === name).secret
          ?.secretName
        const given = secrets[secret]
        if (given === undefined) continue
        const place = inside(mountPath)
        mkdirSync(join(place, '..1'), { recursive: true })
        symlinkSync('..1', join(place, '..data'))
        for (const [file, text] of Object.entries(given)) {
          writeFileSync(join(place, '..1', file), text, { mode: 0o440 })
          symlinkSync(join('..data', file), join(place, file))
        }
      }
      return run(container, inside(pod.containers[0].workingDir))
    }
    const landform = [process.execPath, landformProgram]

    expect(await runPod('--timeout', '300ms')).toMatchObject({ code: 3 })
    aheadMs = 86_400_000
    const again = await runPod()
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('ready')])
    expect(emulator.requests.filter(({ operation }) => operation === 'configure')).toHaveLength(1)
    // The state is in the cluster, and nothing was pushed.
    expect([...cluster.secrets.keys()].filter(name => name.endsWith('-000001')).length).toBeGreaterThan(0)
    expect(git(bare, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  },
  120_000,
)
