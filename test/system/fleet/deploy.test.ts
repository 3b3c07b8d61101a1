import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { runStates } from '../../../src/plan/run-state.js'
import { expectRestricted, kubernetesShapes, misfits } from '../../support/kubernetes-shapes.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'
import { argumentsIn } from '../../support/read-line.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { testWhere } from '../../support/test-where.js'

interface Container {
  readonly image: string
  readonly args: readonly string[]
  readonly securityContext: object
  readonly volumeMounts?: readonly { readonly name: string }[]
}

interface Pod {
  readonly securityContext: object
  readonly initContainers?: readonly Container[]
  readonly containers: readonly [Container]
  readonly volumes?: readonly { readonly name: string }[]
}

const folder = join(root, 'deploy/fleet')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.yaml'),
)
const documentsOf = (text: string) => parseAllDocuments(text).map(document => document.toJS())
const documents = files.flatMap(name =>
  documentsOf(readFileSync(join(folder, name), 'utf8')).map(content => ({ name, content })),
)
const byKind = (kind: string) =>
  documents.filter(({ content }) => content.kind === kind).map(({ content }) => content)
const named = (kind: string, name: string) =>
  byKind(kind).find(({ metadata }) => metadata.name === `landform-${name}`)
const worker = named('StatefulSet', 'worker')
const database = named('StatefulSet', 'database')
const page = named('Deployment', 'page')
const cleanUp = named('CronJob', 'clean-up')
const pods: readonly (readonly [string, Pod])[] = [
  ['the worker', worker.spec.template.spec],
  ['the page', page.spec.template.spec],
  ['the clean-up', cleanUp.spec.jobTemplate.spec.template.spec],
]

test.each(documents)('$name ($content.kind) has only fields of Kubernetes', ({ content }) => {
  expect(misfits(content, kubernetesShapes[content.kind])).toEqual([])
})

describe.each(pods)('%s', (_name, pod) => {
  test('conforms to the standard "restricted", and runs as the user of the image without token and services of the cluster', () => {
    expectRestricted(pod)
    const [, user] = /^USER (\d+):\1$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
    expect(pod).toMatchObject({
      securityContext: { runAsUser: Number(user) },
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      serviceAccountName: byKind('ServiceAccount')[0].metadata.name,
    })
  })

  test('mounts its own volumes, and runs a valid command', async () => {
    const names = (pod.volumes ?? []).map(({ name }) => name)
    const containers = [...(pod.initContainers ?? []), ...pod.containers]
    for (const { volumeMounts = [], image } of containers) {
      expect(image).toBe('landform-fleet')
      for (const { name } of volumeMounts) expect(names).toContain(name)
    }
    expect(() => argumentsIn(pod.containers[0].args)).not.toThrow()
  })
})

test('the trial database conforms to the standard "restricted", too, and mounts every folder that its image writes', () => {
  const { spec } = database.spec.template
  expectRestricted(spec)
  const [{ env, volumeMounts }] = spec.containers
  const claims = database.spec.volumeClaimTemplates.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  )
  const there = [...spec.volumes.map(({ name }: { name: string }) => name), ...claims]
  const mounts = volumeMounts.map(({ name, mountPath }: { name: string; mountPath: string }) => {
    expect(there).toContain(name)
    return mountPath
  })
  expect(mounts).toEqual(['/var/lib/postgresql/data', '/var/run/postgresql', '/tmp'])
  const { value } = env.find(({ name }: { name: string }) => name === 'PGDATA')
  expect(value.startsWith('/var/lib/postgresql/data/')).toBe(true)
  const [secret] = [...JSON.stringify(spec).matchAll(/"secretKeyRef":\{"name":"([^"]+)","key":"([^"]+)"\}/g)]
  expect(secret?.slice(1)).toEqual(['landform-database', 'password'])
})

const isWithin = (some: object, all: object) => isDeepStrictEqual({ ...all, ...some }, all)

describe('the components find each other', () => {
  const labelled = [worker, page, database].map(({ spec }) => [
    spec.selector.matchLabels,
    spec.template.metadata.labels,
  ])

  test('by labels', () => {
    for (const [selector, labels] of labelled) expect(labels).toEqual(selector)
    const services = byKind('Service').map(({ spec }) => spec.selector)
    expect(services).toEqual(
      expect.arrayContaining([worker.spec.selector.matchLabels, page.spec.selector.matchLabels]),
    )
    expect(worker.spec.serviceName).toBe('landform-worker')
    for (const { spec } of [...byKind('PodDisruptionBudget'), ...byKind('PodMonitor')])
      expect(spec.selector.matchLabels).toEqual(worker.spec.selector.matchLabels)
    for (const { spec } of byKind('NetworkPolicy'))
      expect(labelled.some(([, labels]) => isWithin(spec.podSelector.matchLabels, labels))).toBe(true)
  })

  test('by ports, which match the command lines', () => {
    const portOf = ({ containers: [{ args }] }: Pod, option: string) =>
      Number(args[args.indexOf(option) + 1]?.split(':').at(-1))
    const [{ containerPort: port }] = database.spec.template.spec.containers[0].ports
    const [opened] = byKind('NetworkPolicy').filter(
      ({ metadata }) => metadata.name === database.metadata.name,
    )
    expect(opened.spec.ingress.flatMap(({ ports }: { ports: readonly { port: number }[] }) => ports)).toEqual(
      [{ protocol: 'TCP', port }],
    )
    const [{ podSelector }] = opened.spec.ingress[0].from
    for (const [, labels] of labelled.slice(0, 2))
      expect(isWithin(podSelector.matchLabels, labels)).toBe(true)
    for (const { spec } of [worker, page]) {
      const [{ containerPort, name }] = spec.template.spec.containers[0].ports
      expect(portOf(spec.template.spec, '--listen')).toBe(containerPort)
      const service = byKind('Service').find(
        one =>
          one.spec.selector['app.kubernetes.io/component'] ===
          spec.template.metadata.labels['app.kubernetes.io/component'],
      )
      expect(service.spec.ports[0].targetPort).toBe(name)
      const opened = byKind('NetworkPolicy')
        .filter(one => isWithin(one.spec.podSelector.matchLabels, spec.template.metadata.labels))
        .flatMap(one => one.spec.ingress ?? [])
        .flatMap(({ ports }) => ports.map(({ port }: { readonly port: number }) => port))
      expect(opened).toEqual([containerPort])
    }
  })
})

describe('alerts', () => {
  const rules: readonly {
    readonly alert: string
    readonly expr: string
    readonly annotations: Readonly<Record<string, string>>
  }[] = byKind('PrometheusRule').flatMap(({ spec }) =>
    spec.groups.flatMap(({ rules: some }: { readonly rules: readonly object[] }) => some),
  )

  test('ask for existing states', () => {
    const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/state=~?"([^"]+)"/g)])
    expect(asked.length).toBeGreaterThan(0)
    for (const [, states = ''] of asked) expect(runStates).toEqual(expect.arrayContaining(states.split('|')))
  })

  test.each(rules)('$alert links to its runbook', ({ annotations }) => {
    const [file = '', anchor = ''] = annotations['runbook']?.split('#') ?? []
    const headings = readFileSync(join(root, file), 'utf8').match(/^#+ .*$/gm) ?? []
    const anchors = headings.map(line =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    expect(anchors).toContain(anchor)
  })
})

const hasKubectl = await runsHere(['kubectl', 'kustomize', '--help'])
const kustomized = testWhere(hasKubectl, 'kubectl')

const kustomize = (place: string) =>
  documentsOf(execFileSync('kubectl', ['kustomize', place], { encoding: 'utf8' }))

kustomized('kubectl renders the folder for one namespace, with the given image', () => {
  const made = kustomize(folder)
  expect(made.map(({ metadata }) => metadata.namespace)).toEqual(made.map(() => 'landform'))
  const [set] = made.filter(({ kind }) => kind === 'StatefulSet')
  const images = ['initContainers', 'containers'].flatMap(name =>
    set.spec.template.spec[name].map(({ image }: { readonly image: string }) => image),
  )
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(images).toEqual(Array(2).fill(`registry.example.org/landform-fleet:${version}`))
})

kustomized('the kustomization of the guide makes the changes that it describes', async () => {
  const [text = ''] =
    /^apiVersion: kustomize[\s\S]*?(?=^```)/m.exec(readFileSync(join(root, 'docs/fleet.md'), 'utf8')) ?? []
  const place = await temporaryFolder()
  cpSync(folder, join(place, 'fleet'), { recursive: true })
  const local = text.replaceAll(/https:\S+\/deploy\/(\S+)\?ref=\S+/g, '$1')
  writeFileSync(join(place, 'kustomization.yaml'), local)
  const made = kustomize(place)
  const [set] = made.filter(({ kind }) => kind === 'StatefulSet')
  const [shown] = made.filter(({ kind }) => kind === 'Deployment')
  expect(set.spec.replicas).toBe(3)
  expect(set.spec.template.spec.initContainers[0].env[0]).toEqual({
    name: 'REPOSITORY',
    value: 'git@git.example.com:platform/sites.git',
  })
  const { args } = shown.spec.template.spec.containers[0]
  expect(args.slice(args.indexOf('--host')).slice(0, 2)).toEqual(['--host', 'fleet.example.com'])
  expect(made.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['PodMonitor', 'PrometheusRule']))
})
