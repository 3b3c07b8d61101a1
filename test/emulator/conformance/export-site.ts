import type { Ask, Values } from './ask.js'
import {
  accepts,
  answers,
  expectErrorBody,
  format,
  holds,
  isAbsent,
  isUnknown,
  parameter,
  refuses,
} from './cases.js'
import { bucket, connection, container, exportSite, operations, variants } from './requests.js'
import type { Case, Section } from './sentence.js'

export const common: Section = {
  section: '4.0',
  title: 'common',
  sentences: [
    {
      says: 'every operation has f, with json and pjson',
      shown: operations.flatMap(([name, request, given]) =>
        ['json', 'pjson'].map((f): Case => [`${name} with ${f}`, accepts(request({ f }), given)]),
      ),
    },
    {
      says: 'other values of f, and its default',
      shown: operations.map(
        ([name, request, given]): Case => [`${name} takes another`, accepts(request({ f: 'xml' }), given)],
      ),
      notShown: 'the document does not tell; with another f, and without one, the answer is JSON in one line',
    },
  ],
}

const exported = { status: 'success', location: expect.stringMatching(/^\/backups\/.*\.portalsite$/) }
const validated = { status: 'success' }
const withConnection = (changes: object) =>
  exportSite({ ...container, backupObjectStoreConnectionStr: JSON.stringify({ ...connection, ...changes }) })

/** For each variant a location that cannot be written: the folder, or in the cloud the bucket or container. */
const unwritable: readonly (readonly [string, Values, string])[] = [
  ...variants.map(([name, values]) => [`the folder of ${name}`, values, '/backups'] as const),
  ['the bucket', bucket, 'gis-backups'],
  ['the container', container, 'https://backups1.blob.example.org/gis'],
]

export const exporting: Section = {
  section: '4.1',
  title: 'exportSite',
  sentences: [
    {
      says: 'POST {base_url}/exportSite, from 10.4',
      shown: [
        ['at 10.3 it is absent', isAbsent(exportSite(), { version: '10.3' })],
        ['at 10.4 it exists', answers(exportSite(), exported, { version: '10.4' })],
      ],
    },
    {
      says: 'it exports the configuration of the site',
      shown: [['and leaves the site unchanged', accepts(exportSite())]],
      notShown: 'what is in an export: no file is written',
    },
    {
      says: 'there are three variants, by the target',
      shown: variants.map(([name, values]): Case => [name, answers(exportSite(values), exported)]),
    },
    {
      says: 'which parameters are required',
      shown: [
        ['a request without parameters is rejected', refuses({ path: '/exportSite', form: { f: 'json' } })],
      ],
      notShown: 'the document does not tell; a location is wanted, and a store where its details are sent',
    },
    {
      says: 'location is a folder that the service can write to; with a bucket the file there points to it',
      shown: [
        ...variants.flatMap(([name, values]) =>
          parameter({
            name: 'location',
            good: '/backups',
            required: true,
            request: changes => exportSite({ ...values, ...changes }),
          }).map(([what, tried]): Case => [`${name}: it ${what}`, tried]),
        ),
        ['a share is accepted', accepts(exportSite({ location: '\\\\files.example.org\\gis\\backups' }))],
      ],
      notShown: 'the pointer in the file: no file is written',
    },
    {
      says: 'validate, from 11.1: only checks whether folder, bucket and container are accessible',
      shown: [
        ...variants.flatMap(([name, values]): Case[] => [
          [`${name}: true exports nothing`, answers(exportSite({ ...values, validate: 'true' }), validated)],
          [`${name}: false exports`, answers(exportSite({ ...values, validate: 'false' }), exported)],
          [
            `${name}: at 11.0 it is unknown`,
            isUnknown('validate', validate => exportSite({ ...values, [validate]: 'true' }), {
              version: '11.0',
            }),
          ],
        ]),
        ...parameter({ name: 'validate', good: 'true', required: false, request: exportSite }),
        ...['yes', '1', 'TRUE', ''].map(
          (validate): Case => [`"${validate}" is rejected`, refuses(exportSite({ validate }))],
        ),
      ],
      notShown: 'which other values there are',
    },
    {
      says: 'backupObjectStore is the name of a bucket',
      shown: parameter({
        name: 'backupObjectStore',
        good: 'gis-backups',
        required: true,
        request: changes => exportSite({ ...bucket, ...changes }),
      }),
    },
    {
      says: 'backupObjectStoreRegion is its region',
      shown: [
        ...parameter({
          name: 'backupObjectStoreRegion',
          good: 'eu-west-1',
          required: false,
          request: changes => exportSite({ ...bucket, ...changes }),
        }),
        [
          'it is no parameter of a container',
          refuses(exportSite({ ...container, backupObjectStoreRegion: 'eu-west-1' })),
        ],
      ],
    },
    {
      says: 'or it is the address of a container',
      shown: parameter({
        name: 'backupObjectStore',
        good: 'https://backups1.blob.example.org/gis',
        required: true,
        request: changes => exportSite({ ...container, ...changes }),
      }),
      notShown: 'the full form of the address, so that any text is accepted',
    },
    {
      says: 'backupObjectStoreConnectionStr is JSON with accountName, accountKey and accountEndpoint',
      shown: [
        ...parameter({
          name: 'backupObjectStoreConnectionStr',
          good: JSON.stringify(connection),
          required: false,
          json: 'object',
          request: changes => exportSite({ ...container, ...changes }),
        }),
        ...Object.keys(connection).flatMap((name): Case[] => [
          [`without ${name} it is rejected`, refuses(withConnection({ [name]: undefined }))],
          [`with an empty ${name} it is rejected`, refuses(withConnection({ [name]: '' }))],
          [`with a number as ${name} it is rejected`, refuses(withConnection({ [name]: 1 }))],
        ]),
        ['with a fourth field it is rejected', refuses(withConnection({ container: 'gis' }))],
        [
          'a text of another form is rejected',
          refuses(exportSite({ ...container, backupObjectStoreConnectionStr: 'AccountName=a;AccountKey=b' })),
        ],
      ],
    },
    {
      says: 'f is the format of the response',
      shown: [
        ...format(exportSite),
        ['an unknown parameter is rejected', refuses(exportSite({ colour: 'red' }))],
        ['a parameter in other capitals is unknown', refuses(exportSite({ Validate: 'true' }))],
        ['a parameter of another operation is unknown', refuses(exportSite({ upgradeConfig: '{}' }))],
      ],
    },
    {
      says: 'an export responds with success and location',
      shown: variants.flatMap(([name, values]): Case[] => [
        [name, answers(exportSite(values), exported)],
        [`${name} at 10.4`, answers(exportSite(values), exported, { version: '10.4' })],
      ]),
    },
    {
      says: 'with items missing, from 10.8, success with warning, location and messages',
      shown: variants.flatMap(([name, values]): Case[] => {
        const warned = {
          status: 'success with warning',
          location: exported.location,
          messages: [expect.any(String)],
        }
        const missing = { missingItems: true }
        const validating = exportSite({ ...values, validate: 'true' })
        return [
          [name, answers(exportSite(values), warned, missing)],
          [`${name} at 10.8`, answers(exportSite(values), warned, { ...missing, version: '10.8' })],
          [
            `${name} at 10.7, without`,
            answers(exportSite(values), exported, { ...missing, version: '10.7' }),
          ],
          [`${name}, only validated, without`, answers(validating, validated, missing)],
        ]
      }),
    },
    {
      says: 'a validation that finds everything accessible responds only with success',
      shown: [
        ...variants.map(
          ([name, values]): Case => [name, answers(exportSite({ ...values, validate: 'true' }), validated)],
        ),
        [
          'an inaccessible location elsewhere does not matter',
          answers(exportSite({ validate: 'true' }), validated, {
            unwritableLocations: ['/other', 'gis-backups'],
          }),
        ],
      ],
    },
    {
      says: 'one that finds the location inaccessible responds with 500, and that the service account must have access',
      shown: unwritable.map(
        ([name, values, place]): Case => [
          name,
          isInaccessible(exportSite({ ...values, validate: 'true' }), place),
        ],
      ),
    },
  ],
}

export function isInaccessible(request: Ask, place: string): Case[1] {
  return holds({ unwritableLocations: [place] }, async ({ ask }) => {
    const answer = await ask(request)
    expectErrorBody(answer)
    const message = expect.stringMatching(/cannot be written.*accessible to the service account/)
    expect(answer.body).toMatchObject({ error: { code: 500, message } })
  })
}
