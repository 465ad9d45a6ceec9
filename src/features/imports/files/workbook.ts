import type { Problem } from '../../../lib/errors/problem.ts'
import { foldImportWord } from '../definitions/file-features.ts'
import type { ImportLine } from '../run/lines.ts'
import { brokenWorkbookProblem, missingSheetProblem, unreadWorkbookProblem } from './file-problems.ts'
import { readSharedStrings, SharedStringStore } from './shared-strings.ts'
import { type RawSheetRow, readRawSheetRows, toSheetLines } from './sheet-rows.ts'
import { getBuiltInNumberKind, parseNumberKind, type SheetNumberKind } from './sheet-values.ts'
import type { UnpackBudget } from './unpack-budget.ts'
import { readWorkbookXml, type XmlHandler } from './workbook-xml.ts'
import { unzipEntry, type ZipEntry } from './zip.ts'

/** A sheet of cells: its name, and its part. */
interface Sheet {
  name: string
  isHidden: boolean
  part: string
}

/** A workbook (ECMA-376, `.xlsx`) whose sheets can be read. */
export interface ImportWorkbook {
  /** Names of the sheets that are not hidden, in their order; of all where all are. */
  sheets: string[]
  /** The name of a sheet as the workbook writes it, found in any case; undefined if there is no such sheet. */
  find(name: string): string | undefined
  /** The lines of a sheet, of the first one without a name; in constant memory. Throws the Problems `workbook-broken`, `sheet-missing`, `unpacked-too-large`. */
  lines(name: string | undefined): AsyncGenerator<ImportLine[]>
  /** The lines that its first MiB gives. Throws the same. */
  head(name: string | undefined): Promise<ImportLine[]>
  /** Reads all its parts to their ends. Throws the Problems `archive-broken`, `workbook-broken`, `unpacked-too-large`. */
  check(): Promise<void>
}

/** A zip archive, and how much may come out of it. */
export interface WorkbookPackage {
  path: string
  entries: readonly ZipEntry[]
  /** A file for texts that do not fit the memory. */
  scratch: string
  budget: UnpackBudget
  onRead(bytes: number): void
}

/** Sheets and styles, and bytes of the parts that describe them: these are held in memory. */
const MAX_ENTRIES = 70_000
const MAX_DESCRIPTION = 16 << 20
/** Characters of the name of a sheet; spreadsheets allow 31. */
const MAX_NAME = 255

/** A part of a package by its name, which has no case. */
const nameOfPart = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()

/** True if a zip archive is a workbook. Throws Problem `workbook-unread` for those of other formats. */
export function isWorkbook(entries: readonly Pick<ZipEntry, 'name'>[]): boolean {
  const names = new Set(entries.map(({ name }) => nameOfPart(name)))
  if (names.has('xl/workbook.xml')) return true
  if (names.has('xl/workbook.bin')) throw unreadWorkbookProblem('A binary workbook (.xlsb)')
  if (names.has('mimetype') && names.has('content.xml'))
    throw unreadWorkbookProblem('An OpenDocument spreadsheet (.ods)')
  if (names.has('index/document.iwa')) throw unreadWorkbookProblem('A Numbers document')
  return (
    names.has('_rels/.rels') && names.has('[content_types].xml') && [...names].some((name) => name.startsWith('xl/'))
  )
}

/** Finds and reads the parts of a package by name. */
function partsOf({ path, entries, budget, onRead }: WorkbookPackage) {
  const byName = new Map(entries.map((entry) => [nameOfPart(entry.name), entry]))
  const bytes = (entry: ZipEntry) => budget.of(unzipEntry(path, entry, onRead))
  function entryOf(name: string): ZipEntry {
    const entry = byName.get(name)
    if (!entry) throw brokenWorkbookProblem(`its part "${name.slice(0, 100)}" is missing`)
    return entry
  }
  return {
    has: (name: string) => byName.has(name),
    read: (name: string) => bytes(entryOf(name)),
    /** Reads a part that describes others. */
    describe(name: string, handler: XmlHandler): Promise<void> {
      const entry = entryOf(name)
      if (entry.unpacked > MAX_DESCRIPTION) throw brokenWorkbookProblem(`its part "${name.slice(0, 100)}" is too large`)
      return readWorkbookXml(bytes(entry), handler)
    },
  }
}
type Parts = ReturnType<typeof partsOf>

/** A reference from one part to another: its id, the last word of its type, and the part it names. */
type Relation = { id: string; type: string; part: string }

/** Reads the relations of the part `of`. */
async function relationsOf(parts: Parts, of: string): Promise<Relation[]> {
  const at = of.lastIndexOf('/') + 1
  const folder = of.slice(0, at)
  const relations: Relation[] = []
  const name = `${folder}_rels/${of.slice(at)}.rels`
  await parts.describe(name, {
    open(element, { Id = '', Type = '', Target = '', TargetMode = '' }) {
      if (element !== 'Relationship' || TargetMode === 'External') return
      if (relations.length >= MAX_ENTRIES) throw tooManyEntries('relations')
      const path = URL.parse(Target.replaceAll('\\', '/'), `file:///${folder}`)?.pathname ?? Target
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part: nameOfPart(path) })
    },
  })
  return relations
}

function tooManyEntries(what: string): Problem {
  return brokenWorkbookProblem(`it has more than ${MAX_ENTRIES} ${what}`)
}

/** Reads the sheets of cells of a workbook, and whether its dates count from 1904. */
async function readSheets(
  parts: Parts,
  main: string,
  relations: readonly Relation[],
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const targets = new Map(relations.map((relation) => [relation.id, relation]))
  const sheets: Sheet[] = []
  let is1904 = false
  await parts.describe(main, {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(?:1|true|on)$/i.test(attributes['date1904'] ?? '')
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
      const target = targets.get(id ?? '')
      // Charts and dialogs have no cells.
      if (target?.type !== 'worksheet') return
      const { name = '', state = 'visible' } = attributes
      if (sheets.length >= MAX_ENTRIES) throw tooManyEntries('sheets')
      sheets.push({ name: name.slice(0, MAX_NAME), isHidden: state !== 'visible', part: target.part })
    },
  })
  if (sheets.length === 0) throw brokenWorkbookProblem('it has no sheet with cells')
  return { sheets, is1904 }
}

/** Reads the kind of numbers that each style of cells shows. */
async function readKinds(parts: Parts, part: string | undefined): Promise<SheetNumberKind[]> {
  const kindsById = new Map<number, SheetNumberKind>()
  const kinds: SheetNumberKind[] = []
  let isCells = false
  if (part === undefined) return kinds
  await parts.describe(part, {
    open(element, { numFmtId = '0', formatCode = '' }) {
      if (element === 'cellXfs') isCells = true
      else if (element === 'numFmt' && kindsById.size < MAX_ENTRIES)
        kindsById.set(Number(numFmtId), parseNumberKind(formatCode))
      else if (element === 'xf' && isCells) {
        if (kinds.length >= MAX_ENTRIES) throw tooManyEntries('styles')
        kinds.push(kindsById.get(Number(numFmtId)) ?? getBuiltInNumberKind(Number(numFmtId)))
      }
    },
    close(element) {
      if (element === 'cellXfs') isCells = false
    },
  })
  return kinds
}

/** The part that a package begins with. */
async function mainPart(parts: Parts): Promise<string> {
  const usual = 'xl/workbook.xml'
  if (parts.has(usual)) return usual
  return (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.part ?? usual
}

/** The number of the last shared string that rows name; -1 if they name none. */
function lastString(rows: readonly RawSheetRow[]): number {
  let last = -1
  for (const { cells } of rows) {
    for (const { value } of cells) if (typeof value === 'number' && value > last) last = value
  }
  return last
}

/** Opens a workbook. Throws the Problems `archive-broken`, `workbook-broken`, `unpacked-too-large`. */
export async function openWorkbook(file: WorkbookPackage): Promise<ImportWorkbook> {
  const parts = partsOf(file)
  const main = await mainPart(parts)
  const relations = await relationsOf(parts, main)
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.part
  const { sheets, is1904 } = await readSheets(parts, main, relations)
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')]
  const visibleSheets = sheets.filter(({ isHidden }) => !isHidden)
  const sheetNames = (visibleSheets.length > 0 ? visibleSheets : sheets).map(({ name }) => name)
  const find = (wanted: string) => sheets.find(({ name }) => foldImportWord(name) === foldImportWord(wanted))

  /** The rows of a sheet, read as they arrive. */
  async function* rowsOf(name: string | undefined): AsyncGenerator<RawSheetRow[]> {
    const sheet = find(name ?? sheetNames[0] ?? '')
    if (!sheet) throw missingSheetProblem(name ?? '', sheetNames)
    yield* readRawSheetRows(parts.read(sheet.part), { kinds: await readKinds(parts, styles), is1904 })
  }

  /** The lines of rows, which name shared strings up to the number `last`. */
  async function* linesOf(
    rows: AsyncIterable<RawSheetRow[]> | Iterable<RawSheetRow[]>,
    last: number,
  ): AsyncGenerator<ImportLine[]> {
    const store = new SharedStringStore(file.scratch)
    try {
      if (strings !== undefined && last >= 0) await readSharedStrings(parts.read(strings), store, last)
      for await (const group of rows) yield* toSheetLines(group, store, file.budget.spend)
    } finally {
      store.close()
    }
  }

  return {
    sheets: sheetNames,
    find: (name) => find(name)?.name,
    lines: (name) => linesOf(rowsOf(name), Number.POSITIVE_INFINITY),
    async head(name) {
      const rows = await firstRows(rowsOf(name))
      return (await Array.fromAsync(linesOf([rows], lastString(rows)))).flat()
    },
    async check() {
      const partsRead = [...sheets.map(({ part }) => part), strings, styles].filter((part) => part !== undefined)
      for (const part of new Set(partsRead)) for await (const _ of parts.read(part));
    },
  }
}

/** The first rows of a sheet that is read in pieces. */
async function firstRows(pieces: AsyncIterable<RawSheetRow[]>): Promise<RawSheetRow[]> {
  for await (const rows of pieces) if (rows.length > 0) return rows
  return []
}
