import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import type { World } from '../world.js'

/** A pull request has mistakes, and CI shows where. */
export const aMistake: Chapter<World> = {
  title: 'A pull request with mistakes',
  async play(world, { prose, types, shows, holds }) {
    prose('A developer changes the size of the queue and the email address, on a branch:')
    world.edit(
      'site.yaml',
      ['email: admin@example.org', 'emial: gis@example.org'],
      ['QUEUE:\n      size: 16Gi', 'QUEUE:\n      size: 24GiB'],
    )
    shows('diff', world.changes())
    world.push('larger-queue', 'Make the queue larger')
    prose(`\
The first job of a pull request needs no network and no secret, so it also runs for forks. GitHub shows each line of its output
beside the line of the manifest that it names.`)
    const said = await types(world.runner('larger-queue'), pipeline.validate, { exit: 65 })
    const annotations = said.match(/^::error file=site\.yaml,line=\d+,/gm) ?? []
    holds('two annotations stand at lines of the manifest', annotations.length === 2)
    prose('The developer fixes what has exactly one correct answer with `--fix`, and edits the rest by hand.')
    await types(world.laptop, 'landform validate site.yaml --fix', { exit: 65 })
    world.edit('site.yaml', ['emial', 'email'])
    world.push('larger-queue', 'Spell it right')
  },
}
