import { SaxesParser } from 'saxes'

import { badFileOf } from './bad-file.ts'

/** Characters that may follow each other without an element or the end of one. */
const longestGap = 4 * 1024 * 1024
const deepest = 64

export type XmlAttributes = Readonly<Record<string, string>>

/** Steps taken at the elements of an XML file. A path has the names of the open elements, without prefixes. */
export interface XmlHandler {
  readonly open: (path: readonly string[], attributes: XmlAttributes) => void
  readonly text?: (text: string) => void
  /** @param path Path of the element that ends. */
  readonly close?: (path: readonly string[]) => void
}

/** Reads XML piece by piece. Throws the refusal of a file that is not well-formed, or made to exhaust the memory. */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: false })
  /** Characters since the last element began or ended. */
  #gap = 0

  constructor(handler: XmlHandler) {
    const path: string[] = []
    this.#parser.on('error', () => {
      throw badFileOf('broken')
    })
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#gap = 0
      if (path.length === deepest) throw badFileOf('broken')
      path.push(localName(name))
      handler.open(path, attributes)
    })
    this.#parser.on('closetag', () => {
      this.#gap = 0
      handler.close?.(path)
      path.pop()
    })
    const { text } = handler
    if (!text) return
    this.#parser.on('text', text)
    this.#parser.on('cdata', text)
  }

  push(piece: string): void {
    this.#gap += piece.length
    this.#parser.write(piece)
    if (this.#gap > longestGap) throw badFileOf('broken')
  }

  end(): void {
    this.#parser.close()
  }
}

/** Reads a whole XML file. */
export async function readXml(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(handler)
  for await (const piece of pieces) reader.push(piece)
  reader.end()
}

export const localName = (name: string) => name.slice(name.indexOf(':') + 1)
