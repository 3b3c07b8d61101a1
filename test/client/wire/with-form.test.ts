import { withForm } from '../../../src/client/wire/form.js'
import type { RequestBody } from '../../../src/client/wire/multipart.js'

const fields = () => [{ name: 'token', value: Buffer.from('se+cret') }]
const isWiped = (bytes: Buffer | undefined) => bytes?.byteLength !== 0 && bytes?.every(byte => byte === 0)

test('a body is whole while it is in use, and wiped afterwards with the values it was made from', async () => {
  const values = fields()
  let body: RequestBody | undefined
  const text = await withForm(values, async borrowed => {
    body = borrowed
    expect(values.every(({ value }) => isWiped(value))).toBe(true)
    return borrowed.bytes.toString()
  })
  expect(text).toBe('token=se%2Bcret')
  expect(isWiped(body?.bytes)).toBe(true)
})

test('a body is wiped where its use fails, too', async () => {
  let body: RequestBody | undefined
  const failing = withForm(fields(), async borrowed => {
    body = borrowed
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(isWiped(body?.bytes)).toBe(true)
})
