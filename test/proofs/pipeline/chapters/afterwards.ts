import type { Chapter } from '../story.js'
import type { World } from '../world.js'

/** What is kept of it all, in the repository. */
export const afterwards: Chapter<World> = {
  title: 'What is kept of it',
  async play(world, { prose, types, holds }) {
    prose(`\
Everything that happened is in the repository, below \`refs/landform/\`, where it appears neither among branches nor in a checkout.
Months later, on any machine that may read the repository:`)
    const told = await types(world.laptop, 'landform state show site.yaml')
    holds('one promise to configure is in it', told.match(/configure: promised/g)?.length === 1)
    holds('nobody has the site', told.includes('nobody has the site'))
    prose(`\
The first run ends without a word, since its machine died; the next line says that a person took its lock back. There is one
promise, one answer of the service to it, and one \`configure\`.`)
  },
}
