// Measures the rows of rows.ts, without `CI` and with it: `npm run bench`. `-- --quick` checks up to 100 files once, `--peers`
// installs other validators from npm for comparison, `--write` saves the figures and their page in docs/, `--render` only
// rewrites the page, and `--check` exits with 1 if a bound is missed.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFile, makeFolder, makeSites } from '../../dist/scripts/bench/folders.js'
import { computeRow, formatPage, formatValue, rows } from '../../dist/scripts/bench/rows.js'
import { machine } from '../machine.mjs'
import { folder, measureOnce, measureTurns, own, root, run, withEmulator, withWarnings } from './run.mjs'

const flag = { type: 'boolean', default: false }
const { values } = parseArgs({
  options: { quick: flag, peers: flag, write: flag, render: flag, check: flag },
})
const schema = join(root, 'schemas', 'deployment-11.2.schema.json')
const licenses = join(root, 'examples', 'licenses')
const [kept, page] = ['performance.json', 'performance.md'].map(name => join(root, 'docs', name))
const notMeasured = []
const said = line => process.stderr.write(`${line}\n`)
const none = reason => {
  notMeasured.push(reason)
  said(`NOT MEASURED: ${reason}`)
}

if (values.render) writeFileSync(page, formatPage(JSON.parse(readFileSync(kept, 'utf8'))))
else await measureAll()

async function measureAll() {
  const peers = findPeers()
  // The first measurement includes the peers, which ignore `CI`.
  const withoutCi = await measure({}, peers)
  const found = Object.entries(withoutCi).filter(([name]) =>
    peers.some(({ peer }) => name.startsWith(`${peer} `)),
  )
  const withCi = { ...(await measure({ CI: 'true' }, [])), ...Object.fromEntries(found) }
  const measured = {
    machine: machine(),
    peers: peers.map(({ version }) => version),
    notMeasured,
    withoutCi,
    withCi,
  }
  if (values.write) {
    writeFileSync(kept, `${JSON.stringify(measured, null, 1)}\n`)
    writeFileSync(page, formatPage(measured))
  }
  for (const row of rows)
    for (const [how, figures] of Object.entries({ withoutCi, withCi })) {
      const value = computeRow(row, figures)
      process.stdout.write(`${row.what}, ${how}: ${formatValue(row, value)} (bound ${row.bound})\n`)
      if (values.check && value > row.bound) process.exitCode = 1
    }
}

async function measure(more, peers) {
  const figures = {}
  const files = (kind, count) =>
    existing(join(folder, `${kind}-${count}`, 'sites'), () => makeFolder(folder, kind, count))
  const checks = (kinds, count, rounds) =>
    measureTurns(
      rounds,
      [
        ...kinds.map(kind => ({
          name: `${kind} ${count}`,
          command: own('validate', files(kind, count)),
          exitCodes: kind === 'e' ? [0, 65] : [0],
        })),
        ...peers.flatMap(({ peer, counts, command }) =>
          counts.includes(count) ? [{ name: `${peer} ${count}`, command: command(files('b', count)) }] : [],
        ),
        ...peers.flatMap(({ peer, counts, command }) =>
          peer === 'ajv-cli' && kinds.includes('i') && counts.includes(count)
            ? [{ name: `${peer} (i) ${count}`, command: command(files('i', count)) }]
            : [],
        ),
      ],
      more,
    )
  const error = join(folder, 'error.yaml')
  writeFileSync(error, makeFile('e', 19))
  await withEmulator(1, url => {
    const site = join(makeSites(join(folder, `plan-${more.CI}`), 1, url, licenses), 'site-1', 'site.yaml')
    const rounds = values.quick ? 1 : 9
    const programs = [
      { name: 'bare', command: [process.execPath, '-e', '0'] },
      { name: 'error', command: own('validate', error), exitCodes: [65] },
      { name: 'plan', command: own('plan', site) },
    ]
    Object.assign(figures, measureTurns(rounds, programs, more), checks(['b'], 1, rounds))
  })
  said('measured: one file, a plan')
  Object.assign(figures, checks(['i', 'b'], 100, values.quick ? 1 : 5))
  if (!values.quick) {
    Object.assign(figures, checks(['i', 'b', 'w', 'e', 'c'], 1000, 2), checks([], 10_000, 1))
    for (const kind of ['b', 'w', 'e']) {
      const { megabytes, cpuMs } = measureOnce(own('validate', files(kind, 10_000)), {
        more,
        exitCodes: [0, 65],
      })
      Object.assign(figures, { [`${kind} 10000, MB`]: megabytes, [`${kind} 10000`]: cpuMs })
    }
  }
  said('measured: folders')
  for (const count of values.quick ? [5] : [50, 400])
    await withEmulator(count, url => {
      const sites = makeSites(join(folder, `apply-${more.CI}`), count, url, licenses)
      const command = own('apply', sites, '--yes', '--concurrency', '50', '-q')
      const { megabytes, cpuMs } = measureOnce(command, { more })
      Object.assign(figures, { [`${count} sites, MB`]: megabytes, [`${count} sites`]: cpuMs })
    })
  for (const [name, bytes] of [
    ['license', 1_000],
    ['50 MB license', 50_000_000],
  ])
    await withEmulator(1, url => {
      const site = join(makeSites(join(folder, `${name}-${more.CI}`), 1, url, licenses), 'site-1')
      writeFileSync(join(site, 'licenses', 'site.json'), randomBytes(bytes))
      figures[name] = measureOnce(own('apply', join(site, 'site.yaml'), '--yes', '-q'), { more }).cpuMs
    })
  for (const [name, characters] of [
    ['answer', 18],
    ['3 MB answer', 60_000],
  ])
    await withWarnings(characters, url => {
      const site = join(makeSites(join(folder, `${name}-${more.CI}`), 1, url, licenses), 'site-1')
      const words = Array.from({ length: 2000 }, (_, at) => `word-of-a-license-${at}`)
      writeFileSync(join(site, 'licenses', 'site.json'), words.join('\n'))
      figures[name] = measureOnce(own('status', join(site, 'site.yaml')), { more }).cpuMs
    })
  await withEmulator(1, url => Object.assign(figures, countGit(url, more)))
  said('measured: sites, licenses, state in git')
  return figures
}

function existing(path, make) {
  return existsSync(path) ? path : make()
}

/** Counts the git processes that start when a site with state in git is created. */
function countGit(url, more) {
  const place = join(folder, `git-${more.CI}`)
  const site = join(makeSites(place, 1, url, licenses), 'site-1')
  const [remote, log, bin] = ['remote.git', 'git.log', 'bin'].map(name => join(place, name))
  run(['git', 'init', '--quiet', '--bare', remote])
  run(['git', 'init', '--quiet'], { cwd: site })
  run(['git', 'remote', 'add', 'origin', remote], { cwd: site })
  mkdirSync(bin)
  const git = spawnSync('sh', ['-c', 'command -v git']).stdout.toString().trim()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >>"${log}"\nexec "${git}" "$@"\n`, { mode: 0o755 })
  const withLog = { ...more, PATH: `${bin}:${process.env.PATH}` }
  run(own('apply', join(site, 'site.yaml'), '--yes', '-q', '--state', 'git:origin'), {
    more: withLog,
    cwd: site,
  })
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  return {
    'git programs': lines.length,
    'git pushes': lines.filter(line => / push /.test(line)).length,
  }
}

/** Finds other validators: with `--peers` those of npm, and others if they are installed. */
function findPeers() {
  const place = join(folder, 'peers')
  const wanted = ['ajv-cli@5.0.0', 'ajv-formats@3.0.1', '@sourcemeta/jsonschema@16.11.0']
  const found = []
  if (!values.peers) none('ajv-cli, sourcemeta jsonschema: `--peers` installs them')
  else {
    mkdirSync(place)
    cpSync(schema, join(place, 'schema.json'))
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    if (spawnSync('npm', ['install', ...flags, ...wanted], { cwd: place }).status !== 0)
      none('ajv-cli, sourcemeta jsonschema: npm could not install them')
    else {
      const ajv = [
        process.execPath,
        join(place, 'node_modules/ajv-cli/dist/index.js'),
        'validate',
        '-s',
        schema,
      ]
      const check = (path, ...more) => [...ajv, '-d', join(path, '*.yaml'), '--strict=false', ...more]
      const jsonschema = join(place, 'node_modules/.bin/jsonschema')
      found.push(
        {
          peer: 'ajv-cli',
          version: wanted[0],
          counts: [1, 100, 1000],
          command: path => check(path, '--validate-formats=false'),
        },
        {
          peer: 'ajv-cli with formats',
          version: wanted[1],
          counts: [10_000],
          command: path => check(path, '-c', 'ajv-formats'),
        },
        {
          peer: 'sourcemeta',
          version: wanted[2],
          counts: [100],
          command: path => [jsonschema, 'validate', schema, path, '--extension', '.yaml'],
        },
      )
    }
  }
  const { status, stdout } = spawnSync('kubeconform', ['-v'])
  if (status !== 0) none('kubeconform: it is not installed')
  else
    found.push({
      peer: 'kubeconform',
      version: `kubeconform ${stdout}`.trim(),
      counts: [100, 10_000],
      command: path => ['kubeconform', '-n', '2', '-schema-location', schema, path],
    })
  return found
}
