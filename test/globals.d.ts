/** The globals of Jest, which are available in every test file without an import. */
type Jest = typeof import('@jest/globals')

declare const afterAll: Jest['afterAll']
declare const afterEach: Jest['afterEach']
declare const beforeAll: Jest['beforeAll']
declare const beforeEach: Jest['beforeEach']
declare const describe: Jest['describe']
declare const expect: Jest['expect']
declare const test: Jest['test']
