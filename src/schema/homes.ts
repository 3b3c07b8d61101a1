import type { OperationName } from '../contract/operation-name.js'
import { operations, type ParameterName } from '../contract/operations.js'
import type { Parameter } from '../contract/parameter.js'
import { type ServiceVersion, since } from '../contract/versions.js'
import { isBelow, type JsonPointer } from '../diagnostics/pointer.js'

/** `f` has no home: Landform always asks for JSON. */
type WithHome<O extends OperationName> = Exclude<ParameterName<O>, 'f'>

/** The one place in the manifest of each parameter of `configure`. A new parameter does not compile without. */
const configureHomes: Record<WithHome<'configure'>, JsonPointer> = {
  username: '/spec/administrator/username',
  password: '/spec/administrator/password',
  email: '/spec/administrator/email',
  fullName: '/spec/administrator/fullName',
  firstName: '/spec/administrator/firstName',
  lastName: '/spec/administrator/lastName',
  description: '/spec/administrator/description',
  securityQuestionIdx: '/spec/administrator/securityQuestion',
  securityQuestionAns: '/spec/administrator/securityQuestion/answer',
  userLicenseTypeId: '/spec/administrator/userType',
  licenseFile: '/spec/license/file',
  volumesConfig: '/spec/volumes',
  cloudConfig: '/spec/cloudStorage',
  logSettings: '/spec/logLevel',
  systemProperties: '/spec/systemProperties',
  systemArchitectureProfile: '/spec/profile',
  folderPathsToRegister: '/spec/folders',
  userManagedStores: '/spec/dataStores',
}

/** The one place in the manifest of each parameter of `update`. */
const updateHomes: Record<WithHome<'update'>, JsonPointer> = {
  upgradeConfig: '/spec/upgrade',
  token: '/spec/site/token',
}

/** One line of the table *manifest path → request parameter → since version*. */
export interface Home {
  readonly pointer: JsonPointer
  readonly operation: 'configure' | 'update'
  readonly parameter: Parameter
}

/** Every parameter of `configure` and `update` with its place in the manifest, in the order of the contract. */
export const homes: readonly Home[] = [
  ...homesOf('configure', configureHomes),
  ...homesOf('update', updateHomes),
]

/** The home nearest around a place of a manifest; none for what travels in no parameter. */
export function homeAround(pointer: JsonPointer): Home | undefined {
  const around = homes.filter(home => isBelow(pointer, home.pointer))
  return around.toSorted((a, b) => b.pointer.length - a.pointer.length)[0]
}

/** The fields of a manifest that the first version with `configure` does not have. Service §9. */
export const youngerFields: readonly { readonly name: string; readonly since: ServiceVersion }[] = homes
  .filter(
    ({ pointer, parameter }) =>
      parameter.since !== since('configure') && parameter.name !== 'token' && depth(pointer) === 2,
  )
  .map(({ pointer, parameter }) => ({ name: pointer.slice('/spec/'.length), since: parameter.since }))

function homesOf(operation: Home['operation'], table: Readonly<Record<string, JsonPointer>>): Home[] {
  const parameters: readonly Parameter[] = operations[operation].parameters
  return parameters.flatMap(parameter => {
    const pointer = table[parameter.name]
    return pointer === undefined ? [] : [{ pointer, operation, parameter }]
  })
}

function depth(pointer: JsonPointer): number {
  return pointer.split('/').length - 1
}
