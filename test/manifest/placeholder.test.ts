// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are forms of other tools
import { findPlaceholder } from '../../src/manifest/placeholder.js'

test.each([
  ['CHANGE-ME', 'CHANGE-ME', false],
  ['CHANGEME', 'CHANGEME', false],
  ['CHANGE_ME please', 'CHANGE_ME', false],
  ['REPLACE_ME', 'REPLACE_ME', false],
  ['<admin_first_name> <admin_last_name>', '<admin_first_name>', false],
  ['/data/<site>', '<site>', false],
  ['<your full name>', '<your full name>', false],
  ['__ADMIN__', '__ADMIN__', false],
  ['{{ first }} {{ last }}', '{{ first }}', true],
  ['{{.Values.name}}', '{{.Values.name}}', true],
  ['${{ vars.BUCKET }}', '${{ vars.BUCKET }}', true],
  ['${NAME}', '${NAME}', true],
  ['${REGION:-us-east-1}', '${REGION:-us-east-1}', true],
  ['${var.region}', '${var.region}', true],
  ['$REGION', '$REGION', true],
  ['/srv/$SITE/data', '$SITE', true],
  ['$(adminName)', '$(adminName)', true],
  ['$[variables.name]', '$[variables.name]', true],
  ['#{PREFIX}#', '#{PREFIX}#', true],
  ['#{Octopus.Name}', '#{Octopus.Name}', true],
  ['@@NAME@@', '@@NAME@@', true],
  ['/data/%SITE%', '%SITE%', true],
  ['[[ adminName ]]', '[[ adminName ]]', true],
  ['((admin-name))', '((admin-name))', true],
  ['<<name>>', '<name>', false],
  ['##NAME##', '##NAME##', true],
  ['%%NAME%%', '%%NAME%%', true],
  ['vault:secret/data/gis#mail', 'vault:secret/data/gis#mail', true],
  ['<path:secret/data/gis#mail>', '<path:secret/data/gis#mail>', true],
  ['ref+awsssm://gis/mail', 'ref+awsssm://gis/mail', true],
  ['op://gis/admin/mail', 'op://gis/admin/mail', true],
  [
    'arn:aws:secretsmanager:eu-west-1:111122223333:secret:gis-AbCdEf',
    'arn:aws:secretsmanager:eu-west-1:111122223333:secret:gis-AbCdEf',
    true,
  ],
  [
    '@Microsoft.KeyVault(SecretUri=https://kv.example.org/gis)',
    '@Microsoft.KeyVault(SecretUri=https://kv.example.org/gis)',
    true,
  ],
  ['<no value>', '<no value>', false],
  ['gis-<no value>', '<no value>', false],
  ['map[name:gis]', 'map[name:gis]', false],
  ['[object Object]', '[object Object]', false],
  ['%!s(<nil>)', '%!s(<nil>)', false],
  ['undefined', 'undefined', false],
  ['null', 'null', false],
  ['ENC[AES256_GCM,data:abc,type:str]', 'ENC[AES256_GCM,data:abc,type:str]', true],
])('%s is a placeholder', (text, found, isVariable) => {
  expect(findPlaceholder(text)).toEqual({ found, isVariable })
})

test.each([
  'a<b>c%1%',
  'a description of 100 %, and of 50 % more',
  '/data/{site}',
  'US$ 100',
  '$5',
  'a@example.org',
  'C# and C++',
  'first__second',
  'snake_case_name',
  '__init',
  'x < y and y > z',
  'Ada <ada@example.org>',
  'the <b>bold</b> one',
  'ENCLAVE[1]',
  '{"a": 1}',
  'arn:aws:iam::1:role/landform',
  '100%',
  'exchange-me-not',
  'https://gis.example.org/arcgis/admin',
  'read it at https://docs.example.org/a#b',
  'see (the map) [1]',
  'map[1]',
  'null-island',
  'a/b#c',
])('%s is an ordinary text', text => {
  expect(findPlaceholder(text)).toBeUndefined()
})

test('no text takes long to check', () => {
  for (const piece of [
    '<a ',
    '{{ ',
    '${',
    '$',
    '__a',
    '%a',
    '@@a',
    '#{a',
    'ENC[A,',
    'a:',
    'a/',
    '[[',
    'map[',
    '%!s(',
    'a+a',
  ])
    expect(findPlaceholder(piece.repeat(20_000)) ?? { found: '' }).toMatchObject({
      found: expect.any(String),
    })
})
