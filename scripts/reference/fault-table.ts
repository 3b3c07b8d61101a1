import type { Cell, FaultOperation, FaultRow, JournalState, SetupName } from './fault-row.js'

type More = Partial<Pick<Cell, 'configured' | 'again' | 'faults' | 'fidelity'>>

/** Builds a run that configures, with faults of the emulator. */
function buildConfigureCell(fault: string, exitCode: number, journal: JournalState, more: More = {}): Cell {
  return { operation: 'apply', by: [`configure@1=${fault}`], exitCode, journal, ...more }
}

/** Builds a run that waits, with faults of the site or of its polls. */
function buildWaitCell(fault: string, exitCode: number, journal: JournalState, more: More = {}): Cell {
  return { operation: 'apply', by: [fault], exitCode, journal, ...more }
}

/** Builds an operation on a site that has its organization. */
function buildOperationCell(
  operation: FaultOperation,
  fault: string,
  exitCode: number,
  more: More = {},
): Cell {
  return { operation, by: [fault], exitCode, journal: 'none', configured: true, ...more }
}

/** Builds commands in a faulty environment, which stays faulty for the second run unless `again` is given. */
function buildEnvironmentCells(
  by: SetupName,
  exitCode: number,
  { operations = ['apply'], journal = 'none', ...more }: More & Partial<With> = {},
): readonly Cell[] {
  return operations.map(operation => ({ operation, by, exitCode, journal, again: exitCode, ...more }))
}

interface With {
  readonly operations: readonly FaultOperation[]
  readonly journal: JournalState
}

const readers = ['plan', 'status', 'apply'] as const
const all = [...readers, 'exportSite', 'deleteAll'] as const
const polls = 'root@3-6='
/** With the fidelity `field` a site reports settings that differ from those of the manifest. */
const document = { fidelity: 'document' } as const

/** Every known fault with its required outcome. The command line is run for each cell, over real sockets. */
export const faultTable: readonly FaultRow[] = [
  {
    id: 'F01',
    where: 'before',
    fault: 'The manifest is too large, no UTF-8, or made to be expensive',
    answer: 'It is rejected before the site is read, and the message names the place',
    cells: [
      ...buildEnvironmentCells('a manifest that is too large', 65, { operations: all }),
      ...buildEnvironmentCells('a manifest that is no UTF-8', 65, { operations: all }),
      ...buildEnvironmentCells('a manifest that multiplies', 65, { operations: all }),
      ...buildEnvironmentCells('a manifest that is nested too deeply', 65, { operations: all }),
    ],
  },
  {
    id: 'F02',
    where: 'before',
    fault: 'The manifest does not fit its schema',
    answer: 'Each error is shown at its place, without the value of a secret',
    cells: [...buildEnvironmentCells('a manifest with an unknown field', 65, { operations: all })],
  },
  {
    id: 'F03',
    where: 'before',
    fault: 'The license is missing, empty, a folder, or a link out of the folder',
    answer: 'Nothing was recorded or sent; the message names the file',
    cells: [
      ...buildEnvironmentCells('no license', 66, { operations: ['plan', 'apply'] }),
      ...buildEnvironmentCells('an empty license', 65, { operations: ['plan', 'apply'] }),
      ...buildEnvironmentCells('a folder for a license', 65, { operations: ['plan', 'apply'] }),
      ...buildEnvironmentCells('a license behind a link out of the folder', 65, {
        operations: ['plan', 'apply'],
      }),
    ],
  },
  {
    id: 'F04',
    where: 'before',
    fault: 'The license changes between plan and apply',
    answer: 'The saved plan is rejected as stale, and the message names the file',
    cells: [...buildEnvironmentCells('a license that changed since the plan', 6)],
  },
  {
    id: 'F05',
    where: 'before',
    fault: 'The license changes while it is sent',
    answer: 'The request body was read completely before the submission intent was recorded',
    cells: [],
    elsewhere: 'Cannot happen: the request body is in memory before the submission intent is recorded.',
  },
  {
    id: 'F06',
    where: 'before',
    fault: 'The manifest changes between plan and apply, or the plan names one outside the folder',
    answer:
      'The saved plan is rejected as stale, and the message names the change; a file outside the folder is not opened',
    cells: [
      ...buildEnvironmentCells('a manifest that changed since the plan', 6),
      ...buildEnvironmentCells('a plan of a manifest that lies elsewhere', 6),
    ],
  },
  {
    id: 'F07',
    where: 'before',
    fault: 'A secret is missing, or was changed since the plan',
    answer:
      'A missing secret stops a run that needs it before anything is sent, and any other keeps only codes of the site; a new value is used',
    cells: [
      ...buildEnvironmentCells('no password', 66),
      ...buildEnvironmentCells('a password that changed since the plan', 0, { journal: 'ready', again: 6 }),
    ],
  },
  {
    id: 'F08',
    where: 'before',
    fault: 'A secret has line breaks or is far too long',
    answer: 'One line break at its end is removed; anything else is rejected before anything is sent',
    cells: [
      ...buildEnvironmentCells('a password that ends with a line break', 0, { journal: 'ready', again: 0 }),
      ...buildEnvironmentCells('a password with a line break in it', 65),
      ...buildEnvironmentCells('a password that is far too long', 65),
    ],
  },
  {
    id: 'F09',
    where: 'before',
    fault:
      'The state is damaged, a version is missing, others may read it, or it is a link, such as one to a folder of the system',
    answer: 'It is never treated as empty: nothing is sent, and the message names the place',
    cells: [
      ...buildEnvironmentCells('state that is cut short', 74, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
      ...buildEnvironmentCells('state that was altered', 74, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
      ...buildEnvironmentCells('state with a gap', 74, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
      ...buildEnvironmentCells('state that others may read', 74, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
      ...buildEnvironmentCells('state behind a link', 74, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
      ...buildEnvironmentCells('state in a folder of the system', 74, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
    ],
  },
  {
    id: 'F10',
    where: 'before',
    fault: 'The submission intent cannot be recorded',
    answer: 'Nothing was sent, because it could not be recorded',
    cells: [...buildEnvironmentCells('no place for state', 74, { journal: 'unreadable' })],
    elsewhere: 'Each system call of a write is made to fail by `npm run verify -- syscalls --full`.',
  },
  {
    id: 'F11',
    where: 'before',
    fault:
      'Another run holds the lock: its process is alive, dead, on another machine or of an earlier boot, or its process ID was reused',
    answer:
      'The lock of a live process is respected; that of a dead one is taken over; if its liveness is unknown, the message names the lock',
    cells: [
      ...buildEnvironmentCells('a lock of a process that lives', 7),
      ...buildEnvironmentCells('a lock of a process that is dead', 0, { journal: 'ready', again: 0 }),
      ...buildEnvironmentCells('a lock of a process whose number was reused', 0, {
        journal: 'ready',
        again: 0,
      }),
      ...buildEnvironmentCells('a lock of another machine', 7),
      ...buildEnvironmentCells('a lock of an earlier boot', 7),
    ],
  },
  {
    id: 'F12',
    where: 'before',
    fault: 'The user interrupts before the submission intent is recorded',
    answer: 'Nothing was sent',
    cells: [
      ...buildEnvironmentCells('an interrupt at the first poll', 130, { again: 0 }),
      ...buildEnvironmentCells('a termination at the first poll', 143, { again: 0 }),
    ],
  },
  {
    id: 'F13',
    where: 'before',
    fault: 'The process is killed while it records the submission intent',
    answer: 'The state is absent, old or new, never partial',
    cells: [],
    elsewhere: 'Needs processes of its own: `npm run verify -- syscalls --full`.',
  },
  {
    id: 'F14',
    where: 'before',
    fault: 'The environment disables TLS verification',
    answer: 'Landform does not run',
    cells: [...buildEnvironmentCells('TLS that is not verified', 78, { operations: all })],
  },
  {
    id: 'F15',
    where: 'connecting',
    fault: 'The host name of the site cannot be resolved',
    answer: 'Nothing was sent; `--wait-ready` waits for it',
    cells: [...buildEnvironmentCells('a name that leads nowhere', 69, { operations: all })],
  },
  {
    id: 'F16',
    where: 'connecting',
    fault: 'Nobody listens at the address',
    answer: 'Nothing was sent; `--wait-ready` waits for it',
    cells: [...buildEnvironmentCells('a port where nobody listens', 69, { operations: all })],
  },
  {
    id: 'F17',
    where: 'connecting',
    fault: 'The certificate is not trusted, or there is no TLS',
    answer: 'Nothing was sent; no message suggests disabling the verification',
    cells: [
      ...buildEnvironmentCells('a certificate that signed itself', 77, { operations: all }),
      ...buildEnvironmentCells('a port without TLS', 77, { operations: all }),
    ],
  },
  {
    id: 'F18',
    where: 'connecting',
    fault: 'The proxy of the environment cannot be reached',
    answer: 'Nothing was sent',
    cells: [...buildEnvironmentCells('a proxy where nobody listens', 69, { operations: all })],
  },
  {
    id: 'F19',
    where: 'under way',
    fault: 'The connection ends while configure is sent',
    answer: 'The outcome is unknown: the site is polled, and nothing is sent again',
    cells: [
      buildConfigureCell('drop-before', 4, 'unknown', { again: 4 }),
      buildConfigureCell('reset-before', 4, 'unknown', { again: 4 }),
    ],
    elsewhere: 'Every byte is cut by `npm run verify -- cuts --full`.',
  },
  {
    id: 'F20',
    where: 'under way',
    fault: 'configure is never answered, and was not carried out',
    answer: 'After the deadline, or an interrupt and its grace, the outcome is unknown',
    cells: [
      ...buildEnvironmentCells('an interrupt while configure hangs', 4, {
        journal: 'unknown',
        again: 4,
        faults: ['configure@1=hang-before'],
      }),
    ],
    elsewhere: 'The deadline itself is a quarter of an hour of real time.',
  },
  {
    id: 'F21',
    where: 'under way',
    fault: 'The service, or something before it, rejects configure while it is sent',
    answer:
      'A complete rejection by the service counts once the site has reported for two minutes that nothing began, and another request needs consent; after a web page, a server error, or a rejection that a gateway may have sent, the outcome is unknown: its status and first words are repeated until the end',
    cells: [
      buildConfigureCell('status:401,json', 77, 'rejected', { again: 4 }),
      buildConfigureCell('status:413,json', 5, 'rejected', { again: 4 }),
      ...[400, 401, 404, 405, 413, 414, 500, 502, 503, 504].map(status =>
        buildConfigureCell(`status:${status}`, 4, 'unknown', { again: 4 }),
      ),
      buildConfigureCell('status:503,json', 4, 'unknown', { again: 4 }),
      buildConfigureCell('status:401,empty', 4, 'unknown', { again: 4 }),
      buildConfigureCell('status:403,empty', 4, 'unknown', { again: 4 }),
      buildConfigureCell('error:503,message:Busy.', 4, 'unknown', { again: 4 }),
      buildConfigureCell('error:504,message:Too late.', 4, 'unknown', { again: 4 }),
    ],
  },
  {
    id: 'F22',
    where: 'under way',
    fault: 'configure is redirected with its body',
    answer: 'It is not followed; the site is polled for the outcome',
    cells: [
      buildConfigureCell('redirect:307', 4, 'unknown', { again: 4 }),
      buildConfigureCell('redirect:308', 4, 'unknown', { again: 4 }),
      buildConfigureCell('redirect-after:307', 0, 'ready'),
      buildConfigureCell('redirect-after:308', 0, 'ready'),
    ],
  },
  {
    id: 'F23',
    where: 'under way',
    fault: 'A login page, a redirect, or a page that denies access, responds instead of the site',
    answer:
      'It is not followed; the message says who answered and the target of a redirect, and suggests a token only beside that',
    cells: [
      buildConfigureCell('redirect:302,location:/login', 4, 'unknown', { again: 4 }),
      buildConfigureCell('redirect:303,location:/login', 4, 'unknown', { again: 4 }),
      buildWaitCell('root=redirect:302,location:/login', 77, 'none', { again: 77 }),
      { ...buildOperationCell('status', 'root=redirect:302,location:/login', 77), again: 77 },
      { ...buildOperationCell('status', 'root=html', 77), again: 77 },
      { ...buildOperationCell('status', 'root=status:403', 77), again: 77 },
      { ...buildOperationCell('status', 'root=redirect:301,location:/elsewhere', 78), again: 78 },
      { ...buildOperationCell('plan', 'root=redirect:308,location:/elsewhere', 78), again: 78 },
    ],
  },
  {
    id: 'F24',
    where: 'under way',
    fault: 'The user interrupts while configure is sent',
    answer: 'The request is not aborted at once; without a response its outcome is unknown',
    cells: [
      ...buildEnvironmentCells('an interrupt while the answer hangs', 4, {
        journal: 'unknown',
        again: 0,
        faults: ['configure@1=hang-after'],
      }),
    ],
  },
  {
    id: 'F25',
    where: 'under way',
    fault: 'The process is killed while configure is sent',
    answer: 'The next run finds the submission intent, polls the site, and sends nothing',
    cells: [
      ...buildEnvironmentCells('a submission intent of a process that was killed', 4, {
        journal: 'intent',
        again: 4,
      }),
      ...buildEnvironmentCells('a submission intent whose request arrived', 0, {
        journal: 'ready',
        again: 0,
        configured: true,
      }),
    ],
    elsewhere: 'Real processes are killed by `npm run verify -- kill`.',
  },
  {
    id: 'F26',
    where: 'under way',
    fault: 'Interim responses come first',
    answer: 'They are ignored',
    cells: [
      buildConfigureCell('interim:5,every:1s', 0, 'ready'),
      buildConfigureCell('interim:200,every:1ms', 0, 'ready'),
    ],
  },
  {
    id: 'F27',
    where: 'under way',
    fault: 'HTTP/2 refuses a stream, and a client retries it automatically',
    answer: 'Only HTTP/1.1 is used',
    cells: [],
    elsewhere: 'Cannot happen over HTTP/1.1.',
  },
  {
    id: 'F28',
    where: 'under way',
    fault: 'An idle connection is closed as configure is written to it',
    answer: 'Each request has a connection of its own',
    cells: [],
    elsewhere: 'Cannot happen: no connection is used twice, which `test/client/http.test.ts` checks.',
  },
  {
    id: 'F29',
    where: 'answer lost',
    fault: 'configure was carried out, and its response is lost or truncated',
    answer: 'The outcome is unknown until the site shows it; nothing is sent again',
    cells: [
      buildConfigureCell('drop-after', 0, 'ready'),
      buildConfigureCell('reset-after', 0, 'ready'),
      buildConfigureCell('truncate:0', 0, 'ready'),
      buildConfigureCell('truncate:100', 0, 'ready'),
      buildConfigureCell('length:+50', 0, 'ready'),
      buildConfigureCell('length:-50', 0, 'ready'),
    ],
  },
  {
    id: 'F30',
    where: 'answer lost',
    fault: 'The response is slow, or never arrives',
    answer: 'One deadline covers everything; then the site is polled',
    cells: [
      buildConfigureCell('slow:20000', 0, 'ready'),
      buildConfigureCell('delay:5m', 0, 'ready'),
      buildConfigureCell('delay-after:5m', 0, 'ready'),
    ],
  },
  {
    id: 'F31',
    where: 'answer lost',
    fault: 'The response is not JSON, has another shape, is a web page, or is endless',
    answer: 'Only a complete response counts as success; the site is polled',
    cells: [
      buildConfigureCell('garbage', 0, 'ready'),
      buildConfigureCell('wrong-shape', 0, 'ready'),
      buildConfigureCell('html-after', 0, 'ready'),
      buildConfigureCell('huge:5MiB', 0, 'ready'),
      buildConfigureCell('html', 4, 'unknown', { again: 4 }),
    ],
  },
  {
    id: 'F32',
    where: 'answer lost',
    fault: 'An error has the status 200',
    answer:
      'It is a rejection, whatever the status, unless its code is one of a gateway, or the site shows in the next two minutes that it has begun',
    cells: [
      buildConfigureCell('error:400,message:No.', 5, 'rejected', { again: 4 }),
      buildConfigureCell('error:498,message:Invalid token.', 77, 'rejected', { again: 4 }),
      buildConfigureCell('error:499,message:Token required.', 77, 'rejected', { again: 4 }),
      buildConfigureCell('error-after:400,message:No.', 0, 'ready'),
      {
        ...buildConfigureCell('error-after:400,message:No.', 0, 'ready'),
        by: ['configure@1=error-after:400,message:No.', 'root@3=status:503', 'root@4=reset-before'],
      },
    ],
  },
  {
    id: 'F33',
    where: 'answer lost',
    fault: 'The service, or a gateway before it, responds with a server error',
    answer: 'The outcome of configure is unknown; a poll is retried after the requested time',
    cells: [
      buildConfigureCell('status-after:500', 0, 'ready'),
      buildConfigureCell('status-after:500,json', 0, 'ready'),
      buildConfigureCell('status-after:502', 0, 'ready'),
      buildConfigureCell('status-after:503,retry-after:1', 0, 'ready'),
      buildConfigureCell('status-after:504', 0, 'ready'),
      buildConfigureCell('status:429,retry-after:1', 4, 'unknown', { again: 4 }),
      buildWaitCell(`${polls}status:503,retry-after:5`, 0, 'ready'),
      buildWaitCell(`${polls}status:429,retry-after:5`, 0, 'ready'),
    ],
  },
  {
    id: 'F34',
    where: 'answer lost',
    fault: 'A success status without a body',
    answer: 'It proves nothing; the site is polled',
    cells: ['configure@1=truncate:0', 'configure@1=length:+9000'].map(fault =>
      buildWaitCell(fault, 0, 'ready'),
    ),
  },
  {
    id: 'F35',
    where: 'answer lost',
    fault: 'The disk fails after the submission intent was recorded',
    answer:
      'The wait continues, because the submission intent is enough; the failed write is reported at the end',
    cells: [
      ...buildEnvironmentCells('a disk that fails while configure is sent', 74, {
        journal: 'intent',
        again: 7,
      }),
    ],
    elsewhere:
      'A second run of the same process finds its own lock, which it could not release; a new process takes it over, as F11 shows.',
  },
  {
    id: 'F36',
    where: 'polling',
    fault: 'Polls of the site fail, in any way',
    answer: 'The wait continues, and each new reason is reported once',
    cells: [
      ...['drop-before', 'drop-after', 'reset-before', 'reset-after', 'html', 'garbage', 'wrong-shape'].map(
        fault => buildWaitCell(`${polls}${fault}`, 0, 'ready'),
      ),
      ...['huge:5MiB', 'truncate:20', 'length:+50', 'status:500', 'status:502,empty', 'interim:20'].map(
        fault => buildWaitCell(`${polls}${fault}`, 0, 'ready'),
      ),
      ...['drop-before', 'garbage', 'status:503'].map(fault =>
        buildWaitCell(`root@Queue store=${fault}`, 3, 'begun', { again: 75 }),
      ),
      buildWaitCell('root@Queue store=html', 77, 'begun', { again: 77 }),
      buildWaitCell('root@Queue store=status:404', 3, 'begun', { again: 69 }),
      buildOperationCell('status', 'root@1=html', 0),
      { ...buildOperationCell('status', 'root=status:404', 69), again: 69 },
      { ...buildOperationCell('plan', 'root=status:404,empty', 69), again: 69 },
      { ...buildOperationCell('plan', 'root=error:404,message:Not found.', 69), again: 69 },
      { ...buildOperationCell('status', 'root=error:503,message:Busy.', 75), again: 75 },
      buildOperationCell('plan', 'root@1=html', 0, document),
      ...['drop-after', 'reset-before', 'garbage', 'status:503'].map(fault => ({
        ...buildOperationCell('status', `root@1=${fault}`, 75),
        again: 0,
      })),
      ...['drop-after', 'garbage', 'status:503'].map(fault => ({
        ...buildOperationCell('plan', `root@1=${fault}`, 75, document),
        again: 0,
      })),
    ],
  },
  {
    id: 'F37',
    where: 'polling',
    fault: 'The token expires in the middle of the wait',
    answer:
      'It is read again for each poll; if none is valid, the service continues and a later run resumes waiting',
    cells: [
      buildWaitCell('root@4-6=error:498,message:Invalid token.', 0, 'ready'),
      buildWaitCell('root@4-6=status:401', 0, 'ready'),
      buildWaitCell('root@Queue store=error:498,message:Invalid token.', 77, 'begun', { again: 77 }),
    ],
  },
  {
    id: 'F38',
    where: 'polling',
    fault: 'The state goes backwards',
    answer: 'The site counts as ready after two polls in a row; nothing is sent again',
    cells: [buildWaitCell('site@ready=back:Portal REST API,after:300ms', 0, 'ready')],
  },
  {
    id: 'F39',
    where: 'polling',
    fault: 'The site reports an unknown state or stage',
    answer: 'It is shown as reported, and the wait continues; after the timeout an operator is needed',
    cells: [
      buildWaitCell('site@Queue store+1m=state:paused', 0, 'ready'),
      buildWaitCell('site@Queue store=state:paused', 4, 'begun', { again: 4 }),
      buildWaitCell('site@Queue store=state:error_recovering', 4, 'begun', { again: 4 }),
      buildWaitCell('site@Queue store+1m=state:IN_PROGRESS', 0, 'ready'),
      buildWaitCell('site=rename:Queue store,to:QUEUE STORE', 0, 'ready'),
      buildWaitCell('site=hide:Usage statistics', 0, 'ready'),
      buildWaitCell('site=repeat:Portal REST API', 0, 'ready'),
      buildWaitCell('site=stages:3', 0, 'ready'),
    ],
  },
  {
    id: 'F40',
    where: 'polling',
    fault: 'A stage fails',
    answer:
      'The state of the site decides, after two polls in a row; a stage that failed while the site continues is reported at once and again after minutes',
    cells: [
      buildWaitCell('site@Object store=fail:It did not start.', 5, 'failed', { again: 5 }),
      buildWaitCell('site@Relational store=fail', 5, 'failed', { again: 5 }),
    ],
  },
  {
    id: 'F41',
    where: 'polling',
    fault: 'The state and the stages contradict each other',
    answer: 'The state decides, and the mismatch is reported; an update that the service then rejects fails',
    cells: [buildWaitCell('site@Queue store=state:ready', 5, 'ready', { again: 5 })],
  },
  {
    id: 'F42',
    where: 'polling',
    fault:
      'The clock of the service, of this machine, or of the one that recorded the submission intent is wrong',
    answer: 'Only the monotonic clock of this machine is used, also while a request may still arrive',
    cells: [buildWaitCell('site=skew:-900000h', 0, 'ready'), buildWaitCell('site=skew:900000h', 0, 'ready')],
    elsewhere:
      'A clock is set, and a machine is behind, in `test/apply/clear-submission.test.ts` and `npm run verify -- sim`.',
  },
  {
    id: 'F43',
    where: 'polling',
    fault: 'The configuration never ends',
    answer: 'After the timeout it is still in progress; a later run resumes waiting',
    cells: [buildWaitCell('site@Relational store=stall', 3, 'begun', { again: 3 })],
  },
  {
    id: 'F44',
    where: 'polling',
    fault: 'Another site responds at the address, or the site lost its configuration',
    answer: 'It is reported, and nothing is sent',
    cells: [
      buildWaitCell('site@Queue store=replace,version:11.1,build:other', 6, 'begun', { again: 6 }),
      buildWaitCell('site@Queue store=replace,build:other', 6, 'begun', { again: 6 }),
      buildWaitCell('site@Queue store=forget', 6, 'begun', { again: 6 }),
    ],
  },
  {
    id: 'F45',
    where: 'polling',
    fault: 'The site sends huge responses, or control characters in them',
    answer: 'The output is cut and escaped',
    cells: [
      buildWaitCell('site=warnings:5000', 0, 'ready'),
      buildWaitCell('site=message:\u001b[2J::error::x', 0, 'ready'),
    ],
  },
  {
    id: 'F46',
    where: 'other operations',
    fault: 'The outcome of an update is unknown',
    answer:
      'It is retried a few times, because the same policy again changes nothing; then an operator is needed. A redirect or a page that would only come again is not retried',
    cells: [
      ...[
        'drop-before',
        'drop-after',
        'reset-before',
        'reset-after',
        'garbage',
        'truncate:5',
        'status:503',
        'status-after:500',
      ].map(fault => buildOperationCell('update', `update@1=${fault}`, 0, document)),
      ...['html-after', 'redirect:307', 'status:404', 'status:405', 'status:413'].map(fault =>
        buildOperationCell('update', `update@1=${fault}`, 4, document),
      ),
      { ...buildOperationCell('update', 'update=status:500,json', 5, document), again: 5 },
      ...['drop-before', 'drop-after', 'garbage', 'status:503'].map(fault => ({
        ...buildOperationCell('update', `update=${fault}`, 4, document),
        again: 4,
      })),
      { ...buildOperationCell('update', 'update=error:400,message:No.', 5, document), again: 5 },
      { ...buildOperationCell('update', 'update=error:498,message:Invalid token.', 77, document), again: 77 },
    ],
  },
  {
    id: 'F47',
    where: 'other operations',
    fault: 'The outcome of an export is unknown',
    answer: 'It is not retried; the message names the place to check',
    cells: [
      ...[
        'drop-before',
        'drop-after',
        'reset-after',
        'html',
        'garbage',
        'truncate:5',
        'status:503',
        'redirect:307',
      ].map(fault => buildOperationCell('exportSite', `exportSite@1=${fault}`, 4)),
      buildOperationCell('exportSite', 'exportSite@1=error:400,message:No.', 5),
      buildOperationCell('exportSite', 'exportSite@1=status:500,json', 5),
      buildOperationCell('exportSite', 'exportSite@1=error:498,message:Invalid token.', 77),
    ],
  },
  {
    id: 'F48',
    where: 'other operations',
    fault: 'The outcome of a deletion is unknown',
    answer: 'It is not retried, because new webhooks would be lost',
    cells: [
      ...[
        'drop-before',
        'drop-after',
        'reset-after',
        'html',
        'garbage',
        'truncate:5',
        'status:503',
        'redirect:307',
      ].map(fault => buildOperationCell('deleteAll', `deleteAll@1=${fault}`, 4)),
      buildOperationCell('deleteAll', 'deleteAll@1=error:400,message:No.', 5),
      buildOperationCell('deleteAll', 'deleteAll@1=status:500,json', 5),
      buildOperationCell('deleteAll', 'deleteAll@1=error:498,message:Invalid token.', 77),
    ],
  },
  {
    id: 'F49',
    where: 'other operations',
    fault: 'The name of a service would escape its path segment',
    answer: 'It is rejected before anything is sent',
    cells: [
      ...buildEnvironmentCells('a service called ..', 65, { operations: ['deleteAll'] }),
      ...buildEnvironmentCells('a service with a slash in disguise', 65, { operations: ['deleteAll'] }),
      ...buildEnvironmentCells('a service with a query', 65, { operations: ['deleteAll'] }),
    ],
  },
  {
    id: 'F50',
    where: 'after',
    fault: 'The disk fails once the site is ready',
    answer: 'The completed operations are reported; the next run continues from the actual state of the site',
    cells: [
      ...buildEnvironmentCells('a disk that fails while the policy is set', 74, {
        journal: 'acknowledged',
        again: 7,
      }),
    ],
    elsewhere:
      'A second run of the same process finds its own lock, which it could not release; a new process takes it over, as F11 shows.',
  },
  {
    id: 'F51',
    where: 'after',
    fault: 'The output is not read, or the disk is full',
    answer: 'All output is flushed before the process ends',
    cells: [],
    elsewhere: 'Needs processes of its own: `test/system/cli/interrupted-outputs.test.ts`.',
  },
  {
    id: 'F52',
    where: 'after',
    fault: 'The event loop of the process runs empty',
    answer: 'The exit code is 70 until the run sets another',
    cells: [],
    elsewhere: 'Needs a process of its own: `test/system/cli/launch.test.ts`.',
  },
  {
    id: 'F53',
    where: 'after',
    fault: 'An unexpected exception',
    answer: 'It is reported as a defect, without values',
    cells: [],
    elsewhere: 'Needs a process of its own: `test/system/cli/launch.test.ts`.',
  },
  {
    id: 'F54',
    where: 'several runs',
    fault: 'Two runs on one machine',
    answer: 'One submits; the other ends with 7, or finds the result',
    cells: [...buildEnvironmentCells('two runs at once', 0, { journal: 'ready', again: 0 })],
  },
  {
    id: 'F55',
    where: 'several runs',
    fault: 'Two runs on two machines with state in one place',
    answer: 'Only one of them writes the next version',
    cells: [],
    elsewhere: 'Real processes race on every place for state in `npm run verify -- concurrency`.',
  },
  {
    id: 'F56',
    where: 'several runs',
    fault: 'Two runs on two machines, each with state of its own',
    answer:
      'In CI nothing is created with state on the disk of the runner; a location in a cluster names its context, so another current context leads to the same state',
    cells: [],
    elsewhere:
      'A site on this machine is exempt: `test/system/cli/local-state.test.ts`. Requests are counted with two clusters in `test/cli/state/kubernetes-state.test.ts`.',
  },
  {
    id: 'F57',
    where: 'several runs',
    fault: 'A run is paused, and wakes up after another began',
    answer:
      'The lock of a live process is never taken over; and right before its first byte a run verifies that its submission intent is still valid',
    cells: [...buildEnvironmentCells('a lock of a process that lives', 7)],
    elsewhere:
      'Real processes are stopped by `npm run verify -- concurrency`; a submission intent is discarded meanwhile in `test/apply/failed-intent.test.ts`.',
  },
  {
    id: 'F58',
    where: 'several runs',
    fault: 'The state location loses a race, or a response; a git remote goes back to an older version',
    answer:
      'It is read again; the loser writes nothing; a remote that is behind the clone, also one that lost a push it had accepted, is rejected (74) with the command that restores it',
    cells: [],
    elsewhere:
      'One suite covers every state location: `test/state/series.test.ts`; a remote goes back in `test/system/state/git-backend.test.ts`.',
  },
  {
    id: 'F59',
    where: 'several runs',
    fault: 'Somebody configures the site by hand',
    answer: 'It is adopted, and reported',
    cells: [
      { operation: 'apply', by: [], exitCode: 0, journal: 'none', configured: true, ...document },
      ...buildEnvironmentCells('a submission intent whose request arrived', 0, {
        journal: 'ready',
        again: 0,
        configured: true,
      }),
    ],
  },
  {
    id: 'F60',
    where: 'several runs',
    fault: 'A balancer sends the request twice',
    answer:
      'Only the service can reject the second; after a rejection the run watches the site for two minutes, and waits for one that has begun',
    cells: [
      buildConfigureCell('duplicate-first', 0, 'ready'),
      buildConfigureCell('duplicate-second', 0, 'ready'),
    ],
  },
  {
    id: 'F61',
    where: 'several runs',
    fault: 'The state location has the state of another site',
    answer: 'It is not used',
    cells: [
      ...buildEnvironmentCells('state of another site', 78, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
    ],
  },
  {
    id: 'F62',
    where: 'several runs',
    fault: 'A newer Landform wrote the state',
    answer: 'It is not touched',
    cells: [
      ...buildEnvironmentCells('state of a newer Landform', 78, {
        operations: ['plan', 'apply'],
        journal: 'unreadable',
      }),
    ],
  },
  {
    id: 'F63',
    where: 'several runs',
    fault: 'The newest versions of the state are lost while the outcome of a request is unknown',
    answer: 'The note of this machine (78) or the chain of the name (74) has the request; nothing is sent',
    cells: [],
    elsewhere: 'Versions are removed, and the requests counted, in `test/cli/state/noted-intents.test.ts`.',
  },
  {
    id: 'F64',
    where: 'several runs',
    fault: 'Name and address of a manifest are changed while its first request is open',
    answer: 'Nothing is sent (78) until the state is moved, or the new site has a manifest in another file',
    cells: [],
    elsewhere: 'Four ways are tried in `test/cli/state/noted-intents.test.ts`.',
  },
  {
    id: 'F65',
    where: 'several runs',
    fault: 'Another site answers at the address before the configuration was seen complete',
    answer: 'Every run compares version and build with those of the submission, and ends with 6',
    cells: [],
    elsewhere: 'The build changes at each point between two runs in `test/cli/state/another-site.test.ts`.',
  },
  {
    id: 'F66',
    where: 'answer lost',
    fault: 'Something before the service says no in a form of its own',
    answer:
      'Only the documented error body is a rejection; any other is an unknown outcome, and the site is watched',
    cells: [],
    elsewhere: 'Each form is tried in `test/client/failure.test.ts` and `test/client/answers/`.',
  },
  {
    id: 'F67',
    where: 'before',
    fault:
      'A commit has files that make a folder look like a repository, or configuration of git that runs programs',
    answer: 'Nothing of it runs: git is given the clone that Landform found, never a folder of a manifest',
    cells: [],
    elsewhere:
      'Nine kinds of commits are tried, and the commands that ran counted (0), in `test/system/state/hostile-commits.test.ts`.',
  },
  {
    id: 'F68',
    where: 'before',
    fault:
      'A manifest names an S3 endpoint that the environment does not name, or a file with the connection string of PostgreSQL',
    answer:
      'It is rejected before a credential is read (78 for the endpoint, 65 for the file), with 0 requests',
    cells: [],
    elsewhere:
      'Requests are counted in `test/cli/state/s3-state.test.ts`; locations are tried in `test/manifest/state-location.test.ts`.',
  },
  {
    id: 'F69',
    where: 'before',
    fault:
      'A committed `file:` state ends with a pointer to an address or a path of git, or to an S3 endpoint of its author',
    answer: 'It is not followed (78): a pointer leads only where a manifest may lead',
    cells: [],
    elsewhere:
      'Commands that ran (0) are counted in `test/system/state/hostile-commits.test.ts`, requests in `test/cli/state/s3-state.test.ts`.',
  },
  {
    id: 'F70',
    where: 'before',
    fault: 'A pooler is in front of the PostgreSQL that keeps the state',
    answer: 'It is rejected (74) by name, whatever its mode; nothing is sent',
    cells: [],
    elsewhere: 'PgBouncer runs in each of its modes in `test/system/cli/pgbouncer.test.ts`.',
  },
  {
    id: 'F71',
    where: 'several runs',
    fault: 'A list of a place of state repeats its token, or a server answers 200 to everything',
    answer: 'The run ends (74) at the first repetition, or the first text that is not a version',
    cells: [],
    elsewhere: 'Requests are counted in `test/state/endless-servers.test.ts`.',
  },
  {
    id: 'F72',
    where: 'several runs',
    fault: 'A write of state is acknowledged and stored otherwise',
    answer: 'The text is read back and compared; the run ends with 74',
    cells: [],
    elsewhere: 'An object and a Secret without their text are tried in `test/state/endless-servers.test.ts`.',
  },
  {
    id: 'F73',
    where: 'several runs',
    fault: 'The kubeconfig, or what its context means, changes during a run',
    answer: 'Server and authorities stay those of the first request; only credentials are renewed',
    cells: [],
    elsewhere: 'It is changed between two requests in `test/state/kubernetes-backend.test.ts`.',
  },
  {
    id: 'F74',
    where: 'several runs',
    fault: 'A pointer leads to a place that is empty from here, has another history, or lacks the request',
    answer: 'It is never a new site (74); nothing is sent',
    cells: [],
    elsewhere:
      'Each is tried in `test/state/move-state.test.ts`; requests are counted in `test/cli/state/declared-state.test.ts`.',
  },
  {
    id: 'F75',
    where: 'several runs',
    fault: 'State was moved back to where it came from, so pointers form a circle',
    answer: '`state move` finishes at the end that it names, and the next run finds the state there',
    cells: [],
    elsewhere: 'Moves back, round three places, and broken off are tried in `test/state/move-state.test.ts`.',
  },
  {
    id: 'F76',
    where: 'several runs',
    fault: 'Two of the three chains that know of a request are lost together',
    answer: 'The third is asked, and the run ends with 74; nothing is sent',
    cells: [],
    elsewhere:
      'The site and its name, and the site and its manifest, are lost whole or in part in `test/state/manifest-claim.test.ts`.',
  },
  {
    id: 'F77',
    where: 'several runs',
    fault: 'No note of the request can be written on this machine',
    answer: 'The event `intent-not-noted` precedes the request, in every verbosity',
    cells: [],
    elsewhere: 'The order of the events is checked in `test/cli/state/noted-intents.test.ts`.',
  },
  {
    id: 'F78',
    where: 'several runs',
    fault: 'Two repositories have a manifest at the same path, and one place of state',
    answer: 'They are two sites; neither is refused because of the other',
    cells: [],
    elsewhere: 'Pairs of manifests are compared in `test/state/manifest-claim.test.ts`.',
  },
  {
    id: 'F79',
    where: 'polling',
    fault: 'A cache in front of the service answers a poll, though a fresh answer was requested',
    answer:
      'Each poll has an address that no cache has seen; a copy with an `Age` above 0 counts as a failed poll, and proves nothing',
    cells: [],
    elsewhere:
      'Requests behind a cache are counted in `test/cli/cache.test.ts`, and behind Varnish by `npm run verify -- cache`.',
  },
  {
    id: 'F80',
    where: 'connecting',
    fault:
      'Something in front of the service blocks POST requests, with a page, a redirect, 401, 403, 405 or 413',
    answer:
      'The license check meets it first, and the run ends before the submission intent, with the cause and its exit code; without that check the outcome of configure is unknown',
    cells: [],
    elsewhere:
      'Eleven such answers, and the requests that they get, are in `test/cli/license-check.test.ts`.',
  },
]
