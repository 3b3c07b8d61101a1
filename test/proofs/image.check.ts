import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { nodeOf } from '../support/other-nodes.js'
import { postgres, postgresIsHere, postgresPackages } from '../support/postgres.js'
import { type CheckRun, declareCheck } from './check.js'
import { debianFiles, nodeFiles, npmWithCache } from './image/base-files.js'
import { contained, type UseImage } from './image/container.js'
import { type BuiltImage, type Images, imagesIn } from './image/images.js'
import { runWords } from './image/run-words.js'

const counters = ['claims', 'controls found']

/**
 * Builds the images of the Dockerfile and uses them as a cluster would: as a user without rights, with a root filesystem that
 * nobody can write. buildah builds them on stand-ins for the base images, from Debian's debootstrap, the npm package of Node
 * and the npm that is here, so no registry of images is asked. It skips where these programs are not installed.
 */
export const check = declareCheck({
  name: 'image',
  shows: 'The images work for an unprivileged user on a read-only filesystem, and so does a fleet worker.',
  counts: { claims: [8, 8], 'controls found': [2, 2] },
  planted: 'controls found',
  short: 'release',
  gate: 'change',
  figures: {},
  async run(run) {
    const missing = ['buildah', 'debootstrap', 'unshare'].filter(
      name => runWords('sh', ['-c', `command -v ${name}`]).status !== 0,
    )
    if (process.getuid?.() !== 0) return run.skip('images are built by root: NOT VERIFIED', ...counters)
    if (missing.length > 0) return run.skip(`${missing.join(', ')} not here: NOT VERIFIED`, ...counters)
    const folder = run.scratchFolder()
    const base = debianFiles()
    const node = nodeOf('24')
    if (base === undefined || node === undefined)
      return run.skip('Debian or Node could not be brought: NOT VERIFIED', ...counters)
    const npm = npmWithCache(folder)
    if (npm === undefined)
      return run.skip('npm could not bring what the package for fleets needs: NOT VERIFIED', ...counters)
    const images = imagesIn(folder)
    const standIns = [
      ['stand-in/base', base],
      ['stand-in/node', base, nodeFiles(join(folder, 'node'), node, npm)],
    ] as const
    for (const [name, ...folders] of standIns) {
      const problem = images.standIn(name, ...folders)
      if (problem !== undefined) return run.violation(`no stand-in ${name}: ${problem}`)
    }
    const program = buildImage(run, images, 'program')
    const fleet = program === undefined ? undefined : buildImage(run, images, 'fleet')
    if (program === undefined || fleet === undefined) return
    run.say(formatSizes(program, base))
    const more = megabytes(fleet.mount) - megabytes(program.mount)
    run.say(`the package for fleets ${more.toFixed(1)} MB more`)
    const site = makeSite(join(folder, 'site'))
    await tryImages(run, contained(program, site), contained(fleet, site))
  },
})

/** Builds one image; gives `undefined` where that fails, and complains of what it must not be. */
function buildImage(run: CheckRun, images: Images, target: string): BuiltImage | undefined {
  const built = images.build(target)
  if (typeof built === 'string') {
    run.violation(`the image ${target} is not built: ${built}`)
    return undefined
  }
  const { User: user, Entrypoint: entrypoint } = built.config
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user)) run.violation(`the user ${user} is root, or has no number`)
  if (entrypoint.join(' ') !== 'landform') run.violation(`the entry point is ${entrypoint.join(' ')}`)
  return built
}

function makeSite(place: string): string {
  mkdirSync(place)
  cpSync(join(root, 'examples', 'quickstart.yaml'), join(place, 'site.yaml'))
  cpSync(join(root, 'examples', 'licenses'), join(place, 'licenses'), { recursive: true })
  return place
}

/** A command that an image must carry out. */
interface Use {
  readonly words: readonly string[]
  readonly says: RegExp
  readonly code?: number
}

const usesOfProgram: readonly Use[] = [
  { words: ['--version'], says: /^\d+\.\d+\.\d+/ },
  { words: ['validate', 'site.yaml'], says: /0 errors/ },
  { words: ['plan', '--emulate', 'site.yaml'], says: /1 to create/ },
  { words: ['apply', '--emulate', 'site.yaml', '--yes'], says: /ready/ },
  { words: ['explain', 'volume/missing-component'], says: /volume/ },
  { words: ['fleet', 'status'], says: /npm install/, code: 78 },
]
const usesOfFleet: readonly Use[] = [
  { words: ['validate', 'site.yaml'], says: /0 errors/ },
  { words: ['fleet', 'status'], says: /LANDFORM_DATABASE_URL/, code: 66 },
]

async function tryImages(run: CheckRun, inside: UseImage, insideFleet: UseImage): Promise<void> {
  for (const use of usesOfProgram) tryUse(run, inside, use)
  for (const use of usesOfFleet) tryUse(run, insideFleet, use)
  await tryWorker(run, insideFleet)
  // A shell that finds nothing, and a program that always ends well, would show nothing.
  if (inside('sh', ['-c', 'command -v git']).status === 0) run.count('controls found')
  if (inside('landform', ['validate', 'nothing.yaml']).status !== 0) run.count('controls found')
  if (inside('git', ['--version']).status !== 0) run.violation('there is no git')
  if (inside('sh', ['-c', 'touch /tmp/x || touch /site/x || touch /opt/landform/x']).status === 0)
    run.violation('the container is not read-only, so nothing was shown')
  for (const use of [inside, insideFleet])
    if (use('sh', ['-c', 'command -v npm || command -v npx || command -v yarn']).status === 0)
      run.violation('the image can bring other programs')
}

function tryUse(run: CheckRun, inside: UseImage, { words, says, code = 0 }: Use): void {
  const { status, stdout, stderr, took } = inside('landform', words)
  run.count('claims')
  if (status === code && says.test(stdout + stderr)) run.say(`landform ${words.join(' ')}: ok, ${took} ms`)
  else run.violation(`landform ${words.join(' ')}: ${status}: ${stdout}${stderr}`)
}

/** Starts a worker, which must serve what a cluster asks it where nothing can be written. */
async function tryWorker(run: CheckRun, inside: UseImage): Promise<void> {
  if (!postgresIsHere) return run.say(`no worker was started: install ${postgresPackages}`)
  const server = await postgres()
  const database = `LANDFORM_DATABASE_URL=${await server.freshDatabase()}`
  const asks = `landform fleet worker --folder /site --listen 127.0.0.1:19464 &
    for try in 1 2 3 4 5 6 7 8 9 10; do
      sleep 1
      node -e 'fetch("http://127.0.0.1:19464/ready").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' && break
    done && kill $! && wait $!`
  const { status, stdout, stderr } = inside('env', [database, 'sh', '-c', asks])
  await server.stop()
  run.count('claims')
  if (status === 143 && /worker-started/.test(stdout) && /worker-stopped/.test(stdout))
    run.say('landform fleet worker: ok, ready and stopped')
  else run.violation(`landform fleet worker: ${status}: ${stdout}${stderr}`)
}

function megabytes(path: string): number {
  return Number(runWords('du', ['-sxk', path]).stdout.split('\t')[0]) / 1024
}

function formatSizes({ mount }: BuiltImage, base: string): string {
  const ours = megabytes(join(mount, 'opt/landform'))
  const node = megabytes(join(mount, 'usr/local/bin/node'))
  const all = megabytes(mount)
  const git = all - megabytes(base) - ours - node
  return (
    `image ${all.toFixed(0)} MB: Debian and git ${(all - ours - node).toFixed(0)} (git ${git.toFixed(0)}), ` +
    `Node ${node.toFixed(0)}, Landform ${ours.toFixed(1)}`
  )
}
