import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { type Cluster, missingForCluster, startCluster } from '../../support/real/cluster.js'
import { type EndedContainer, podsAreApart } from '../../support/real/pod.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { testWhere } from '../../support/test-where.js'

/*
 * Applies the manifests of `examples/kubernetes` with kubectl to a real API server. The containers of their Jobs run as
 * processes of this machine, with the tokens and permissions of their accounts, as users that a policy like OpenShift's
 * chooses.
 */
const story = testWhere(missingForCluster === undefined, `${missingForCluster}`)
const password = 'Sunflower-42'

/** Starts a cluster with a namespace for the site and one for the state, and creates a repository with the examples. */
async function aTeam(stageMs?: number) {
  const home = await temporaryFolder()
  chmodSync(home, 0o711)
  const cluster = await startCluster(join(home, 'cluster'), stageMs === undefined ? {} : { stageMs })
  const repository = join(home, 'repository')
  const place = join(repository, 'kubernetes')
  mkdirSync(repository)
  cpSync(join(root, 'examples', 'kubernetes'), place, { recursive: true })
  const kubectl = (words: string, input = '') =>
    execFileSync('kubectl', words.split(' '), {
      cwd: repository,
      input,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, KUBECONFIG: cluster.kubeconfig },
    })
  const landform = (words: string) =>
    execFileSync(process.execPath, [landformProgram, ...words.split(' ')], {
      cwd: repository,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, KUBECONFIG: cluster.kubeconfig },
    })
  landform(
    'init kubernetes/site/site.yaml --name production --url https://gis.example.org/arcgis/admin --email admin@example.org --storage-class gp3 --state kubernetes:production/gis-state --yes --quiet',
  )
  const secret = (name: string, ...data: readonly string[]) =>
    kubectl(
      `create secret generic ${name} --namespace gis ${data.map(one => `--from-literal=${one}`).join(' ')}`,
    )
  secret('landform-production', `password=${password}`, 'answer=gardener')
  secret('landform-production-license', 'site.json={}')
  kubectl('apply --kustomize kubernetes/state')
  /** Creates the Job of a folder again, and runs it. */
  const run = async (folder: 'plan' | 'apply', started?: (kill: () => void) => void) => {
    const name = folder === 'plan' ? 'landform-production-plan' : 'landform-production'
    kubectl(`delete job ${name} --namespace gis --ignore-not-found`)
    // The server drops fields that its version does not have yet.
    kubectl(`apply --validate=false --kustomize kubernetes/${folder}`)
    return cluster.run(name, started)
  }
  const review = async () => {
    const [pod = []] = await run('plan')
    if (pod.length !== 2) throw new Error(pod[0]?.log)
    writeFileSync(join(place, 'apply', 'plan.json'), pod[1]?.log ?? '')
    return pod
  }
  return { cluster, place, kubectl, landform, run, review }
}

const codesOf = (pods: readonly (readonly EndedContainer[])[]) => pods.map(pod => pod.map(({ code }) => code))
/** Returns the last log, as one line. */
const logOf = (pods: readonly (readonly EndedContainer[])[]) =>
  pods.at(-1)?.at(-1)?.log.replaceAll(/\s+/g, ' ') ?? ''
const sent = ({ emulator }: Cluster) => {
  const { configure, update } = emulator.world().counters
  return [configure.received, update.received]
}

story('a Job plans, another applies exactly that plan, and a second apply sends nothing', async () => {
  const { cluster, landform, run, review } = await aTeam()
  const [shown, saved] = await review()
  expect([shown?.name, shown?.code, saved?.name, saved?.code]).toEqual(['plan', 0, 'saved', 0])
  expect(shown?.log).toContain('Plan: 1 to create')
  expect(landform('show kubernetes/apply/plan.json')).toContain('Plan: 1 to create')
  expect(sent(cluster)).toEqual([0, 0])
  const first = await run('apply')
  expect([codesOf(first), logOf(first)]).toEqual([
    [[0]],
    expect.stringContaining('the site was verified ready'),
  ])
  const again = await run('apply')
  expect([codesOf(again), sent(cluster)]).toEqual([[[0]], [1, 0]])
  // A user's kubectl context leads to the same state.
  expect(landform('state show kubernetes/site/site.yaml')).toContain('kubernetes:production/gis-state')
  const [next] = await run('plan')
  expect(next?.[0]?.log).toContain('No changes since the last apply')
})

story(
  'each permission of the Roles is required and named if it is missing, and a changed manifest is not applied',
  async () => {
    const { cluster, kubectl, run, review, place } = await aTeam()
    const rights = (role: string, ...verbs: readonly string[]) =>
      kubectl(
        `patch role ${role} --namespace gis-state --type=json --patch [{"op":"replace","path":"/rules/0/verbs","value":${JSON.stringify(verbs)}}]`,
      )
    const denied = (verb: string) =>
      expect.stringMatching(
        `access denied: the account needs create, get and list on secrets in this .* \\(${verb} secrets: Forbidden\\)`,
      )
    const planWithout = async (...verbs: readonly string[]) => {
      rights('landform-plan', ...verbs)
      const pods = await run('plan')
      return [pods.at(-1)?.[0]?.code, logOf(pods)]
    }
    expect(await planWithout('get')).toEqual([74, denied('list')])
    rights('landform-plan', 'get', 'list')
    await review()
    rights('landform-state', 'get', 'list')
    const pods = await run('apply')
    expect([codesOf(pods), logOf(pods)]).toEqual([[[74]], denied('create')])
    rights('landform-state', 'create', 'get', 'list')
    const manifest = join(place, 'site', 'site.yaml')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, `${text}# later\n`)
    const stale = await run('apply')
    expect([codesOf(stale), logOf(stale)]).toEqual([
      [[6]],
      expect.stringContaining('the manifest changed since'),
    ])
    writeFileSync(manifest, text)
    expect(sent(cluster)).toEqual([0, 0])
    expect(codesOf(await run('apply'))).toEqual([[0]])
    expect(await planWithout('list')).toEqual([74, denied('get')])
    // OpenShift's policy rejects a user that the pod sets itself.
    const job = join(place, 'apply', 'job.yaml')
    const chosen = readFileSync(job, 'utf8').replace(
      'runAsNonRoot: true',
      'runAsNonRoot: true\n        runAsUser: 65532',
    )
    writeFileSync(job, chosen)
    await expect(run('apply')).rejects.toThrow('must be in the ranges')
  },
)

const isSent = async ({ emulator }: Cluster) => {
  while (emulator.world().counters.configure.received === 0) await setTimeout(20)
}

story('a killed pod is retried, waits for its own lock, and sends no second request', async () => {
  const { cluster, landform, run, review, place } = await aTeam(200)
  await review()
  // The lock is held for a quarter of an hour, longer than this test waits.
  const job = join(place, 'apply', 'job.yaml')
  writeFileSync(job, readFileSync(job, 'utf8').replace('--lock-timeout=20m', '--lock-timeout=1s'))
  const kills: (() => void)[] = []
  const running = run('apply', kill => kills.push(kill))
  await isSent(cluster)
  kills[0]?.()
  const ended = await running
  // Without namespaces, pods see each other's processes, so the lock of the dead process is taken over.
  expect(codesOf(ended)).toEqual([[137], ...(podsAreApart ? Array(6).fill([7]) : [[0]])])
  const [, unlock] = /`landform (state unlock site\.yaml [^`]*)`/.exec(logOf(ended)) ?? []
  if (podsAreApart) landform(`${unlock}`.replace('site.yaml', 'kubernetes/site/site.yaml'))
  expect([codesOf(await run('apply')), sent(cluster)]).toEqual([[[0]], [1, 0]])
})

story('a second Job waits for the first, and finds no changes', async () => {
  const { cluster, run, review } = await aTeam(200)
  await review()
  const first = run('apply')
  await isSent(cluster)
  const second = cluster.run('landform-production')
  expect([codesOf(await first), codesOf(await second), sent(cluster)]).toEqual([[[0]], [[0]], [1, 0]])
})
