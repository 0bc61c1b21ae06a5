import path from 'node:path/posix'

import type { Archive } from './archive.ts'
import { badFileOf } from './bad-file.ts'
import { type NumberFormat, readNumberFormat } from './number-format.ts'
import { localName, readXml, type XmlAttributes } from './xml.ts'

/** Most that the lists of a workbook have, unpacked: its sheets, formats and the names of its files. */
const listBytes = 16 * 1024 * 1024
const stringBytes = 128 * 1024 * 1024
/** Texts of a workbook, of which even an empty one takes some memory. */
const mostStrings = 8 * 1024 * 1024
const mostSheets = 1000

export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  /** Name of the file with its rows. */
  readonly file: string
}

/** Workbook without its rows. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** Whether days are counted from 1904. */
  readonly is1904: boolean
  /** Texts that cells name by their index. */
  readonly strings: readonly string[]
  /** Formats that cells name by their index. */
  readonly formats: readonly NumberFormat[]
}

/** Reads a workbook but for its rows (ECMA-376, Office Open XML). Throws the refusal if the archive is none. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const roots = archive.has('_rels/.rels') ? await readRelations(archive, '') : []
  const main = roots.find(({ type }) => type === 'officeDocument')?.file
  if (main === undefined || !main.endsWith('.xml') || !archive.has(main)) throw badFileOf('archive')
  const relations = await readRelations(archive, main)
  const { is1904, named } = await readSheetNames(archive, main)
  const sheets = named.flatMap(({ id, ...rest }) => {
    const relation = relations.find((each) => each.id === id)
    // A sheet of another kind is a chart or a dialog.
    return relation?.type === 'worksheet' && archive.has(relation.file)
      ? [{ ...rest, file: relation.file }]
      : []
  })
  if (sheets.length === 0) throw badFileOf('no_sheets')
  const fileOf = (type: string) => {
    const file = relations.find((each) => each.type === type)?.file
    return file !== undefined && archive.has(file) ? file : undefined
  }
  const [styles, texts] = [fileOf('styles'), fileOf('sharedStrings')]
  return {
    sheets,
    is1904,
    formats: styles === undefined ? [] : await readFormats(archive, styles),
    strings: texts === undefined ? [] : await readStrings(archive, texts),
  }
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly file: string
}

/** Reads which files belong to one of the archive, by the last part of their types, which come in two editions. */
async function readRelations(archive: Archive, of: string): Promise<readonly Relation[]> {
  const folder = path.dirname(of)
  const relations: Relation[] = []
  await readXml(archive.read(path.join(folder, '_rels', `${path.basename(of)}.rels`), listBytes), {
    open: ({ length }, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (length !== 2) return
      const file = target.startsWith('/') ? target.slice(1) : path.join(folder, target)
      relations.push({ id, type: path.basename(type), file })
      if (relations.length > mostSheets * 2) throw badFileOf('broken')
    },
  })
  return relations
}

async function readSheetNames(archive: Archive, main: string) {
  let is1904 = false
  const named: { name: string; isHidden: boolean; id: string }[] = []
  await readXml(archive.read(main, listBytes), {
    open: (at, attributes) => {
      if (at[0] !== 'workbook') throw badFileOf('archive')
      if (at.length === 2 && at[1] === 'workbookPr') is1904 = isTrue(attributes.date1904)
      if (at.length !== 3 || at[1] !== 'sheets' || at[2] !== 'sheet') return
      const { name = '', state = 'visible' } = attributes
      named.push({ name, isHidden: state !== 'visible', id: relationIn(attributes) })
      if (named.length > mostSheets) throw badFileOf('broken')
    },
  })
  return { is1904, named }
}

const isTrue = (attribute: string | undefined) => attribute === '1' || attribute === 'true'

/** Returns the relation that an element names, whatever the prefix of the attribute is: usually `r:id`. */
const relationIn = (attributes: XmlAttributes) =>
  Object.entries(attributes).find(([name]) => name.includes(':') && localName(name) === 'id')?.[1] ?? ''

async function readFormats(archive: Archive, file: string): Promise<readonly NumberFormat[]> {
  const codes = new Map<number, string>()
  const known = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  await readXml(archive.read(file, listBytes), {
    open: ({ length, 1: list, 2: item }, { numFmtId, formatCode = '' }) => {
      const id = Number(numFmtId ?? 0)
      if (length !== 3) return
      if (list === 'numFmts' && item === 'numFmt') codes.set(id, formatCode)
      if (list !== 'cellXfs' || item !== 'xf') return
      const format = known.get(id) ?? readNumberFormat(id, codes.get(id))
      known.set(id, format)
      formats.push(format)
    },
  })
  return formats
}

async function readStrings(archive: Archive, file: string): Promise<readonly string[]> {
  const strings: string[] = []
  const collector = new TextCollector()
  await readXml(archive.read(file, stringBytes), {
    open: (at) => {
      if (at.length === 2) collector.begin()
      else collector.open(at)
    },
    text: (text) => collector.add(text),
    close: (at) => {
      collector.close(at)
      if (at.length !== 2) return
      strings.push(collector.text)
      if (strings.length > mostStrings) throw badFileOf('unpacked')
    },
  })
  return strings
}

/** Collects the text of a cell, whose parts have formats of their own, without the marks of its pronunciation. */
export class TextCollector {
  #text = ''
  #isText = false

  begin(): void {
    this.#text = ''
  }

  open(at: readonly string[]): void {
    this.#isText = at.at(-1) === 't' && at.at(-2) !== 'rPh'
  }

  add(text: string): void {
    if (this.#isText) this.#text += text
  }

  close(at: readonly string[]): void {
    if (at.at(-1) === 't') this.#isText = false
  }

  get text(): string {
    return decodeSigns(this.#text)
  }
}

/** Decodes signs that XML cannot have, such as `_x000D_`. */
export const decodeSigns = (text: string) =>
  text.includes('_x')
    ? text
        .replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
        .toWellFormed()
    : text
