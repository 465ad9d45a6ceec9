import type { ServiceConfig } from '../config.ts'
import { OperatorError } from '../lib/errors/operator-error.ts'

/** A wrong command line: shown without a stack. */
export class UsageError extends OperatorError {}

export interface CommandInvocation {
  words: string[]
  options: Record<string, string | boolean | undefined>
  config: ServiceConfig
}

/** A command gives the exit status. */
export type CliCommand = (invocation: CommandInvocation) => Promise<number>

/** The value of an option that must be there. Throws UsageError. */
export function requireOptionValue(options: CommandInvocation['options'], name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is required.`)
  return value
}

/** A whole number from 0. Throws UsageError. */
export function parseWholeNumber(text: string, valueName: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${valueName} must be a whole number, not "${text}".`)
  return Number(text)
}

/** Prints rows as a table with aligned columns. */
export function printTable(rows: readonly Record<string, unknown>[]): void {
  const [firstRow] = rows
  if (!firstRow) {
    process.stdout.write('(none)\n')
    return
  }
  const bodyRows = rows.map((row) =>
    Object.values(row).map((value) => (value instanceof Date ? value.toISOString() : String(value ?? ''))),
  )
  const headings = Object.keys(firstRow)
  const columnWidths = headings.map((head, index) =>
    Math.max(head.length, ...bodyRows.map((row) => row[index]!.length)),
  )
  for (const row of [headings, ...bodyRows]) {
    process.stdout.write(
      `${row
        .map((cell, index) => cell.padEnd(columnWidths[index]!))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}
