const KINDS = {
  rows: /^\s*(?:\(|select\b|with\b|show\b|describe\b|desc\b|exists\b|check\b)/i,
  insert: /^\s*insert\b/i,
}

const ENDING = /\sformat\s+(?<format>\w+)(?<settings>\s+settings\s[^']*)?\s*$/i
const DATA_AFTER = /^(?<head>\s*insert\s[\s\S]*?\sformat\s+(?!values\b)\w+)(?:[ \t]*\r?\n|\s+)(?<data>\S[\s\S]*)$/i
const INPUT = /\binput\s*\(\s*('(?:[^'\\]|\\.|'')*')\s*\)/i

/** Comments in front would hide which kind of statement it is. */
const withoutComments = (sql: string): string => sql.replace(/^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '')

const withoutEnd = (sql: string): string => sql.replace(/[\s;]+$/, '')

/** A string as SQL writes it. */
export const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Whether its answer is rows, which are given out while they come. What is explained would keep the pipe for itself, so that
 * `explain` is not among them.
 */
export const answersRows = (sql: string): boolean => KINDS.rows.test(withoutComments(sql))

/** Whether its rows follow the statement, in the body of the request. */
export const takesBody = (sql: string): boolean =>
  KINDS.insert.test(withoutComments(sql)) && ENDING.test(withoutEnd(sql))

/** The format of the answer, if the statement names one. */
export const formatOf = (sql: string): string | undefined => ENDING.exec(withoutEnd(sql))?.groups?.['format']

/** A statement with its rows behind it, in two; undefined when none follow. */
export function splitInsert(text: string): { head: string; data: string } | undefined {
  const { head, data } = DATA_AFTER.exec(withoutComments(text))?.groups ?? {}
  return head === undefined || data === undefined ? undefined : { head, data }
}

/** The same statement, its answer written to a file that is there already, such as a pipe. */
export function intoFile(sql: string, path: string, defaultFormat: string): string {
  const text = withoutEnd(sql)
  const ending = ENDING.exec(text)
  const { format = defaultFormat, settings = '' } = ending?.groups ?? {}
  // On a line of its own, as the statement may end in a comment.
  return `${ending ? text.slice(0, ending.index) : text}\ninto outfile ${quote(path)} append format ${format}${settings}`
}

/**
 * The same insertion, its rows read from a file. The library runs `input()` without an error and inserts nothing, so that a
 * statement which reads it gets the table function of files with the same structure.
 */
export function fromFile(sql: string, path: string): string {
  const text = withoutEnd(sql)
  const { index, groups } = ENDING.exec(text)!
  const { format, settings = '' } = groups!
  const head = text.slice(0, index)
  const input = INPUT.exec(head)
  if (input) {
    const file = `file(${quote(path)}, ${format}, ${input[1]})`
    return `${head.slice(0, input.index)}${file}${head.slice(input.index + input[0].length)}${settings}`
  }
  const at = /\ssettings\s[^']*$/i.exec(head)?.index ?? head.length
  return `${head.slice(0, at)} from infile ${quote(path)} ${head.slice(at)} format ${format}${settings}`
}
