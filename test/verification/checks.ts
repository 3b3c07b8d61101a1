/** How a check runs: in a form as short as it can be, or at the length that its figures ask for. */
export type Form = 'short' | 'full'

/** What a counter must come to at least, in both forms; a check that looks at less has shown nothing. */
export type Demand = readonly [short: number, full: number]

/** One check of `npm run verify`, which is `npm run verify:NAME` by itself. */
export interface Check {
  readonly name: string
  /** What it shows, as a sentence for a reader of `docs/verification.md`. */
  readonly shows: string
  /** By the name of the counter. */
  readonly demands: Readonly<Record<string, Demand>>
  /** The counter of what was planted wrong and found: a check that finds none of that may find nothing at all. */
  readonly planted: string
  /** Where its short form is held besides: in `npm test`, or in `.ci/run` only. */
  readonly short: 'test' | 'ci'
  /** What may not be without it: a release, or any change. */
  readonly gate: 'release' | 'change'
}

/** All of them, in the order in which they run. */
export const checks: readonly Check[] = [
  {
    name: 'model',
    shows:
      'The design configures a site once, in every state that Spin can reach, and five other designs do not.',
    demands: { 'safe models': [2, 2], 'broken models found': [5, 5] },
    planted: 'broken models found',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'sim',
    shows:
      'Whatever goes wrong at each effect of an apply, once, twice, or with several at once, no promise breaks, also where the power goes.',
    demands: {
      courses: [700, 60_000],
      'courses with three faults': [200, 20_000],
      seeds: [200, 100_000],
      'losses of the disk': [150, 20_000],
      cases: [8, 8],
      'mistakes found': [3, 3],
    },
    planted: 'mistakes found',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'mutants',
    shows:
      'Programs with a mistake in them are found out: designs of others, edits of the sources, and mends that are taken back.',
    demands: { designs: [22, 22], edits: [9, 111], 'checks that found one': [4, 17] },
    planted: 'edits',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'mutation',
    shows:
      'Of the changes that Stryker makes in the executor, the journal and the redaction, tests notice 85 of 100.',
    demands: { mutants: [20, 1000], killed: [17, 850] },
    planted: 'killed',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'kill',
    shows: 'A real run that is killed at any point leaves a site that the next run brings to its end.',
    demands: { 'kills at points': [10, 250], 'kills at random': [10, 1000], 'controls found': [3, 9] },
    planted: 'controls found',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'syscalls',
    shows:
      'Whichever system call on the state fails, or is the last one, the state is old or new, and no exit code lies.',
    demands: {
      'injections into a writer': [20, 300],
      'injections into landform apply': [10, 400],
      'kills of writers': [40, 2000],
      'torn files of the control': [3, 30],
      'full disks': [2, 10],
    },
    planted: 'torn files of the control',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'concurrency',
    shows:
      'Of processes and machines that come at once, or of which one stands still, one configures the site.',
    demands: {
      'races for numbers': [6, 400],
      'races for sites': [2, 70],
      'runs that stood still': [2, 20],
      'meetings of two machines': [3, 100],
      'controls found': [2, 2],
    },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'database',
    shows:
      'Of processes that meet in a database one configures a site; whichever of them dies or stands still, or the server, nothing that was said is lost.',
    demands: {
      'races for numbers': [20, 400],
      'races for sites': [2, 40],
      'kills at points': [6, 120],
      'runs that stood still': [4, 72],
      'versions kept': [50, 2000],
      'kills of the server': [8, 160],
      'controls found': [1, 1],
    },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'cuts',
    shows: 'A request or an answer that is cut at any byte is never sent again and never taken for certain.',
    demands: { cuts: [300, 9000], 'controls found': [4, 4] },
    planted: 'controls found',
    short: 'test',
    gate: 'change',
  },
  {
    name: 'faults',
    shows: 'Each line of the fault table comes to what it says, for each command that can meet it.',
    demands: { cells: [52, 400], rows: [52, 52], 'controls found': [1, 1] },
    planted: 'controls found',
    short: 'test',
    gate: 'change',
  },
  {
    name: 'time',
    shows:
      'Whatever happens to the clock of a machine or of the service, an apply tells the same and ends the same.',
    demands: { courses: [70, 200], leases: [77, 77], dates: [20, 20], 'controls found': [1, 1] },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'exit',
    shows:
      'Each exit code says what is so, whatever happens to the run, and a product arrives whole or the code says so.',
    demands: {
      cells: [50, 300],
      printings: [4, 12],
      crashes: [3, 3],
      signals: [4, 32],
      'command lines': [80, 80],
      'codes seen': [15, 19],
      'controls found': [2, 2],
    },
    planted: 'controls found',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'resume',
    shows:
      'Wherever an earlier run ended, one more apply, and then the commands that are printed, lead to the end.',
    demands: {
      situations: [20, 700],
      commands: [30, 1200],
      'of them by the program': [2, 10],
      'situations of the simulation': [45, 60],
      'controls found': [3, 3],
    },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'fleet-sim',
    shows:
      'Fleets of ten thousand sites, played in virtual time, keep their limits and their order and lose no site, whichever workers die.',
    demands: { 'small fleets': [20, 400], 'sites played': [7000, 70_000], 'mistakes found': [7, 7] },
    planted: 'mistakes found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'sites',
    shows: 'A faulty site never touches another one of the same run.',
    demands: { sites: [40, 100], 'planted faults found': [3, 3] },
    planted: 'planted faults found',
    short: 'test',
    gate: 'change',
  },
  {
    name: 'fleet',
    shows:
      'Whatever befalls the workers or the database of a fleet, each site is configured once, and none is left alone.',
    demands: { courses: [1, 9], sites: [39, 2800], 'planted mistakes found': [1, 9] },
    planted: 'planted mistakes found',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'multipart',
    shows: 'Parsers that are none of ours read every byte of a request as it was meant.',
    demands: {
      parsers: [6, 10],
      readings: [200, 1200],
      'altered bodies found': [12, 20],
      'largest licenses': [1, 1],
    },
    planted: 'altered bodies found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'secrets',
    shows:
      'No secret, and no part of one, gets into anything that a run prints, writes, keeps or tells, in any encoding.',
    demands: {
      canaries: [12, 12],
      encodings: [9, 9],
      channels: [80, 100],
      controls: [80, 100],
      cells: [50, 400],
      'outputs compared': [28, 28],
    },
    planted: 'controls',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'tls',
    shows:
      'No certificate or server that is not to be believed ever hears a request, whatever is asked of it.',
    demands: { cases: [18, 18], cells: [36, 300], controls: [12, 12], surroundings: [4, 10] },
    planted: 'controls',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'redirect',
    shows:
      'Nothing is asked, and no secret sent, where an answer, an odd address or the name of a service points to.',
    demands: { cells: [35, 250], addresses: [50, 300], 'names of services': [20, 20], controls: [11, 11] },
    planted: 'controls',
    short: 'ci',
    gate: 'release',
  },
  {
    name: 'emulator',
    shows:
      'An emulator answers programs of its machine alone: no other machine, and no page of another site.',
    demands: {
      'requests turned away': [1000, 4000],
      controls: [2, 2],
      addresses: [1, 1],
      'broken requests': [300, 20_000],
      'held connections': [200, 2000],
    },
    planted: 'controls',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'yaml',
    shows: 'No document makes the check slow, large, or end with anything but findings.',
    demands: {
      documents: [40, 40],
      mutants: [1000, 100_000],
      'cases of the suite': [402, 402],
      'cases that the library reads as the suite': [400, 400],
      patterns: [60, 60],
      'careless programs found': [4, 4],
      'careless patterns found': [6, 6],
    },
    planted: 'careless programs found',
    short: 'test',
    gate: 'change',
  },
  {
    name: 'files',
    shows: 'No path in a file of the user leads a command out of the folder that it may read.',
    demands: { attacks: [60, 60], meetings: [60, 800], 'controls found': [30, 30], races: [2000, 40_000] },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'output',
    shows: 'No text of a manifest or of a site becomes anything but text, in any format of any command.',
    demands: {
      texts: [12, 200],
      renderings: [700, 10_000],
      'renderings that show it': [47, 47],
      'texts through pipes': [1, 12],
      'careless formats found': [11, 11],
    },
    planted: 'careless formats found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'types',
    shows: 'There is no way around the types but those with a reason, and what must not compile does not.',
    demands: {
      options: [13, 13],
      'source files': [500, 500],
      'declaration files': [80, 80],
      'kinds of escapes found': [5, 5],
      'lines refused': [14, 14],
    },
    planted: 'kinds of escapes found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'properties',
    shows: 'Properties that the tests try a few times hold when they are tried many times as often.',
    demands: { properties: [1000, 1000], 'times as many cases': [1, 60], 'controls found': [2, 2] },
    planted: 'controls found',
    short: 'test',
    gate: 'change',
  },
  {
    name: 'terminal',
    shows: 'What a person sees in a real terminal is what it should be, at any width.',
    demands: { claims: [37, 37], 'broken screens found': [12, 12] },
    planted: 'broken screens found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'pipeline',
    shows: 'The story of a pipeline, with real repositories, processes and sockets, happens as it is told.',
    demands: { claims: [40, 40], 'claims of the workflow': [16, 16], 'controls found': [2, 2] },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'contributing',
    shows: 'The worked examples for contributors can be followed as they stand.',
    demands: { examples: [1, 2], 'controls found': [2, 4] },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'nodes',
    shows: 'The packages work, installed as users do, under each Node that they promise to run on.',
    demands: { nodes: [1, 3], uses: [9, 27], 'broken packages found': [1, 3] },
    planted: 'broken packages found',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'supply',
    shows:
      'What comes in is locked, mended and runs nothing; what goes out is the same from any folder, and is what it says.',
    demands: {
      packages: [500, 500],
      parts: [10, 10],
      workflows: [2, 2],
      files: [100, 100],
      builds: [2, 3],
      controls: [40, 40],
    },
    planted: 'controls',
    short: 'ci',
    gate: 'change',
  },
  {
    name: 'image',
    shows:
      'The images work for a user without rights where nothing can be written, and so does a worker of a fleet.',
    demands: { claims: [8, 8], 'controls found': [2, 2] },
    planted: 'controls found',
    short: 'ci',
    gate: 'change',
  },
]
