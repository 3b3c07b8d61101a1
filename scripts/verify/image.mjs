// Builds the image of the Dockerfile and uses it as a cluster would: as a user without rights, with a root filesystem that
// nobody can write. `npm run verify:image`. buildah builds it on stand-ins for the base images, from Debian's debootstrap and
// the npm package of Node, so no registry of images is asked. Skipped where these programs are not there.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const counters = ['claims', 'controls found']
figures({})
const missing = ['buildah', 'debootstrap', 'unshare'].filter(
  name => run('sh', ['-c', `command -v ${name}`]).status !== 0,
)
if (process.getuid?.() !== 0) skip('images are built by root: NOT VERIFIED', ...counters)
else if (missing.length > 0) skip(`${missing.join(', ')} not here: NOT VERIFIED`, ...counters)
else verify()
conclude()

function verify() {
  const base = debian()
  const node = nodeOf('24')
  if (base === undefined || node === undefined) {
    skip('Debian or Node could not be brought: NOT VERIFIED', ...counters)
    return
  }
  if (!imageOf('stand-in/base', base) || !imageOf('stand-in/node', base, node)) return
  const images = [
    '--build-arg',
    'NODE=localhost/stand-in/node',
    '--build-arg',
    'BASE=localhost/stand-in/base',
  ]
  const built = buildah([
    'bud',
    '--isolation',
    'chroot',
    '--pull-never',
    ...images,
    '--tag',
    'landform',
    root,
  ])
  if (built.status !== 0) {
    violation(`the image is not built: ${built.stderr.slice(-2000)}`)
    return
  }
  const { OCIv1: image } = JSON.parse(buildah(['inspect', '--type', 'image', 'landform']).stdout)
  const { User: user, Entrypoint: entrypoint, WorkingDir: place, Env: variables } = image.config
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user)) violation(`the user ${user} is root, or has no number`)
  if (entrypoint.join(' ') !== 'landform') violation(`the entry point is ${entrypoint.join(' ')}`)
  const container = buildah(['from', '--pull-never', 'landform']).stdout.trim()
  const mount = buildah(['mount', container]).stdout.trim()
  sizes(mount, base)
  mkdirSync(join(folder, 'site'))
  cpSync(join(root, 'examples', 'quickstart.yaml'), join(folder, 'site', 'site.yaml'))
  cpSync(join(root, 'examples', 'licenses'), join(folder, 'site', 'licenses'), { recursive: true })
  const inside = contained(mount, { user, place, variables })
  for (const [words, wanted] of [
    [['--version'], /^\d+\.\d+\.\d+/],
    [['validate', 'site.yaml'], /0 errors/],
    [['plan', '--emulate', 'site.yaml'], /1 to create/],
    [['apply', '--emulate', 'site.yaml', '--yes'], /ready/],
    [['explain', 'volume/missing-component'], /volume/],
  ]) {
    const { status, stdout, stderr, took } = inside('landform', words)
    count('claims')
    if (status === 0 && wanted.test(stdout + stderr)) say(`landform ${words.join(' ')}: ok, ${took} ms`)
    else violation(`landform ${words.join(' ')}: ${status}: ${stdout}${stderr}`)
  }
  const without = inside('env', ['LANDFORM_CODE_CACHE=off', 'landform', 'validate', 'site.yaml'])
  say(`without the compiled code: ${without.took} ms`)
  // A shell that finds nothing, and a program that always ends well, would show nothing.
  if (inside('sh', ['-c', 'command -v git']).status === 0) count('controls found')
  if (inside('landform', ['validate', 'nothing.yaml']).status !== 0) count('controls found')
  if (inside('git', ['--version']).status !== 0) violation('there is no git')
  if (inside('sh', ['-c', 'touch /tmp/x || touch /site/x || touch /var/cache/landform/x']).status === 0)
    violation('the container is not read-only, so nothing was shown')
  if (inside('sh', ['-c', 'command -v npm || command -v npx || command -v yarn']).status === 0)
    violation('the image can bring other programs')
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

/** A stand-in for an image of a registry: the files of Debian, and Node where the image of Node has it. */
function imageOf(name, base, node) {
  const from = buildah(['from', 'scratch']).stdout.trim()
  const steps = [
    ['copy', '--quiet', from, base, '/'],
    ...(node === undefined ? [] : [['copy', '--quiet', '--chmod', '755', from, node, '/usr/local/bin/node']]),
    ['commit', '--quiet', '--rm', from, name],
  ]
  const failed = steps.map(buildah).find(({ status }) => status !== 0)
  if (failed !== undefined) violation(`no stand-in ${name}: ${failed.stderr}`)
  return failed === undefined
}

/** Runs a program of the image as its user, where only the files of the site are added and nothing can be written. */
function contained(mount, { user, place, variables }) {
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

function sizes(mount, base) {
  const megabytes = path => Number(run('du', ['-sxk', path]).stdout.split('\t')[0]) / 1024
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
