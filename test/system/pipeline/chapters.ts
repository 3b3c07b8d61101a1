import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Chapter, killed } from './story.js'
import { administrator, pipelineSecrets, type World } from './world.js'

/** The commands of the jobs, which the workflow must contain. The list of sites is in its environment. */
const pipeline = {
  validate: 'landform validate $MANIFESTS --format github',
  plan: 'landform plan $MANIFESTS --concurrency 4 --expires 168h --out plans',
  apply: 'landform apply "plans/$SITE.plan.json" --manifest "$manifest" --yes --progress lines',
  drift: 'landform drift $MANIFESTS --concurrency 4 --format text --format markdown=drift.md',
} as const

/** A manifest and a workflow are added to a repository. */
const aRepository: Chapter<World> = {
  title: 'A repository for a site',
  async play(world, { prose, types, shows, holds }) {
    const { laptop, site } = world
    prose(`\
The goal is a new site. Here it is an emulator on this machine; yours has an address that begins with https. In an empty
repository, a developer creates a manifest and a workflow:`)
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
The developer puts the license beside the manifest, enables the state in git, and names the nodes for upgrades:`)
    writeFileSync(join(laptop.folder, 'licenses', 'site.json'), '{}\n')
    world.push('main', 'Begin')
    world.edit(
      'site.yaml',
      ['#state:', 'state:'],
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

const aMistake: Chapter<World> = {
  title: 'A pull request with mistakes',
  async play(world, { prose, types, shows, holds }) {
    prose('On a branch, a developer changes the size of the queue and the email address:')
    world.edit(
      'site.yaml',
      ['email: admin@example.org', 'emial: gis@example.org'],
      ['QUEUE:\n      size: 16Gi', 'QUEUE:\n      size: 24GiB'],
    )
    shows('diff', world.changes())
    world.push('larger-queue', 'Make the queue larger')
    prose(`\
The first job of a pull request needs no network and no secret, so it also runs for forks. GitHub shows each message beside
its line of the manifest:`)
    const said = await types(world.runner('larger-queue'), pipeline.validate, { exit: 65 })
    const annotations = said.match(/^::error file=site\.yaml,line=\d+,/gm) ?? []
    holds('two annotations stand at lines of the manifest', annotations.length === 2)
    prose('`--fix` applies every fix that is unambiguous; the developer edits the rest by hand.')
    await types(world.laptop, 'landform validate site.yaml --fix', { exit: 65 })
    world.edit('site.yaml', ['emial', 'email'])
    world.push('larger-queue', 'Spell it right')
  },
}

/** The plan of a pull request is reviewed and stored. */
const aReview: Chapter<World> = {
  title: 'A plan that people review',
  async play(world, { prose, types, shows, holds }) {
    const runner = world.runner('larger-queue')
    await types(runner, pipeline.validate)
    prose(`\
Now that the manifest is valid, the next step reads the site, with GET requests only, and prints what an apply would do. It
reads the state from the repository, which has none yet.`)
    const said = await types(runner, pipeline.plan, {
      keep: [/^Plan/, /^The site/, /^Immutable after/, /^ {2}[!+~] /, /volumes.QUEUE/, / saved /, /^1 site/],
    })
    runner.keeps()
    holds('the plan creates the organization', said.includes('1 to create, 1 to update'))
    holds('no secret is in it', !/Correct-horse|lighthouse/.test(world.artifact()))
    prose(`\
The run keeps \`plans/production.plan.json\` as an artifact. \`landform comment\` shows the plan in the pull request, in a
comment that a later run replaces. The plan is also in the summary of the run, which begins like this:`)
    shows('markdown', `${runner.summary().trim().split('\n').slice(0, 20).join('\n')}\n…`)
    prose('Later steps can use these outputs:')
    shows('text', runner.outputs())
    holds('the outputs say that there are changes', runner.outputs().includes('changes=true\n'))
    prose('Reviewers approve the plan, and the pull request is merged.')
    world.merge('larger-queue')
  },
}

const stepLines = [/^\[.*\] (applying|lock acquired|configure|update)/, /^::/, /^Success/]
const endLines = [/^error/, /^Nothing/, /^next/, /^ {2}\d\. /]
/** The versions until `configure` is accepted: lock, submission intent with the plan, response of the service. */
const versionsOfTheFirst = 3

/** The runner that creates the site loses power during the apply, and others take over. */
const aRunnerDies: Chapter<World> = {
  title: 'A runner dies during apply',
  async play(world, { prose, types, holds }) {
    const runner = () => {
      const next = world.runner('main', pipelineSecrets)
      next.brings()
      return next
    }
    prose(`\
On the main branch, a job with the secrets downloads the reviewed plan and performs exactly that. It runs on a new machine
whose disk is discarded afterwards. Before \`configure\` is sent, the submission intent is pushed to the repository, below
\`refs/landform/\`. Then, after six of the fourteen stages, the machine is lost:`)
    const first = runner()
    await types(first, pipeline.apply, {
      exit: killed,
      keep: stepLines,
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
The service continues. Somebody runs the job again. A saved plan sends \`configure\` once; applied again, it waits for what it
started. But the dead runner still holds the lock, and this runner cannot find out whether it died or only lost its
connection:`)
    const locked = await types(runner(), pipeline.apply, { exit: 7, keep: endLines })
    const [, unlock = ''] = /`(landform state unlock [^`]*)`/.exec(locked) ?? []
    holds('it names who has the site, and how to take it back', locked.includes('runner-') && unlock !== '')
    prose(`\
The lock expires a quarter of an hour after it was last renewed. If GitHub reports that the runner was lost, you need not wait:`)
    await types(world.laptop, unlock)
    prose(`\
Now the job resumes the work of the first one. While it waits, somebody runs \`apply\` by hand, and learns who owns the lock:`)
    await types(runner(), pipeline.apply, {
      keep: stepLines,
      async meanwhile(running) {
        await running.untilSaid('configure: the site reports that configuration has started')
        running.signal('SIGSTOP')
        const byHand = 'landform apply site.yaml --yes'
        await types(runner(), byHand, { exit: 7, keep: endLines })
        world.site.pass()
        running.signal('SIGCONT')
        prose(
          'The lock owner sends no second `configure`. It polls until the site is ready, and then does what is left:',
        )
      },
    })
    holds('the service accepted one configure', (await world.site.accepted('configure')) === 1)
    holds('the service accepted one update', (await world.site.accepted('update')) === 1)
  },
}

const planLines = [/^Plan/, /^ {2}[=~+] /, /^ {6}[-+~] /, / saved /]
const batch = { key: 'batch', operator: 'Equal', value: 'nights', effect: 'NoSchedule' }
const lastToleration = '          value: upgrades\n          effect: NoSchedule'

/** Stale plans are rejected, with the facts that changed. */
const aPlanTooLate: Chapter<World> = {
  title: 'A stale plan',
  async play(world, { prose, types, shows, holds }) {
    const { site } = world
    prose('The next pull request allows upgrades on nodes that are reserved for nightly jobs:')
    world.edit('site.yaml', [
      lastToleration,
      `${lastToleration}\n        - { key: nightly, operator: Exists, effect: NoSchedule }`,
    ])
    shows('diff', world.changes())
    world.push('nights', 'Let upgrades run at night')
    prose(`\
By now the site exists and requires a token. Each command signs in for one, but this job does not have the password:`)
    await types(world.runner('nights'), pipeline.plan, { exit: 77 })
    const { LANDFORM_ADMIN_PASSWORD } = pipelineSecrets
    const signIn = { LANDFORM_ADMIN_PASSWORD }
    prose(`\
Once the password is a secret of the repository, [the workflow](how-to/github.md) passes it to the jobs that read the site:`)
    const planning = world.runner('nights', signIn)
    const said = await types(planning, pipeline.plan, { keep: planLines })
    planning.keeps()
    holds('the plan is one update', said.includes('0 to create, 1 to update'))
    prose(`\
The pull request is merged. But before the job of the main branch runs, another commit changes the same file. The manifest
is no longer the reviewed one, so the plan is rejected:`)
    const performing = () => {
      const runner = world.runner('main', pipelineSecrets)
      runner.brings()
      return runner
    }
    world.merge('nights')
    world.edit('site.yaml', ['fullName: Site Administrator', 'fullName: Site Administrators'])
    world.push('main', 'There are two of them')
    const manifest = await types(performing(), pipeline.apply, { exit: 6 })
    holds('it names the manifest', manifest.includes('saved plan is stale: the manifest changed'))
    prose(`\
That commit could not be applied anyway, because the first administrator is immutable. After a revert, the manifest matches
the plan again. But meanwhile somebody changes a setting of the site by hand, with the administrator API:`)
    world.edit('site.yaml', ['Site Administrators', 'Site Administrator'])
    world.push('main', 'Take it back')
    await site.setTolerations([batch], await site.token(administrator))
    const moved = await types(performing(), pipeline.apply, { exit: 6 })
    holds('it names what moved on the site', moved.includes('the upgrade configuration of the site'))
    holds('nothing was sent for this plan', (await site.accepted('update')) === 2)
  },
}

interface DriftReport {
  readonly sites: readonly [{ readonly result: { readonly fields: readonly { readonly verdict: string }[] } }]
}

/** A nightly job finds a manual change, and a plan reverts it. */
const drift: Chapter<World> = {
  title: 'A manual change',
  async play(world, { prose, types, shows, holds }) {
    const { LANDFORM_ADMIN_PASSWORD } = pipelineSecrets
    const token = { LANDFORM_ADMIN_PASSWORD }
    prose(`\
A nightly job compares the site with the manifest. The two differ, so the job fails with exit code 2. The JSON is for
programs, the Markdown for an issue:`)
    const night = world.runner('main', token)
    await types(night, `${pipeline.drift} \\\n  --format json=drift.json`, { exit: 2 })
    const read = (file: string) => readFileSync(join(night.folder, file), 'utf8')
    shows('markdown', `${read('drift.md').split('<details>')[0]?.trim()}\n…`)
    const { fields } = (JSON.parse(read('drift.json')) as DriftReport).sites[0].result
    holds(
      'the JSON says it of each field',
      fields.filter(({ verdict }) => verdict === 'different').length === 5,
    )
    prose(
      'The manifest is correct, so a new plan restores its values. It is reviewed and performed like the others:',
    )
    const planning = world.runner('main', token)
    await types(planning, pipeline.plan, { keep: [/^Plan/, /^ {2}[=~+] /, /^ {6}[-+~] /, / saved /] })
    planning.keeps()
    const performing = world.runner('main', { ...pipelineSecrets, ...token })
    performing.brings()
    await types(performing, pipeline.apply, { keep: [/^\[.*\] update/, /^Success/] })
    await types(world.runner('main', token), pipeline.drift)
    holds('there is still one configure', (await world.site.accepted('configure')) === 1)
  },
}

/** The history of the site in the repository. */
const afterwards: Chapter<World> = {
  title: 'The history',
  async play(world, { prose, types, holds }) {
    prose(`\
The complete history is in the repository, below \`refs/landform/\`; branches and checkouts do not show it. Months later, any
machine that may read the repository can print it:`)
    const told = await types(world.laptop, 'landform state show site.yaml')
    holds(
      'one promise to configure is in it',
      told.match(/configure: submission intent recorded/g)?.length === 1,
    )
    holds('nobody has the site', told.includes('lock       none'))
    prose(`\
The first run has no end, because its machine died; the next line shows that a person removed its lock. There is one
submission intent, one response of the service to it, and one \`configure\`.`)
  },
}

export const chapters: readonly Chapter<World>[] = [
  aRepository,
  aMistake,
  aReview,
  aRunnerDies,
  aPlanTooLate,
  drift,
  afterwards,
]
