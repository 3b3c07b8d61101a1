import { setTimeout } from 'node:timers/promises'
import { pipeline } from '../commands.js'
import { type Chapter, killed } from '../story.js'
import { pipelineSecrets, type World } from '../world.js'

const steps = [/^\[.*\] (applying|no other|configure|update)/, /^::/, /^Done/]
const ending = [/^error/, /^Nothing/, /^next/]
/** The site was taken, the plan used, `configure` promised, accepted, and seen to have begun. */
const versionsOfTheFirst = 5

/** The runner that creates the site loses its power in the middle, and others take over. */
export const aRunnerDies: Chapter<World> = {
  title: 'A runner dies in the middle',
  async play(world, { prose, types, holds }) {
    const runner = () => {
      const next = world.runner('main', pipelineSecrets)
      next.brings()
      return next
    }
    prose(`\
On the main branch a job with the secrets brings the plan that was reviewed, and performs just that one. It works on a machine
that nobody has seen before, and whose disk is thrown away. Before \`configure\` is sent, the promise to send it is pushed to the
repository, below \`refs/landform/\`. And then, in the sixth stage, the machine is gone:`)
    const first = runner()
    await types(first, pipeline.apply, {
      exit: killed,
      keep: steps,
      async meanwhile(running) {
        while (world.versions() < versionsOfTheFirst || (await world.site.stagesThrough()) < 6)
          await setTimeout(50)
        await running.untilSaid('the site shows that it has begun')
        running.signal('SIGKILL')
      },
    })
    first.dies()
    const through = await world.site.stagesThrough()
    holds('6 of the 14 stages are through', through === 6)
    prose(`\
The service knows nothing of that, and goes on. Somebody runs the job again. A saved plan is used once, whatever becomes of it, so
nothing is sent:`)
    const refused = await types(runner(), pipeline.apply, { exit: 6 })
    holds('it names the command that goes on', refused.includes('run `landform apply site.yaml'))
    prose(
      'Where an apply ends with 6, the workflow begins anew, and makes a new plan. This one says what is left to do:',
    )
    const planning = world.runner()
    const left = await types(planning, `mkdir -p chosen\n${pipeline.planAgain}`)
    planning.keeps('chosen/plan.json')
    holds('nothing is created twice', left.includes('0 to create, 1 to update, 1 to attach'))
    prose(`\
What is under way was reviewed before it began, so the plan is performed at once. But the runner that died had the site, and from
here nobody can see whether it did die or only lost its way:`)
    const locked = await types(runner(), pipeline.apply, { exit: 7, keep: ending })
    const [, unlock = ''] = /`(landform state unlock [^`]*)`/.exec(locked) ?? []
    holds('it names who has the site, and how to take it back', locked.includes('runner-') && unlock !== '')
    prose(`\
That ends by itself, a quarter of an hour after the last sign of life. Who knows better, because GitHub says that the runner was lost,
need not wait:`)
    await types(world.laptop, unlock)
    prose(`\
Now the job takes up what the first one began. While it waits, somebody impatient starts an apply by hand, and is told who has the
site:`)
    await types(runner(), pipeline.apply, {
      keep: steps,
      async meanwhile(running) {
        await running.untilSaid('configure: the site shows that it has begun')
        running.signal('SIGSTOP')
        const byHand = 'landform apply site.yaml --yes'
        await types(runner(), byHand, { exit: 7, keep: ending })
        world.site.pass()
        running.signal('SIGCONT')
        prose('The one that has it sends no second `configure`. It looks, waits, and then does what is left:')
      },
    })
    holds('the service accepted one configure', (await world.site.accepted('configure')) === 1)
    holds('the service accepted one update', (await world.site.accepted('update')) === 1)
  },
}
