import { basename } from 'node:path'
import {
  actionChannelNames,
  type ChannelRedListName,
  getChannelTraits,
  isAddressFieldType,
} from '../../../channels/channel-traits.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { type BounceCode, bounceCodes } from '../../contacts/bounce-flags/bounce-codes.ts'
import type { ContactDefinitions } from '../../contacts/fields/definitions.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ImportColumnName, ImportStatusRule, StatusMark } from './feature-schemas.ts'
import { foldImportWord } from './file-features.ts'

/** Effect of a status on the contact of its line, as the staging table stores it. */
export type LineStatusMark = { channel: ChannelRedListName } | { field: number; code: BounceCode; reason: string }

/** A place of a status with its words: plain data, so that a thread can be given it. */
export interface ImportStatusSource {
  /** Null: the name of the file. */
  column: ImportColumnName | null
  /** By folded word. */
  words: ReadonlyMap<string, LineStatusMark | null>
}

/** Stands in a map for every word that is not empty and not in it. */
const ANY_WORD = '*'

/** The field that a status is of, where it names none: as of a new email action, else one with numbers. */
function findDefaultField(fields: readonly ContactFieldDefinition[]): ContactFieldDefinition | undefined {
  const selectFieldsByType = (type: string) => fields.filter((field) => field.type === type)
  const addressFields = [...selectFieldsByType('email'), ...selectFieldsByType('phone')]
  return selectFieldsByType('email').find(({ isUnicity }) => isUnicity) ?? addressFields[0]
}

function resolveStatusField(
  { field: id }: ImportStatusRule,
  fields: readonly ContactFieldDefinition[],
): ContactFieldDefinition {
  const field = id === undefined ? findDefaultField(fields) : fields.find((candidate) => candidate.id === id)
  if (field && isAddressFieldType(field.type)) return field
  throw new Problem(400, 'status-field-missing', 'The account has no email or phone field for the statuses.')
}

function resolveStatusMark(
  mark: StatusMark,
  word: string,
  { id, type }: ContactFieldDefinition,
): LineStatusMark | null {
  if (mark !== 'redList') return { field: id, code: bounceCodes[mark].code, reason: word === ANY_WORD ? '' : word }
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
  return [rule, ...also].map((statusRule) => {
    const field = resolveStatusField(statusRule, fields)
    const markedWords = Object.entries(statusRule.map).map(([word, mark]): [string, LineStatusMark | null] => [
      foldImportWord(word),
      mark && resolveStatusMark(mark, word.trim(), field),
    ])
    return { column: statusRule.column ?? null, words: new Map(markedWords) }
  })
}

/** Letters and digits of a text, in words between single blanks. */
function toSpacedWords(text: string): string {
  return ` ${text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `
}

/** The word of a map that is in the name of a file; of several one with a mark, then the first, then the longest. */
function findStatusWord(name: string, words: ReadonlyMap<string, unknown>): string | undefined {
  const text = toSpacedWords(foldImportWord(basename(name)))
  const matchingWords = [...words].flatMap(([word, mark]) => {
    const wordIndex = /[\p{L}\p{N}]/u.test(word) ? text.indexOf(toSpacedWords(word)) : -1
    return wordIndex < 0 ? [] : [{ word, at: wordIndex, isMarked: mark !== null }]
  })
  const sortedWords = matchingWords.sort(
    (a, b) => Number(b.isMarked) - Number(a.isMarked) || a.at - b.at || b.word.length - a.word.length,
  )
  return sortedWords[0]?.word
}

/** True if the name of a file contains a word of this map. */
export function hasStatusWord(name: string, map: ImportStatusRule['map']): boolean {
  return findStatusWord(name, new Map(Object.entries(map))) !== undefined
}

/** The files of an archive in the order they are read: those first whose name has a word with a mark. */
export function sortByStatusWord<File extends { name: string }>(
  files: File[],
  sources: readonly ImportStatusSource[],
): File[] {
  const isMarked = ({ name }: File) =>
    sources.some(({ words }) => (words.get(findStatusWord(name, words) ?? '') ?? null) !== null)
  return [...files.filter(isMarked), ...files.filter((file) => !isMarked(file))]
}

/** Says that a word of a line is not known: the column, and the word. */
export type ReportUnknownStatus = (column: string, word: string) => void

/** Gives the marks of a line as JSON, and reports its words that are not known. */
export type StatusMarkReader = (cells: readonly string[], unknown: ReportUnknownStatus) => string

type MarkLookup = (cells: readonly string[], unknown: ReportUnknownStatus) => LineStatusMark | null

function findWordMark(words: ImportStatusSource['words'], word: string): LineStatusMark | null | undefined {
  const mark = words.get(word)
  return mark === undefined && word !== '' ? words.get(ANY_WORD) : mark
}

function createFileLookup({ words }: ImportStatusSource, file: string): MarkLookup {
  const word = findStatusWord(file, words)
  const mark = word === undefined ? words.get(ANY_WORD) : words.get(word)
  return (_cells, unknown) => {
    if (mark === undefined) unknown('', file)
    return mark ?? null
  }
}

function createColumnLookup({ words }: ImportStatusSource, index: number, title: string): MarkLookup {
  return (cells, unknown) => {
    const cell = cells[index] ?? ''
    const mark = findWordMark(words, foldImportWord(cell))
    if (mark === undefined) unknown(title, cell)
    return mark ?? null
  }
}

/** Each red list once, and of each field the first flag. */
function formatMarksJson(foundMarks: readonly LineStatusMark[]): string {
  const buildMarkTarget = (mark: LineStatusMark) => ('channel' in mark ? mark.channel : mark.field)
  return JSON.stringify(
    foundMarks.filter(
      (mark, index) =>
        foundMarks.findIndex((otherMark) => buildMarkTarget(otherMark) === buildMarkTarget(mark)) === index,
    ),
  )
}

/** A text of a file: its name, and the cells of its header line, if it has one. */
export interface ImportTextHead {
  name: string
  header: readonly string[]
  /** True if it is the only text; a text of an archive may lack a column, whose words are then empty. */
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
  const foldedHeadings = header.map(foldImportWord)
  const statusIndexes: number[] = []
  const missingColumns: string[] = []
  const markLookups = sources.map((source) => {
    const { column } = source
    if (column === null) return createFileLookup(source, basename(name))
    const index = typeof column === 'number' ? column : foldedHeadings.indexOf(foldImportWord(column))
    if (index >= 0) statusIndexes.push(index)
    else if (isAlone) {
      throw new Problem(
        400,
        'status-column-missing',
        `The file has no column "${column}", which contains the statuses.`,
      )
    } else missingColumns.push(String(column))
    return createColumnLookup(source, index, header[index]?.trim() || String(column))
  })
  const jsonByMarks = new Map<string, string>()
  const readMarks: StatusMarkReader = (cells, unknown) => {
    const lineMarks = markLookups.flatMap((find) => find(cells, unknown) ?? [])
    if (lineMarks.length === 0) return '[]'
    const key = lineMarks
      .map((mark) => ('channel' in mark ? mark.channel : `${mark.field}:${mark.code}:${mark.reason}`))
      .join('\n')
    let text = jsonByMarks.get(key)
    if (text === undefined) jsonByMarks.set(key, (text = formatMarksJson(lineMarks)))
    return text
  }
  return { read: readMarks, indexes: statusIndexes, missing: missingColumns }
}
