import { writeFile as writeBytes } from 'node:fs/promises'
import { generateContacts, type Row } from '../scripts/demo/contacts.ts'
import { type Cell, workbook } from '../test/support/files/workbook.ts'
import { header, memory, prepareImport, runImport, writeFile } from './import-run.ts'
import { rounded } from './load.ts'
import { processorSeconds } from './processes.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const ROWS = 300_000
const DAY_MS = 86_400_000
/** Style 1 of the workbook: a date. */
const DATE_FORMAT = 14

function cellOf(name: keyof Row, text: string): Cell {
  if (text === '') return null
  if (name === 'Spent') return Number(text)
  if (name !== 'Birth date') return text
  return { xml: `<c s="1"><v>${(Date.parse(text) - Date.UTC(1899, 11, 30)) / DAY_MS}</v></c>` }
}

/** Writes the contacts as spreadsheets do: shared texts, numbers, and dates as numbers with a format. */
async function writeWorkbook(path: string, count: number): Promise<void> {
  const rows: Cell[][] = [[...header]]
  for (const row of generateContacts(count)) rows.push(header.map((name) => cellOf(name, row[name])))
  await writeBytes(path, workbook([{ name: 'People', rows }], { formats: [DATE_FORMAT] }))
}

/** Imports a file into a service of its own. */
async function measure(filename: string, count: number, write: (path: string, count: number) => Promise<void>) {
  const service = await startBenchService()
  try {
    const { pid } = service
    const { id, path } = await prepareImport(service)
    await write(path, count)
    const { own: startSeconds } = processorSeconds(pid)
    const run = await runImport(service, id, path, filename)
    if (run.created !== count) throw new Error(`${run.created} contacts were created`)
    const most = (from: number, to: number): number =>
      Math.max(...run.marks.filter(({ lines }) => lines >= count * from && lines <= count * to).map(({ rss }) => rss))
    return {
      rowsPerSecond: Math.round(count / run.seconds),
      processorUsPerRow: Math.round(((processorSeconds(pid).own - startSeconds) * 1e6) / count),
      runRssMb: (await memory(pid, 'VmHWM')) - run.before,
      rssGrowthMb: most(0.5, 1) - most(0, 0.5),
    }
  } finally {
    await service.stop()
  }
}

/**
 * Contacts a second of a workbook (`.xlsx`) of new contacts with ten columns, compared with a CSV file of the same contacts, each imported
 * into a service of its own over HTTP. `ratioToCsv`: its rate by that of the CSV file. `processorRatioToCsv`: the processor time of the service
 * for a row, without PostgreSQL, by that for a line; it varies less on a busy machine. `rssGrowthMb`: the most memory of the second half
 * of a run beyond that of the first. The bench holds the workbook in memory: `--size` is at most 1,000,000.
 */
export const benchmark: Benchmark = async (report, count = ROWS) => {
  const csv = await measure('people.csv', count, (path) => writeFile(path, count, () => ({})))
  report(`CSV: ${csv.rowsPerSecond} contacts/s`)
  const xlsx = await measure('people.xlsx', count, writeWorkbook)
  report(`workbook: ${xlsx.rowsPerSecond} contacts/s`)
  return {
    rows: count,
    csv,
    workbook: xlsx,
    ratioToCsv: rounded(xlsx.rowsPerSecond / csv.rowsPerSecond),
    processorRatioToCsv: rounded(xlsx.processorUsPerRow / csv.processorUsPerRow),
  }
}
