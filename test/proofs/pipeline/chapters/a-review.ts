import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import type { World } from '../world.js'

/** The plan of a pull request is read by people, and kept. */
export const aReview: Chapter<World> = {
  title: 'A plan that people review',
  async play(world, { prose, types, shows, holds }) {
    const runner = world.runner('larger-queue')
    await types(runner, pipeline.validate)
    prose(`\
The manifest is valid now, so the next step reads the site, and prints what an apply would do. It sends only GET. The state of
the site is read from the repository itself, which has none yet.`)
    const said = await types(runner, pipeline.plan, {
      keep: [/^Plan/, /^The site/, /^Immutable after/, /^ {2}[!+~] /, /volumes.QUEUE/, /^saved/],
    })
    runner.keeps('plan.json')
    holds('the plan creates the organization', said.includes('1 to create, 1 to update'))
    holds('no secret is in it', !/Correct-horse|lighthouse/.test(world.artifact()))
    prose(`\
\`plan.json\` is kept as an artifact of the run. The Markdown is in the summary of the run, and in a comment of the pull
request, which a later run replaces. It begins like this:`)
    shows('markdown', `${runner.summary().trim().split('\n').slice(0, 12).join('\n')}\n…`)
    prose('Later steps can use these outputs:')
    shows('text', runner.outputs())
    holds('the outputs say that there are changes', runner.outputs().includes('changes=true\n'))
    prose('Reviewers approve the plan, so the pull request is merged.')
    world.merge('larger-queue')
  },
}
