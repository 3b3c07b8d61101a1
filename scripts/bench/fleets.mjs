// Many sites applied in one process, 50 at one time, each against an emulator of its own address.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, found, own, root, said } from './surroundings.mjs'
import { serving, usageOf } from './turns.mjs'

export async function measureFleets({ isQuick }) {
  // A site is configured once, so every size has an emulator of its own.
  for (const count of isQuick ? [10, 50] : [10, 50, 100, 400, 1_000])
    await serving(own('emulate', '--sites', `${count}`), first => {
      const sites = makeSites(count, first.trim())
      const { megabytes, cpuMs } = usageOf(own('apply', sites, '--yes', '--concurrency', '50', '-q'))
      found(`${count} sites applied, resident MB`, megabytes)
      found(`${count} sites applied, CPU ms a site`, cpuMs / count)
    })
  said('measured: many sites applied')
}

/** A manifest for each site of an emulator, in a folder of its own. */
function makeSites(count, first) {
  const all = join(folder, `sites-${count}`)
  const text = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
  for (let at = 1; at <= count; at += 1) {
    const site = join(all, `site-${at}`)
    mkdirSync(site, { recursive: true })
    cpSync(join(root, 'examples', 'licenses'), join(site, 'licenses'), { recursive: true })
    const url = first.replace('/site-1/', `/site-${at}/`)
    const named = text.replace(/name: \S+/, `name: site-${at}`).replace(/https:\S+admin\b/, url)
    writeFileSync(join(site, 'site.yaml'), named)
  }
  return all
}
