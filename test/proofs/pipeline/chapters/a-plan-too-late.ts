import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import { administrator, pipelineSecrets, type World } from '../world.js'

const plan = [/^Plan/, /^ {2}[=~+] /, /^ {6}[-+~] /, /^saved/]
const batch = { key: 'batch', operator: 'Equal', value: 'nights', effect: 'NoSchedule' }
const last = '        - { key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }'

/** Plans that are not what is there any more are refused, and say what moved. */
export const aPlanTooLate: Chapter<World> = {
  title: 'A plan that comes too late',
  async play(world, { prose, types, shows, holds }) {
    const { site } = world
    prose('The next pull request wants that upgrades also run where nothing else does at night:')
    world.edit('site.yaml', [
      last,
      `${last}\n        - { key: nightly, operator: Exists, effect: NoSchedule }`,
    ])
    shows('diff', world.changes())
    world.push('nights', 'Let upgrades run at night')
    prose(`\
By now there is a site, and it tells nothing without a token. An apply signs in by itself, but a plan only ever reads, and so it
cannot:`)
    await types(world.runner('nights'), pipeline.plan, { exit: 77 })
    const token = { LANDFORM_TOKEN: await site.token(administrator) }
    prose(`\
Somebody makes a token of an account that may only read, puts it into the secrets of the repository, and [the workflow](how-to/github.md) hands
it to its jobs as \`LANDFORM_TOKEN\`:`)
    const planning = world.runner('nights', token)
    const said = await types(planning, pipeline.plan, { keep: plan })
    planning.keeps('plan.json')
    holds('the plan is one update', said.includes('0 to create, 1 to update'))
    prose(`\
It is merged. But before the job of the main branch runs, another commit changes the same file. What would be performed is not what
was reviewed, so it is not performed:`)
    const performing = () => {
      const runner = world.runner('main', { ...pipelineSecrets, ...token })
      runner.brings()
      return runner
    }
    world.merge('nights')
    world.edit('site.yaml', ['fullName: Site Administrator', 'fullName: Site Administrators'])
    world.push('main', 'There are two of them')
    const manifest = await types(performing(), pipeline.apply, { exit: 6 })
    holds('it names the manifest', manifest.includes('saved plan is stale: the manifest changed'))
    prose(`\
That commit could not be carried out at all, by the way: the first administrator is what the site was created with. It is taken back,
and with it everything is as it was when the plan was made. But meanwhile somebody sets something else in the administrator API, by
hand:`)
    world.edit('site.yaml', ['Site Administrators', 'Site Administrator'])
    world.push('main', 'Take it back')
    await site.setTolerations([batch], token.LANDFORM_TOKEN)
    const moved = await types(performing(), pipeline.apply, { exit: 6 })
    holds('it names what moved on the site', moved.includes('the upgrade configuration of the site'))
    holds('nothing was sent for this plan', (await site.accepted('update')) === 2)
  },
}
