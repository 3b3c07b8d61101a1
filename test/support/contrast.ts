/** A script for a page that lists texts with a contrast below 4.5 (WCAG 2.2, 1.4.3), each with its ratio. */
export const lowContrasts = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  const over = colours => {
    pen.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      pen.fillStyle = colour
      pen.fillRect(0, 0, 1, 1)
    }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const grounds = element => {
    const around = element.parentElement === null ? ['white'] : grounds(element.parentElement)
    return [...around, getComputedStyle(element).backgroundColor]
  }
  const luminance = colour => {
    const [r, g, b] = colour.map(value => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (walker.currentNode.data.trim() === '' || !element.checkVisibility()) continue
    const ground = grounds(element)
    const { color } = getComputedStyle(element)
    const [a, b] = [luminance(over([...ground, color])), luminance(over(ground))].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < 4.5) found.push(walker.currentNode.data.trim().slice(0, 40) + ' ' + ratio.toFixed(2))
  }
  return found
})()`
