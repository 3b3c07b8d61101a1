// Many files in one process, and one file with very much in it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peers } from './peers.mjs'
import { folder, found, own, root, skipped } from './surroundings.mjs'
import { turns, usageOf } from './turns.mjs'

export function measureFiles({ isQuick }) {
  for (const [count, rounds] of [
    [10, isQuick ? 3 : 9],
    [100, isQuick ? 3 : 9],
    [1_000, isQuick ? 1 : 5],
    [10_000, isQuick ? 1 : 5],
  ]) {
    const many = makeFiles(count)
    const others = count === 100 || count === 10_000 ? peers(many, true) : []
    turns(rounds, [
      { name: `${count} files, landform`, command: own('validate', many) },
      ...others.map(({ peer, command }) => ({ name: `${count} files, ${peer}`, command })),
    ])
    if (count === 10_000) found('peak memory of 10000 files, MB', usageOf(own('validate', many)).megabytes)
  }
  const unlike = makeFiles(10_000, { name: 'files-10000-unlike', areUnlike: true })
  const other = peers(unlike, true).filter(({ peer }) => peer === 'ajv-cli with formats')
  turns(isQuick ? 1 : 5, [
    { name: '10000 unlike files, landform', command: own('validate', unlike) },
    ...other.map(({ peer, command }) => ({ name: `10000 unlike files, ${peer}`, command })),
  ])
  measureMistake(isQuick ? 1 : 5)
  measureOverlays(isQuick ? 1 : 5)
  for (const name of ['ajv-cli', 'sourcemeta', 'kubeconform'])
    if (!peers(folder, true).some(({ peer }) => peer === name))
      skipped(`files, ${name}`, 'it is not installed')
  const texts = [1, 10].map(times => ({ name: `${times}x text`, command: own('validate', longFile(times)) }))
  turns(isQuick ? 3 : 9, texts)
}

/**
 * Copies of the examples, each with a name and a site of its own: two for one site are a warning. Where they are to be unlike, no two
 * have a part in common, which tells what a file costs that is like none before it.
 */
function makeFiles(count, { name = `files-${count}`, areUnlike = false } = {}) {
  const many = join(folder, name)
  mkdirSync(many)
  const texts = readdirSync(join(root, 'examples'))
    .filter(name => name.endsWith('.yaml') && !name.includes('10.9'))
    .map(name => readFileSync(join(root, 'examples', name), 'utf8'))
  for (let index = 0; index < count; index += 1) {
    const text = texts[index % texts.length]
      .replace(/name: \S+/, `name: site-${index}`)
      .replace(/https:\/\/[^/\s]+/, `https://site-${index}.example.org`)
    const written = areUnlike ? text.replace(/^( {2,4}\w+:)(.*)$/gm, `$1$2 # of site ${index}`) : text
    writeFileSync(join(many, `site-${index}.yaml`), written)
  }
  return many
}

/** A thousand manifests of which the last has a mistake: the others must not cost much more for that. */
function measureMistake(rounds) {
  const clean = join(folder, 'files-1000')
  const broken = makeFiles(1_000, { name: 'files-1000-with-a-mistake' })
  const last = join(broken, 'site-999.yaml')
  writeFileSync(last, readFileSync(last, 'utf8').replace('kind: SiteDeployment', 'kind: SiteDeploiment'))
  turns(rounds, [
    { name: '1000 files with a mistake', command: own('validate', broken), exitCode: 65 },
    { name: '1000 files without', command: own('validate', clean) },
  ])
}

/** A thousand manifests of one line beside a base, and the same written out. */
function measureOverlays(rounds) {
  const [overlays, plain] = ['overlays', 'written-out'].map(name => join(folder, name))
  for (const at of [overlays, plain]) mkdirSync(at)
  const base = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
  writeFileSync(join(overlays, 'base.yaml'), base)
  for (let index = 0; index < 1_000; index += 1) {
    const [name, url] = [`site-${index}`, `https://site-${index}.example.org/arcgis/admin`]
    const text = `extends: base.yaml\nmetadata: { name: ${name} }\nspec: { site: { url: "${url}" } }\n`
    writeFileSync(join(overlays, `${name}.yaml`), text)
    const whole = base.replace(/name: \S+/, `name: ${name}`).replace(/https:\S+admin\b/, url)
    writeFileSync(join(plain, `${name}.yaml`), whole)
  }
  turns(rounds, [
    { name: '1000 overlays', command: own('validate', overlays) },
    { name: '1000 overlays written out', command: own('validate', plain) },
  ])
  found('peak memory of 1000 overlays, MB', usageOf(own('validate', overlays)).megabytes)
}

/** A manifest with so many times 100 data stores; the longest has nearly as many values as a manifest may have. */
function longFile(times) {
  const store = at =>
    `    - clientPath: /data/imagery-${at}\n      type: folder\n      info: { fileServerHost: nfs.example.org, fileServerType: NFS, fileServerPath: /export/imagery-${at} }\n`
  const stores = Array.from({ length: 100 * times }, (_, at) => store(at)).join('')
  const text = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8').trimEnd()
  const file = join(folder, `long-${times}.yaml`)
  writeFileSync(file, `${text}\n  dataStores:\n${stores}`)
  return file
}
