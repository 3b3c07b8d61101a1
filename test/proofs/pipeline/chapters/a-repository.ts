import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import type { World } from '../world.js'

/** A manifest and a workflow come into a repository. */
export const aRepository: Chapter<World> = {
  title: 'A repository for a site',
  async play(world, { prose, types, shows, holds }) {
    const { laptop, site } = world
    prose(`\
The goal is a new site. Here an emulator on this machine is that site; yours has an address that begins with https. A developer
writes a manifest and a workflow for it, in an empty repository.`)
    const init = `landform init site.yaml --name production --url ${site.url} \\\n  --email admin@example.org --ci github --storage-class gp3 --yes`
    await types(laptop, init)
    const workflow = readFileSync(join(laptop.folder, '.github', 'workflows', 'landform.yml'), 'utf8')
    const known = workflow.replaceAll(/\\?\n */g, ' ')
    const strange = Object.values(pipeline).filter(one => !known.includes(one.replaceAll(/\\?\n */g, ' ')))
    holds(
      `the commands of this story are those of the workflow${strange.map(one => `, but ${one}`)}`,
      strange.length === 0,
    )
    prose(`\
Three things are missing: the nodes for upgrades, the sign-in of the pipeline once the site requires a token, and the license,
which is beside the manifest.`)
    writeFileSync(join(laptop.folder, 'licenses', 'site.json'), '{}\n')
    world.push('main', 'Begin')
    world.edit(
      'site.yaml',
      ['#state:', 'state:'],
      ['#token: {', 'signIn: { as: administrator, lifetime: 60m }\n    token: {'],
      ['  #upgrade:', '  upgrade:'],
      ['  #  podPlacementPolicy', '    podPlacementPolicy'],
      ['  #    tolerations', '      tolerations'],
      ['  #      - key', '        - key'],
      ['  #        operator', '          operator'],
      ['  #        value', '          value'],
      ['  #        effect', '          effect'],
    )
    shows('diff', world.changes())
    world.push('main', 'Say where upgrades run')
    const checked = await types(laptop, 'landform validate site.yaml')
    holds('the manifest is right as it is committed', checked.includes('0 errors'))
  },
}
