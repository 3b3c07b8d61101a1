import { setTimeout } from 'node:timers/promises'
import { pipeline } from '../commands.js'
import { type Chapter, killed } from '../story.js'
import { pipelineSecrets, type World } from '../world.js'

const steps = [/^\[.*\] (applying|lock acquired|configure|update)/, /^::/, /^Success/]
const ending = [/^error/, /^Nothing/, /^next/, /^ {2}\d\. /]
/** The site was taken, the plan used, `configure` promised, accepted, and seen to have begun. */
const versionsOfTheFirst = 5

/** The runner that creates the site loses its power in the middle, and others take over. */
export const aRunnerDies: Chapter<World> = {
  title: 'A runner dies during apply',
  async play(world, { prose, types, holds }) {
    const runner = () => {
      const next = world.runner('main', pipelineSecrets)
      next.brings()
      return next
    }
    prose(`\
On the main branch a job with the secrets downloads the reviewed plan, and performs exactly that one. It runs on a new machine
whose disk is discarded afterwards. Before \`configure\` is sent, the submission intent is pushed to the repository, below
\`refs/landform/\`. Then, in the sixth stage, the machine is lost:`)
    const first = runner()
    await types(first, pipeline.apply, {
      exit: killed,
      keep: steps,
      async meanwhile(running) {
        while (world.versions() < versionsOfTheFirst || (await world.site.stagesThrough()) < 6)
          await setTimeout(50)
        await running.untilSaid('the site reports that configuration has started')
        running.signal('SIGKILL')
      },
    })
    first.dies()
    const through = await world.site.stagesThrough()
    holds('6 of the 14 stages complete', through === 6)
    prose(`\
The service is not affected and continues. A person runs the job again. A saved plan can be used once, whatever its outcome, so
nothing is sent:`)
    const refused = await types(runner(), pipeline.apply, { exit: 6 })
    holds('it names the command that goes on', /resume the wait:\s+`landform apply site\.yaml/.test(refused))
    prose('After exit code 6 the workflow restarts, and makes a new plan. It has what is left to do:')
    const planning = world.runner()
    const left = await types(planning, `mkdir -p chosen\n${pipeline.planAgain}`)
    planning.keeps('chosen/plan.json')
    holds('nothing is created twice', left.includes('0 to create, 1 to update, 1 to resume'))
    prose(`\
The configuration in progress was reviewed before it started, so the plan is performed at once. But the dead runner still holds the
lock, and it cannot be checked from here whether it died or only lost its connection:`)
    const locked = await types(runner(), pipeline.apply, { exit: 7, keep: ending })
    const [, unlock = ''] = /`(landform state unlock [^`]*)`/.exec(locked) ?? []
    holds('it names who has the site, and how to take it back', locked.includes('runner-') && unlock !== '')
    prose(`\
The lock expires by itself, a quarter of an hour after it was last renewed. If GitHub reports that the runner was lost, there is no
need to wait:`)
    await types(world.laptop, unlock)
    prose(`\
Now the job resumes what the first one started. While it waits, somebody starts an apply by hand, and gets the name of the lock
owner:`)
    await types(runner(), pipeline.apply, {
      keep: steps,
      async meanwhile(running) {
        await running.untilSaid('configure: the site reports that configuration has started')
        running.signal('SIGSTOP')
        const byHand = 'landform apply site.yaml --yes'
        await types(runner(), byHand, { exit: 7, keep: ending })
        world.site.pass()
        running.signal('SIGCONT')
        prose('The lock owner sends no second `configure`. It polls, waits, and then does what is left:')
      },
    })
    holds('the service accepted one configure', (await world.site.accepted('configure')) === 1)
    holds('the service accepted one update', (await world.site.accepted('update')) === 1)
  },
}
