import { basename } from 'node:path'
import {
  actionChannelNames,
  type ChannelRedListName,
  getChannelTraits,
  isAddressFieldType,
} from '../../../channels/facts.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { type BounceCode, bounceCodes } from '../../contacts/bounces/bounce-codes.ts'
import type { ContactDefinitions } from '../../contacts/fields/definitions.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ImportColumnName, ImportStatusRule, StatusMark } from './feature-schemas.ts'
import { foldImportWord } from './file-features.ts'

/** What a status does to the contact of its line, as the staging table holds it. */
export type LineStatusMark = { channel: ChannelRedListName } | { field: number; code: BounceCode; reason: string }

/** A place of a status with its words: plain data, so that a thread can be given it. */
export interface ImportStatusSource {
  /** Null: the name of the file. */
  column: ImportColumnName | null
  /** By folded word. */
  words: ReadonlyMap<string, LineStatusMark | null>
}

/** Stands in a map for every word that is not empty and not in it. */
const ANY = '*'

/** The field that a status is of, where it names none: as of a new email action, else one with numbers. */
function defaultField(fields: readonly ContactFieldDefinition[]): ContactFieldDefinition | undefined {
  const ofType = (type: string) => fields.filter((field) => field.type === type)
  const fit = [...ofType('email'), ...ofType('phone')]
  return ofType('email').find(({ isUnicity }) => isUnicity) ?? fit[0]
}

function fieldOf({ field: id }: ImportStatusRule, fields: readonly ContactFieldDefinition[]): ContactFieldDefinition {
  const field = id === undefined ? defaultField(fields) : fields.find((one) => one.id === id)
  if (field && isAddressFieldType(field.type)) return field
  throw new Problem(
    400,
    'status-field-missing',
    'The account has no email or phone field that the statuses could be of.',
  )
}

function markOf(mark: StatusMark, word: string, { id, type }: ContactFieldDefinition): LineStatusMark | null {
  if (mark !== 'redList') return { field: id, code: bounceCodes[mark].code, reason: word === ANY ? '' : word }
  const channel = actionChannelNames
    .map((name) => getChannelTraits(name))
    .find(({ addressType }) => addressType === type)?.redList
  return channel ? { channel } : null
}

/** Prepares the rules of the feature `statuses` for an account. Throws Problem `status-field-missing`. */
export function prepareStatusSources(
  { also = [], ...rule }: ImportStatusRule & { also?: ImportStatusRule[] },
  { fields }: Pick<ContactDefinitions, 'fields'>,
): ImportStatusSource[] {
  return [rule, ...also].map((one) => {
    const field = fieldOf(one, fields)
    const words = Object.entries(one.map).map(([word, mark]): [string, LineStatusMark | null] => [
      foldImportWord(word),
      mark && markOf(mark, word.trim(), field),
    ])
    return { column: one.column ?? null, words: new Map(words) }
  })
}

/** Letters and digits of a text, in words between single blanks. */
function spaced(text: string): string {
  return ` ${text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `
}

/** The word of a map that is in the name of a file; of several one with a mark, then the first, then the longest. */
function wordIn(name: string, words: ReadonlyMap<string, unknown>): string | undefined {
  const text = spaced(foldImportWord(basename(name)))
  const found = [...words].flatMap(([word, mark]) => {
    const at = /[\p{L}\p{N}]/u.test(word) ? text.indexOf(spaced(word)) : -1
    return at < 0 ? [] : [{ word, at, isMarked: mark !== null }]
  })
  const order = found.sort(
    (a, b) => Number(b.isMarked) - Number(a.isMarked) || a.at - b.at || b.word.length - a.word.length,
  )
  return order[0]?.word
}

/** Whether the name of a file has a word of this map. */
export function hasStatusWord(name: string, map: ImportStatusRule['map']): boolean {
  return wordIn(name, new Map(Object.entries(map))) !== undefined
}

/** The files of an archive in the order they are read: those first whose name has a word with a mark. */
export function sortByStatusWord<File extends { name: string }>(
  files: File[],
  sources: readonly ImportStatusSource[],
): File[] {
  const isMarked = ({ name }: File) =>
    sources.some(({ words }) => (words.get(wordIn(name, words) ?? '') ?? null) !== null)
  return [...files.filter(isMarked), ...files.filter((file) => !isMarked(file))]
}

/** Says that a word of a line is not known: the column, and the word. */
export type ReportUnknownStatus = (column: string, word: string) => void

/** Gives the marks of a line as JSON, and reports its words that are not known. */
export type StatusMarkReader = (cells: readonly string[], unknown: ReportUnknownStatus) => string

type Lookup = (cells: readonly string[], unknown: ReportUnknownStatus) => LineStatusMark | null

function lookup(words: ImportStatusSource['words'], word: string): LineStatusMark | null | undefined {
  const mark = words.get(word)
  return mark === undefined && word !== '' ? words.get(ANY) : mark
}

function fileLookup({ words }: ImportStatusSource, file: string): Lookup {
  const word = wordIn(file, words)
  const mark = word === undefined ? words.get(ANY) : words.get(word)
  return (_cells, unknown) => {
    if (mark === undefined) unknown('', file)
    return mark ?? null
  }
}

function columnLookup({ words }: ImportStatusSource, index: number, title: string): Lookup {
  return (cells, unknown) => {
    const cell = cells[index] ?? ''
    const mark = lookup(words, foldImportWord(cell))
    if (mark === undefined) unknown(title, cell)
    return mark ?? null
  }
}

/** Each red list once, and of each field the first flag. */
function jsonOfMarks(found: readonly LineStatusMark[]): string {
  const place = (mark: LineStatusMark) => ('channel' in mark ? mark.channel : mark.field)
  return JSON.stringify(found.filter((mark, index) => found.findIndex((one) => place(one) === place(mark)) === index))
}

/** A text of a file: its name, and the cells of its header line, if it has one. */
export interface ImportTextHead {
  name: string
  header: readonly string[]
  /** Whether it is the only one; a text of an archive may lack a column, whose words are then empty. */
  isAlone: boolean
}

/**
 * Prepares the reading of statuses from one text. `indexes`: the columns it reads. Throws Problem
 * `status-column-missing`.
 */
export function createStatusMarkReader(
  sources: readonly ImportStatusSource[],
  { name, header, isAlone }: ImportTextHead,
): { read: StatusMarkReader; indexes: number[]; missing: string[] } {
  const headings = header.map(foldImportWord)
  const indexes: number[] = []
  const missing: string[] = []
  const lookups = sources.map((source) => {
    const { column } = source
    if (column === null) return fileLookup(source, basename(name))
    const index = typeof column === 'number' ? column : headings.indexOf(foldImportWord(column))
    if (index >= 0) indexes.push(index)
    else if (isAlone) {
      throw new Problem(400, 'status-column-missing', `The file has no column "${column}", which holds the statuses.`)
    } else missing.push(String(column))
    return columnLookup(source, index, header[index]?.trim() || String(column))
  })
  const texts = new Map<string, string>()
  const read: StatusMarkReader = (cells, unknown) => {
    const found = lookups.flatMap((find) => find(cells, unknown) ?? [])
    if (found.length === 0) return '[]'
    const key = found
      .map((mark) => ('channel' in mark ? mark.channel : `${mark.field}:${mark.code}:${mark.reason}`))
      .join('\n')
    let text = texts.get(key)
    if (text === undefined) texts.set(key, (text = jsonOfMarks(found)))
    return text
  }
  return { read, indexes, missing }
}
