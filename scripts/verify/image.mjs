// Builds the images of the Dockerfile and uses them as a cluster would: as a user without rights, with a root filesystem that
// nobody can write. `npm run verify:image`. buildah builds them on stand-ins for the base images, from Debian's debootstrap, the
// npm package of Node and the npm that is here, so no registry of images is asked. Skipped where these programs are not there.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgres, postgresIsHere, postgresPackages } from '../../dist/test/support/postgres.js'
import { nodeOf } from '../other-nodes.mjs'
import { conclude, count, figures, say, skip, violation } from './check.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const cache = join(root, 'node_modules', '.cache', 'landform-image')
const folder = mkdtempSync(join(tmpdir(), 'landform-image-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// A storage of its own, so that nothing of this stays among the images of whoever runs it.
const storage = [
  '--storage-driver',
  'vfs',
  '--root',
  join(folder, 'storage'),
  '--runroot',
  join(folder, 'run'),
]

// The configuration of each image, by where its files are.
const mounts = new Map()
const counters = ['claims', 'controls found']
figures({})
const missing = ['buildah', 'debootstrap', 'unshare'].filter(
  name => run('sh', ['-c', `command -v ${name}`]).status !== 0,
)
if (process.getuid?.() !== 0) skip('images are built by root: NOT VERIFIED', ...counters)
else if (missing.length > 0) skip(`${missing.join(', ')} not here: NOT VERIFIED`, ...counters)
else await verify()
conclude()

async function verify() {
  const base = debian()
  const node = nodeOf('24')
  if (base === undefined || node === undefined) {
    skip('Debian or Node could not be brought: NOT VERIFIED', ...counters)
    return
  }
  const npm = npmHere()
  if (npm === undefined) {
    skip('npm could not bring what the package for fleets needs: NOT VERIFIED', ...counters)
    return
  }
  if (!imageOf('stand-in/base', base) || !imageOf('stand-in/node', base, nodeWith(node, npm))) return
  const mount = built('program')
  const fleetMount = mount === undefined ? undefined : built('fleet')
  if (fleetMount === undefined) return
  sizes(mount, base)
  say(`the package for fleets ${(megabytes(fleetMount) - megabytes(mount)).toFixed(1)} MB more`)
  mkdirSync(join(folder, 'site'))
  cpSync(join(root, 'examples', 'quickstart.yaml'), join(folder, 'site', 'site.yaml'))
  cpSync(join(root, 'examples', 'licenses'), join(folder, 'site', 'licenses'), { recursive: true })
  const inside = contained(mount)
  const insideFleet = contained(fleetMount)
  for (const [words, wanted, use = inside, code = 0] of [
    [['--version'], /^\d+\.\d+\.\d+/],
    [['validate', 'site.yaml'], /0 errors/],
    [['plan', '--emulate', 'site.yaml'], /1 to create/],
    [['apply', '--emulate', 'site.yaml', '--yes'], /ready/],
    [['explain', 'volume/missing-component'], /volume/],
    [['fleet', 'status'], /npm install/, inside, 78],
    [['validate', 'site.yaml'], /0 errors/, insideFleet],
    [['fleet', 'status'], /LANDFORM_DATABASE_URL/, insideFleet, 66],
  ]) {
    const { status, stdout, stderr, took } = use('landform', words)
    count('claims')
    if (status === code && wanted.test(stdout + stderr)) say(`landform ${words.join(' ')}: ok, ${took} ms`)
    else violation(`landform ${words.join(' ')}: ${status}: ${stdout}${stderr}`)
  }
  await worksOnFleets(insideFleet)
  const without = inside('env', ['LANDFORM_CODE_CACHE=off', 'landform', 'validate', 'site.yaml'])
  say(`without the compiled code: ${without.took} ms`)
  // A shell that finds nothing, and a program that always ends well, would show nothing.
  if (inside('sh', ['-c', 'command -v git']).status === 0) count('controls found')
  if (inside('landform', ['validate', 'nothing.yaml']).status !== 0) count('controls found')
  if (inside('git', ['--version']).status !== 0) violation('there is no git')
  if (inside('sh', ['-c', 'touch /tmp/x || touch /site/x || touch /var/cache/landform/x']).status === 0)
    violation('the container is not read-only, so nothing was shown')
  for (const use of [inside, insideFleet])
    if (use('sh', ['-c', 'command -v npm || command -v npx || command -v yarn']).status === 0)
      violation('the image can bring other programs')
}

/** A worker begins, and serves what a cluster asks it, where nothing can be written. */
async function worksOnFleets(inside) {
  if (!postgresIsHere) {
    say(`no worker was started: install ${postgresPackages}`)
    return
  }
  const server = await postgres()
  const database = `LANDFORM_DATABASE_URL=${await server.freshDatabase()}`
  const asks = `landform fleet worker --folder /site --listen 127.0.0.1:19464 &
    for try in 1 2 3 4 5 6 7 8 9 10; do
      sleep 1
      node -e 'fetch("http://127.0.0.1:19464/ready").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' && break
    done && kill $! && wait $!`
  const { status, stdout, stderr } = inside('env', [database, 'sh', '-c', asks])
  await server.stop()
  count('claims')
  if (status === 143 && /worker-started/.test(stdout) && /worker-stopped/.test(stdout))
    say('landform fleet worker: ok, ready and stopped')
  else violation(`landform fleet worker: ${status}: ${stdout}${stderr}`)
}

/** Builds one image and says where its files are; `undefined` where it is not as it should be. */
function built(target) {
  const images = [
    '--build-arg',
    'NODE=localhost/stand-in/node',
    '--build-arg',
    'BASE=localhost/stand-in/base',
  ]
  const cached = ['--volume', `${join(folder, 'npm')}:/npm`]
  const words = ['bud', '--isolation', 'chroot', '--pull-never', '--target', target, ...images, ...cached]
  const { status, stderr } = buildah([...words, '--tag', `landform-${target}`, root])
  if (status !== 0) {
    violation(`the image ${target} is not built: ${stderr.slice(-2000)}`)
    return undefined
  }
  const { OCIv1: image } = JSON.parse(buildah(['inspect', '--type', 'image', `landform-${target}`]).stdout)
  const { User: user, Entrypoint: entrypoint } = image.config
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user)) violation(`the user ${user} is root, or has no number`)
  if (entrypoint.join(' ') !== 'landform') violation(`the entry point is ${entrypoint.join(' ')}`)
  const container = buildah(['from', '--pull-never', `landform-${target}`]).stdout.trim()
  const mount = buildah(['mount', container]).stdout.trim()
  mounts.set(mount, image.config)
  return mount
}

/** The folder of the npm that is here, with what the image will ask it for in a cache beside it. */
function npmHere() {
  const place = join(run('npm', ['root', '--global']).stdout.trim(), 'npm')
  const asked = join(folder, 'asked')
  cpSync(join(root, 'packages', 'fleet', 'dist', 'locked'), asked, { recursive: true })
  const words = ['ci', '--prefix', asked, '--cache', join(folder, 'npm'), '--ignore-scripts', '--no-audit']
  return existsSync(place) && run('npm', words).status === 0 ? place : undefined
}

/** The files that the image of Node has, as far as they are used: Node, and npm, which asks nobody here. */
function nodeWith(node, npm) {
  const place = join(folder, 'node')
  const packages = join(place, 'usr', 'local', 'lib', 'node_modules')
  const bin = join(place, 'usr', 'local', 'bin')
  for (const path of [packages, bin, join(place, 'usr', 'local', 'etc')]) mkdirSync(path, { recursive: true })
  cpSync(node, join(bin, 'node'))
  cpSync(npm, join(packages, 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
  writeFileSync(join(place, 'usr', 'local', 'etc', 'npmrc'), 'offline=true\ncache=/npm\n')
  return place
}

/** What Debian calls minimal, without what the slim images leave out; brought once. */
function debian() {
  const place = join(cache, 'debian')
  if (existsSync(place)) return place
  const beside = `${place}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  const words = ['--variant=minbase', 'bookworm', beside, 'http://deb.debian.org/debian']
  if (run('debootstrap', words).status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    return undefined
  }
  for (const name of [
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
    'var/cache/apt',
    'var/lib/apt/lists',
  ])
    rmSync(join(beside, name), { recursive: true, force: true })
  renameSync(beside, place)
  return place
}

/** A stand-in for an image of a registry: the files of Debian, and more. */
function imageOf(name, ...folders) {
  const from = buildah(['from', 'scratch']).stdout.trim()
  const steps = [
    ...folders.map(one => ['copy', '--quiet', from, one, '/']),
    ['commit', '--quiet', '--rm', from, name],
  ]
  const failed = steps.map(buildah).find(({ status }) => status !== 0)
  if (failed !== undefined) violation(`no stand-in ${name}: ${failed.stderr}`)
  return failed === undefined
}

/** Runs a program of the image as its user, where only the files of the site are added and nothing can be written. */
function contained(mount) {
  const { User: user, WorkingDir: place, Env: variables } = mounts.get(mount)
  const [uid, gid] = user.split(':')
  return (program, words) => {
    const script = `
      mount --bind ${mount} ${mount}
      mount -t proc proc ${mount}/proc
      mount --rbind /dev ${mount}/dev
      mount --bind ${join(folder, 'site')} ${mount}${place}
      mount -o remount,bind,ro ${mount}${place}
      mount -o remount,bind,ro ${mount}
      exec chroot ${mount} /usr/bin/setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs \
        --bounding-set=-all --inh-caps=-all \
        /usr/bin/env -i --chdir=${place} ${variables.map(one => `'${one}'`).join(' ')} "$@"`
    const began = performance.now()
    const ended = run('unshare', ['--mount', 'sh', '-ec', script, 'sh', program, ...words])
    return { ...ended, took: Math.round(performance.now() - began) }
  }
}

function megabytes(path) {
  return Number(run('du', ['-sxk', path]).stdout.split('\t')[0]) / 1024
}

function sizes(mount, base) {
  const ours = megabytes(join(mount, 'opt/landform'))
  const code = megabytes(join(mount, 'var/cache/landform'))
  const node = megabytes(join(mount, 'usr/local/bin/node'))
  const all = megabytes(mount)
  const git = all - megabytes(base) - ours - node - code
  say(
    `image ${all.toFixed(0)} MB: Debian and git ${(all - ours - node - code).toFixed(0)} (git ${git.toFixed(0)}), ` +
      `Node ${node.toFixed(0)}, Landform ${ours.toFixed(1)}, compiled code ${code.toFixed(1)}`,
  )
}

function buildah(words) {
  return run('buildah', [...storage, ...words])
}

function run(program, words) {
  const options = { encoding: 'utf8', maxBuffer: 1e9, timeout: 600_000, cwd: '/' }
  return spawnSync(program, words, options)
}
