import { longMs } from './ask.js'
import { accepts, answers, format, holds, isAbsent, isUnknown, parameter, refuses } from './cases.js'
import { configure, license, lookAtRoot, volumes } from './requests.js'
import type { Case, Section, Sentence } from './sentence.js'

const row = (
  name: string,
  good: string,
  { required = false, json }: { readonly required?: boolean; readonly json?: 'object' | 'array' } = {},
): readonly Case[] =>
  parameter({ name, good, required, request: configure, ...(json !== undefined && { json }) })

const takes = (name: string, ...values: readonly string[]): readonly Case[] =>
  values.map(value => [`${JSON.stringify(value)} is accepted`, accepts(configure({ [name]: value }))])

const rejectsAll = (name: string, ...values: readonly string[]): readonly Case[] =>
  values.map(value => [`${JSON.stringify(value)} is rejected`, refuses(configure({ [name]: value }))])

/** The sentence of an optional parameter with any text. */
const anyText = (name: string, says: string): Sentence => ({
  says: `${name}, if there, is ${says}`,
  shown: [...row(name, 'Ada'), ...takes(name, '', 'Ädä "O\'Neil" <a@b>, 地图')],
})

const required = { required: true } as const

export const configuring: Section = {
  section: '4.3',
  title: 'configure',
  sentences: [
    {
      says: 'POST {base_url}/configure, from 10.9',
      shown: [
        ['at 10.8 it is absent', isAbsent(configure(), { version: '10.8' })],
        ['at 10.9 it exists', accepts(configure(), { version: '10.9' })],
      ],
    },
    {
      says: 'it is the first operation after the first installation',
      shown: [
        [
          'the root resource then reports it',
          holds({}, async ({ ask }) => {
            expect((await ask(lookAtRoot)).text).not.toContain('in_progress')
            await ask(configure())
            expect((await ask(lookAtRoot)).body).toHaveProperty('status.state', 'in_progress')
          }),
        ],
      ],
    },
    {
      says: 'it is sent as multipart form data',
      shown: [
        ['in this form it is accepted', accepts(configure())],
        [
          'form-encoded it is rejected',
          refuses({ path: '/configure', form: { ...configure().multipart, licenseFile: 'text' } }),
        ],
      ],
    },
    {
      says: 'it responds at once with the root resource',
      shown: [
        [
          'also when the configuration takes hours',
          answers(
            configure(),
            {
              fullVersion: expect.any(String),
              resources: expect.any(Array),
              currentVersion: expect.any(Number),
              status: expect.objectContaining({ state: 'in_progress' }),
              info: expect.any(Object),
            },
            { stageMs: longMs },
          ),
        ],
      ],
    },
    {
      says: 'username: at least six characters, letters, digits and some symbols',
      shown: [
        ...row('username', 'siteadmin', required),
        ...takes('username', 'abcdef', '123456', 'a.b-c_d@e', 'Ädmïns', '地图管理员们'),
        ...rejectsAll('username', 'abcde', 'a', '🗺🗺🗺🗺🗺'),
        ...rejectsAll(
          'username',
          'site admin',
          ' siteadmin',
          'siteadmin\t',
          'site\u00a0admin',
          'site\u0000admin',
        ),
        ...rejectsAll('username', 'site\nadmin', 'site\u200badmin', '      '),
      ],
      notShown:
        'which symbols; none is rejected, but white space and control characters do not count as symbols',
    },
    {
      says: 'password: at least eight characters, a letter A-Z or a-z, a digit 0-9, any special characters',
      shown: [
        ...row('password', 'correct-horse-1', required),
        ...takes('password', 'abcdefg1', 'ABCDEFG1', '1234567a', 'aaaaaa1🗝'),
        ...rejectsAll('password', 'abcdef1', 'abcdefgh', '12345678', 'äöüäöüä1', 'abcdefg٣', '!"§$%&/('),
        ...takes(
          'password',
          '"quoted"1a',
          "it's-me-1",
          '@file-1a',
          '<file-1a',
          'a1;type=text/html',
          'a1$(id)`id`',
        ),
        ...takes(
          'password',
          'two\nlines1',
          'two\r\nlines1',
          'a1\ttabbed',
          ' a1 spaced ',
          'a1+b&c=d%20',
          '\\a1\\b\\c\\',
        ),
        ...takes(
          'password',
          '--b\r\n--a1',
          '{"a":1}xyz',
          'päßwört-1a',
          '🗝🗝🗝🗝🗝🗝a1',
          'a1!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~',
        ),
      ],
    },
    {
      says: 'email is an address',
      shown: [
        ...row('email', 'admin@example.org', required),
        ...takes('email', 'a@b', '"a b"@example.org'),
        ...rejectsAll('email', 'admin', 'admin.example.org'),
      ],
      notShown: 'which addresses the service takes; here anything with an @',
    },
    {
      says: 'fullName is the full name',
      shown: [...row('fullName', 'Site Administrator', required), ...takes('fullName', 'Ä', '地图 "Q" <x>')],
    },
    anyText('firstName', 'the first name'),
    anyText('lastName', 'the last name'),
    anyText('description', 'a description of the account'),
    {
      says: 'securityQuestionIdx is the index of a question',
      shown: [
        ...row('securityQuestionIdx', '1', required),
        ...rejectsAll('securityQuestionIdx', '0', '15', '1.5', 'one'),
      ],
    },
    {
      says: 'securityQuestionAns is the answer to it',
      shown: [
        ...row('securityQuestionAns', 'Cartographer', required),
        ...takes('securityQuestionAns', 'x', 'Größe 1', '"a"\nb'),
      ],
    },
    {
      says: 'userLicenseTypeId is a user type that is compatible with the Administrator role',
      shown: [...row('userLicenseTypeId', 'creatorUT', required), ...takes('userLicenseTypeId', 'anotherUT')],
      notShown: 'which types there are, so that any text is accepted',
    },
    {
      says: 'licenseFile is the license file',
      shown: [
        ...parameter({ name: 'licenseFile', good: license, required: true, request: configure }),
        [
          'a file of any bytes is accepted',
          accepts(
            configure({ licenseFile: new File([new Uint8Array(256).map((_, index) => index)], 'a.prvc') }),
          ),
        ],
        [
          'a file with an unusual name is accepted',
          accepts(configure({ licenseFile: new File(['x'], 'größe "1".json') })),
        ],
      ],
      notShown: 'whether a license is valid: what is in it is not looked at',
    },
    {
      says: 'a server license file may be sent too',
      shown: parameter({
        name: 'serverLicenseFile',
        good: new File(['x'], 'server.ecp'),
        required: false,
        request: configure,
      }),
      notShown: 'under which name; the one here is what public sources report',
    },
    {
      says: 'volumesConfig is JSON with the volumes in a wrapper of the same name',
      shown: [
        ...row('volumesConfig', volumes(), { required: true, json: 'object' }),
        [
          'without the wrapper it is rejected',
          refuses(configure({ volumesConfig: JSON.stringify(JSON.parse(volumes()).volumesConfig) })),
        ],
        [
          'with another wrapper it is rejected',
          refuses(configure({ volumesConfig: volumes().replace('volumesConfig', 'volumes') })),
        ],
        [
          'with a second field it is rejected',
          refuses(configure({ volumesConfig: volumes().replace(/\}$/, ',"a":1}') })),
        ],
        [
          'with an object for the list it is rejected',
          refuses(configure({ volumesConfig: '{"volumesConfig":{}}' })),
        ],
        [
          'spread over lines it is accepted',
          accepts(configure({ volumesConfig: JSON.stringify(JSON.parse(volumes()), null, 2) })),
        ],
      ],
      notShown: 'what an entry without provisioningType would get; here it is missed',
    },
    {
      says: 'cloudConfig is JSON, from 11.2',
      shown: [
        ...row('cloudConfig', '[]', { json: 'array' }),
        [
          'at 11.1 it is unknown',
          isUnknown('cloudConfig', name => configure({ [name]: '[]' }), { version: '11.1' }),
        ],
        ['at 11.2 it is known', accepts(configure({ cloudConfig: '[]' }), { version: '11.2' })],
      ],
    },
    {
      says: 'logSettings is JSON',
      shown: row('logSettings', '{"logLevel":"INFO"}', { json: 'object' }),
      notShown: 'which levels there are, and which one counts without it: nothing is logged',
    },
    {
      says: 'systemProperties is JSON',
      shown: [
        ...row('systemProperties', '{"containerStartUpTimeoutSeconds":1800}', { json: 'object' }),
        ...takes('systemProperties', '{}', '{"a":{"b":[1,null,true]}}', '{"__proto__":1,"constructor":2}'),
      ],
      notShown: 'which properties there are, and the operation that changes them later',
    },
    {
      says: 'systemArchitectureProfile is JSON with a name',
      shown: row('systemArchitectureProfile', '{"name":"development"}', { json: 'object' }),
      notShown: 'that standard-availability counts without it: no answer names the profile',
    },
    {
      says: 'folderPathsToRegister is a text with the folders',
      shown: [
        ...row('folderPathsToRegister', '/data/a,/data/b'),
        ...takes('folderPathsToRegister', '', '{"paths":["/a"]}', '\\\\files\\gis'),
      ],
      notShown: 'how several folders stand in it, and what comes of them: no operation shows data stores',
    },
    {
      says: 'userManagedStores is JSON, from 10.9.1',
      shown: [
        ...row('userManagedStores', '[]', { json: 'array' }),
        [
          'at 10.9 it is unknown',
          isUnknown('userManagedStores', name => configure({ [name]: '[]' }), { version: '10.9' }),
        ],
        ['at 10.9.1 it is known', accepts(configure({ userManagedStores: '[]' }), { version: '10.9.1' })],
      ],
    },
    {
      says: 'f is the format of the response',
      shown: [
        ...format(configure),
        ['an unknown parameter is rejected', refuses(configure({ colour: 'red' }))],
        ['an unknown file is rejected', refuses(configure({ otherFile: license }))],
        ['a parameter in other capitals is unknown', refuses(configure({ userName: 'siteadmin' }))],
        ['a parameter of another operation is unknown', refuses(configure({ location: '/backups' }))],
        [
          'a parameter with the name of a member of every object is unknown',
          refuses(configure({ constructor: 'x' })),
        ],
      ],
    },
    {
      says: 'images are downloaded, containers deployed, the organization created',
      notShown: 'there is no cluster behind the emulator',
    },
    {
      says: 'the root resource reports the progress',
      shown: [
        [
          'more stages are complete each time',
          holds({ before: [configure()] }, async ({ ask, wait }) => {
            const through: number[] = []
            for (let moment = 0; moment < 5; moment++) {
              through.push((await ask(lookAtRoot)).text.split('"completed"').length - 1)
              wait(3000)
            }
            expect(through[0]).toBe(0)
            expect(through).toEqual(through.toSorted((a, b) => a - b))
            expect(through.at(-1)).toBeGreaterThan(0)
          }),
        ],
      ],
    },
  ],
}
