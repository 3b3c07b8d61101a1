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

/** Runs in the browser, which decodes the picture: the address of its pixels, which has them in base64. */
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
