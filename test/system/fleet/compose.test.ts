import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Actor, startActor } from '../../proofs/fleet/actor.js'
import { until, untilAllEnded } from '../../proofs/fleet/rollout.js'
import { aStage, type Stage } from '../../proofs/fleet/stage.js'
import { freePort } from '../../support/http-double.js'
import { misfits, type Shape } from '../../support/kubernetes-shapes.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { parseOpenMetrics } from '../../support/open-metrics.js'
import { postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { runProgram } from '../../support/program.js'
import { argumentsIn } from '../../support/read-line.js'
import { someSecrets } from '../../support/some-secrets.js'
import { describeWhere } from '../../support/test-where.js'

/** The fields of the Compose specification that the example uses, in these forms. Compose rejects any other field. */
const service: Shape = {
  image: 'text',
  restart: 'text',
  read_only: 'boolean',
  cap_drop: ['text'],
  security_opt: ['text'],
  tmpfs: ['text'],
  secrets: ['text'],
  networks: ['text'],
  depends_on: { database: { condition: 'text' } },
  environment: 'map',
  env_file: [{ path: 'text', required: 'boolean' }],
  volumes: ['text'],
  ports: ['text'],
  profiles: ['text'],
  entrypoint: ['text'],
  command: ['text'],
  working_dir: 'text',
  deploy: { replicas: 'number' },
  stop_grace_period: 'text',
  healthcheck: { test: ['text'], interval: 'text', timeout: 'text', start_period: 'text', retries: 'number' },
}

const secret = { file: 'text' } as const

const composeShape: Shape = {
  name: 'text',
  services: {
    database: service,
    worker: service,
    page: service,
    landform: service,
    prometheus: service,
    grafana: service,
  },
  secrets: { 'database-password': secret, 'database-url': secret, 'page-token': secret },
  networks: { database: { internal: 'boolean' }, outside: {} },
  volumes: { database: {}, prometheus: {}, grafana: {} },
}

interface Service {
  readonly image: string
  readonly command: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly deploy?: { readonly replicas: number }
}

const folder = join(root, 'deploy/compose')
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8')
const compose = parse(text, { merge: true })
const services: Readonly<Record<string, Service>> = compose.services
const own = ['worker', 'page', 'landform'] as const
const serviceOf = (name: string): Service => {
  const found = services[name]
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

test('the file has only fields of Compose', () => {
  const withoutExtensions = Object.fromEntries(
    Object.entries(compose).filter(([name]) => !name.startsWith('x-')),
  )
  expect(misfits(withoutExtensions, composeShape)).toEqual([])
})

test('it mounts existing files and secrets, and no file here contains a secret', () => {
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map(volume => volume.split(':')[0] ?? ''),
  )
  for (const place of mounted.filter(one => one.startsWith('.') && one !== './sites'))
    expect([place, existsSync(join(folder, place))]).toEqual([place, true])
  for (const name of mounted.filter(one => !one.startsWith('.'))) expect(compose.volumes).toHaveProperty(name)
  for (const { secrets = [] } of Object.values(services))
    for (const name of secrets) expect(compose.secrets).toHaveProperty(name)
  for (const { file } of Object.values<{ readonly file: string }>(compose.secrets))
    expect(file).toMatch(/^secrets\//)
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^secrets\/$/m)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
  for (const file of files)
    expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toMatch(
      /postgres(?:ql)?:\/\/\S+:\S+@|\b(?:PASSWORD|TOKEN|SECRET):/,
    )
})

test.each(own)('%s drops its capabilities, has a read-only root, and runs a valid command', name => {
  const { command, image, ...service } = serviceOf(name)
  expect(image).toBe('landform-fleet')
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  })
  expect(() => argumentsIn(command)).not.toThrow()
})

test('published ports are reachable only from this machine', () => {
  const ports = Object.values(services).flatMap(service => service.ports ?? [])
  expect(ports).toHaveLength(2)
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

test('the alerts are the same with and without the Prometheus operator', () => {
  const read = (file: string) => parse(readFileSync(join(root, 'deploy', file), 'utf8'))
  expect(read('compose/monitoring/alerts.yaml').groups).toEqual(
    read('fleet/monitoring/alerts.yaml').spec.groups,
  )
})

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string }[]
}

const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(join(root, 'deploy/fleet/monitoring/dashboard.json'), 'utf8'),
)

test('the panels of the dashboard fill its width and do not overlap', () => {
  const places = new Map<string, string>()
  for (const { title, gridPos } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([title, places.get(`${x} ${y}`)]).toEqual([title, undefined])
        places.set(`${x} ${y}`, title)
      }
  expect(places.size % 24).toBe(0)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})

describeWhere(postgresIsHere, postgresPackages)('the commands of the services', () => {
  const token = 'a-token-of-this-test'
  const started: Actor[] = []
  let stage: Stage
  let secrets: string

  beforeAll(async () => {
    stage = await aStage({ sites: 3, stageMs: 20 })
    secrets = join(stage.logs, 'secrets')
    await mkdir(secrets)
    await writeFile(join(secrets, 'database-url'), `${stage.connection}\n`)
    await writeFile(join(secrets, 'page-token'), `${token}\n`)
  })
  afterAll(async () => {
    for (const actor of started) actor.signal('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await stage.close()
  })

  /** Starts the command of a service, with its container paths and addresses replaced by local ones. */
  function start(service: 'worker' | 'page', address: string, more: readonly string[] = []): Actor {
    const words = serviceOf(service).command.map(word =>
      word.replace(/^\/site$/, stage.folder).replace(/^0\.0\.0\.0:\d+$/, address),
    )
    const name = `${service}-${started.length}`
    const actor = startActor({
      name,
      folder: secrets,
      environment: someSecrets,
      words: [...words, ...more],
      logFile: join(stage.logs, `${name}.log`),
    })
    started.push(actor)
    return actor
  }

  test('apply every site, show it, and export every metric that a panel or an alert uses', async () => {
    const { replicas = 0 } = serviceOf('worker').deploy ?? {}
    expect(replicas).toBe(2)
    // Each container has its own host name, which its worker uses as its name.
    const freeAddress = async () => `127.0.0.1:${await freePort()}`
    const addresses = await Promise.all(Array.from({ length: replicas }, freeAddress))
    for (const [at, address] of addresses.entries()) start('worker', address, ['--name', `worker-${at}`])
    const pageAddress = await freeAddress()
    const page = start('page', pageAddress)

    const { entrypoint = [] } = serviceOf('landform')
    const [shell = '', option = '', line = '', zero = ''] = entrypoint
    const script = line.replaceAll('$$', '$').replace('/run/secrets', secrets)
    const program = `landform() { shift 0; '${process.execPath}' '${landformProgram}' "$@"; }`
    const tool = (words: readonly string[]) =>
      runProgram(shell, [option, `${program}; ${script.replace('exec ', '')}`, zero, ...words], {
        cwd: stage.folder,
      })
    const submitted = await tool(['fleet', 'submit', '.', '--yes'])
    expect([submitted.code, submitted.stderr]).toEqual([0, 'next: landform fleet status\n'])
    await untilAllEnded(stage, 60_000)
    const { code, stdout } = await tool(serviceOf('landform').command)
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 sites: 3 done.')])

    await until('the page listens', 30_000, async () => (await page.printed()).includes('http://'))
    const answer = await fetch(`http://${pageAddress}/api/fleet`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await answer.json()).toMatchObject({ summary: { done: 3 }, workers: [{}, {}] })
    expect((await fetch(`http://${pageAddress}/api/fleet`)).status).toBe(401)

    const texts = await Promise.all(
      addresses.map(async address => (await fetch(`http://${address}/metrics`)).text()),
    )
    const told = new Set(
      texts.flatMap(metrics =>
        [...parseOpenMetrics(metrics).values()].flatMap(({ samples }) => samples.map(({ name }) => name)),
      ),
    )
    const rules: readonly { readonly rules: readonly { readonly expr: string }[] }[] = parse(
      await readFile(join(folder, 'monitoring/alerts.yaml'), 'utf8'),
    ).groups
    const asked = [
      ...rules.flatMap(group => group.rules),
      ...dashboard.panels.flatMap(({ targets }) => targets),
    ]
    expect(asked.length).toBeGreaterThan(25)
    for (const { expr } of asked) {
      const names = expr.match(/\b(?:landform|process|nodejs)_\w+/g) ?? []
      expect([expr, names.length > 0, names.filter(name => !told.has(name))]).toEqual([expr, true, []])
    }
  })
})
