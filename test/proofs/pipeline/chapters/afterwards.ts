import type { Chapter } from '../story.js'
import type { World } from '../world.js'

/** What is kept of it all, in the repository. */
export const afterwards: Chapter<World> = {
  title: 'The history',
  async play(world, { prose, types, holds }) {
    prose(`\
The complete history is in the repository, below \`refs/landform/\`, where it appears neither among branches nor in a checkout.
Months later, on any machine that may read the repository:`)
    const told = await types(world.laptop, 'landform state show site.yaml')
    holds(
      'one promise to configure is in it',
      told.match(/configure: submission intent recorded/g)?.length === 1,
    )
    holds('nobody has the site', told.includes('lock       none'))
    prose(`\
The first run has no end, since its machine died; the next line says that a person removed its lock. There is one submission intent,
one response of the service to it, and one \`configure\`.`)
  },
}
