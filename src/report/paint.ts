import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Puts a colour around a text, or not. Colour never carries meaning alone. */
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_, text) => text
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false })
