import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'

/** Draws the first screen of a page, to the end of its first group of lines, and returns the pixels. */
export async function takeScreenshot(html, { executablePath, width }) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: 'light' })
    await page.setContent(html)
    const group = await page.locator('details').first().boundingBox()
    const height = Math.round(group.y + group.height) + 10
    const png = await page.screenshot({ clip: { x: 0, y: 0, width, height } })
    const blank = await browser.newPage()
    const pixels = await blank.evaluate(`(${readPixels})('data:image/png;base64,${png.toString('base64')}')`)
    return { width, height, pixels: Buffer.from(pixels.slice(pixels.indexOf(',') + 1), 'base64') }
  } finally {
    await browser.close()
  }
}

/** Code for the browser, which decodes the picture, and returns a `data:` URL with its pixels in base64. */
const readPixels = `async url => {
  const picture = await createImageBitmap(await (await fetch(url)).blob())
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height)
  return new Promise(resolve => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result)
    reader.readAsDataURL(new Blob([data]))
  })
}`

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const paletteSize = 256

/**
 * Encodes pixels of four bytes each as a picture of at most 256 colours: that takes half the bytes, and a page has few others.
 * The text is stored under a keyword. PNG 3, 11.2 and 11.3.
 */
export function encodePng({ width, height, pixels }, [keyword, text]) {
  const counts = new Map()
  const colours = Array.from({ length: width * height }, (_, at) => pixels.readUIntBE(at * 4, 3))
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([colour]) => colour)
    .slice(0, paletteSize)
  const indexes = new Map([...counts.keys()].map(colour => [colour, findNearest(palette, colour)]))
  const rows = Buffer.alloc((width + 1) * height)
  for (const [at, colour] of colours.entries())
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indexes.get(colour)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, which is an index into the palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    signature,
    writeChunk('IHDR', header),
    writeChunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1')),
    writeChunk('PLTE', Buffer.from(palette.flatMap(split))),
    writeChunk('IDAT', deflateSync(rows, { level: 9 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Reads the text that `encodePng` stored under a keyword; `undefined` if there is none. */
export function readPngText(png, keyword) {
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const [type, data] = [png.toString('latin1', at + 4, at + 8), at + 8]
    const [name, text] = png.toString('latin1', data, data + png.readUInt32BE(at)).split('\0')
    if (type === 'tEXt' && name === keyword) return text
  }
  return undefined
}

function findNearest(palette, colour) {
  const exact = palette.indexOf(colour)
  if (exact >= 0) return exact
  const parts = split(colour)
  const distances = palette.map(other =>
    split(other).reduce((sum, part, at) => sum + (part - parts[at]) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

function split(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function writeChunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
