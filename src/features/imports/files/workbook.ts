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
interface WorkbookSheet {
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
const MAX_DESCRIPTION_BYTES = 16 << 20
/** Characters of the name of a sheet; spreadsheets allow 31. */
const MAX_NAME_LENGTH = 255

/** A part of a package by its name, which has no case. */
const normalizePartName = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()

/** True if a zip archive is a workbook. Throws Problem `workbook-unread` for those of other formats. */
export function isWorkbook(entries: readonly Pick<ZipEntry, 'name'>[]): boolean {
  const names = new Set(entries.map(({ name }) => normalizePartName(name)))
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
function createPartReader({ path, entries, budget, onRead }: WorkbookPackage) {
  const entriesByName = new Map(entries.map((entry) => [normalizePartName(entry.name), entry]))
  const unzipPart = (entry: ZipEntry) => budget.of(unzipEntry(path, entry, onRead))
  function requireEntry(name: string): ZipEntry {
    const entry = entriesByName.get(name)
    if (!entry) throw brokenWorkbookProblem(`its part "${name.slice(0, 100)}" is missing`)
    return entry
  }
  return {
    has: (name: string) => entriesByName.has(name),
    read: (name: string) => unzipPart(requireEntry(name)),
    /** Reads a part that describes others. */
    describe(name: string, handler: XmlHandler): Promise<void> {
      const entry = requireEntry(name)
      if (entry.unpacked > MAX_DESCRIPTION_BYTES)
        throw brokenWorkbookProblem(`its part "${name.slice(0, 100)}" is too large`)
      return readWorkbookXml(unzipPart(entry), handler)
    },
  }
}
type PartReader = ReturnType<typeof createPartReader>

/** A reference from one part to another: its id, the last word of its type, and the part it names. */
type PartRelation = { id: string; type: string; part: string }

/** Reads the relations of the part `of`. */
async function readRelations(parts: PartReader, of: string): Promise<PartRelation[]> {
  const folderEnd = of.lastIndexOf('/') + 1
  const folder = of.slice(0, folderEnd)
  const relations: PartRelation[] = []
  const name = `${folder}_rels/${of.slice(folderEnd)}.rels`
  await parts.describe(name, {
    open(element, { Id = '', Type = '', Target = '', TargetMode = '' }) {
      if (element !== 'Relationship' || TargetMode === 'External') return
      if (relations.length >= MAX_ENTRIES) throw tooManyEntriesProblem('relations')
      const path = URL.parse(Target.replaceAll('\\', '/'), `file:///${folder}`)?.pathname ?? Target
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part: normalizePartName(path) })
    },
  })
  return relations
}

function tooManyEntriesProblem(entryKind: string): Problem {
  return brokenWorkbookProblem(`it has more than ${MAX_ENTRIES} ${entryKind}`)
}

/** Reads the sheets of cells of a workbook, and whether its dates count from 1904. */
async function readSheets(
  parts: PartReader,
  main: string,
  relations: readonly PartRelation[],
): Promise<{ sheets: WorkbookSheet[]; is1904: boolean }> {
  const relationsById = new Map(relations.map((relation) => [relation.id, relation]))
  const sheets: WorkbookSheet[] = []
  let is1904 = false
  await parts.describe(main, {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(?:1|true|on)$/i.test(attributes['date1904'] ?? '')
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
      const target = relationsById.get(id ?? '')
      // Charts and dialogs have no cells.
      if (target?.type !== 'worksheet') return
      const { name = '', state = 'visible' } = attributes
      if (sheets.length >= MAX_ENTRIES) throw tooManyEntriesProblem('sheets')
      sheets.push({ name: name.slice(0, MAX_NAME_LENGTH), isHidden: state !== 'visible', part: target.part })
    },
  })
  if (sheets.length === 0) throw brokenWorkbookProblem('it has no sheet with cells')
  return { sheets, is1904 }
}

/** Reads the kind of numbers that each style of cells shows. */
async function readNumberKinds(parts: PartReader, part: string | undefined): Promise<SheetNumberKind[]> {
  const kindsById = new Map<number, SheetNumberKind>()
  const kinds: SheetNumberKind[] = []
  let isInCellFormats = false
  if (part === undefined) return kinds
  await parts.describe(part, {
    open(element, { numFmtId = '0', formatCode = '' }) {
      if (element === 'cellXfs') isInCellFormats = true
      else if (element === 'numFmt' && kindsById.size < MAX_ENTRIES)
        kindsById.set(Number(numFmtId), parseNumberKind(formatCode))
      else if (element === 'xf' && isInCellFormats) {
        if (kinds.length >= MAX_ENTRIES) throw tooManyEntriesProblem('styles')
        kinds.push(kindsById.get(Number(numFmtId)) ?? getBuiltInNumberKind(Number(numFmtId)))
      }
    },
    close(element) {
      if (element === 'cellXfs') isInCellFormats = false
    },
  })
  return kinds
}

/** The part that a package begins with. */
async function findMainPart(parts: PartReader): Promise<string> {
  const usualMainPart = 'xl/workbook.xml'
  if (parts.has(usualMainPart)) return usualMainPart
  return (await readRelations(parts, '')).find(({ type }) => type === 'officeDocument')?.part ?? usualMainPart
}

/** The number of the last shared string that rows name; -1 if they name none. */
function findLastSharedString(rows: readonly RawSheetRow[]): number {
  let lastIndex = -1
  for (const { cells } of rows) {
    for (const { value } of cells) if (typeof value === 'number' && value > lastIndex) lastIndex = value
  }
  return lastIndex
}

/** Opens a workbook. Throws the Problems `archive-broken`, `workbook-broken`, `unpacked-too-large`. */
export async function openWorkbook(file: WorkbookPackage): Promise<ImportWorkbook> {
  const parts = createPartReader(file)
  const mainPartName = await findMainPart(parts)
  const relations = await readRelations(parts, mainPartName)
  const findPartByType = (type: string) => relations.find((relation) => relation.type === type)?.part
  const { sheets, is1904 } = await readSheets(parts, mainPartName, relations)
  const [sharedStrings, stylesPart] = [findPartByType('sharedStrings'), findPartByType('styles')]
  const visibleSheets = sheets.filter(({ isHidden }) => !isHidden)
  const sheetNames = (visibleSheets.length > 0 ? visibleSheets : sheets).map(({ name }) => name)
  const findSheet = (sheetName: string) => sheets.find(({ name }) => foldImportWord(name) === foldImportWord(sheetName))

  /** The rows of a sheet, read as they arrive. */
  async function* readSheetRows(name: string | undefined): AsyncGenerator<RawSheetRow[]> {
    const sheet = findSheet(name ?? sheetNames[0] ?? '')
    if (!sheet) throw missingSheetProblem(name ?? '', sheetNames)
    yield* readRawSheetRows(parts.read(sheet.part), { kinds: await readNumberKinds(parts, stylesPart), is1904 })
  }

  /** The lines of rows, which name shared strings up to the number `last`. */
  async function* toLines(
    rows: AsyncIterable<RawSheetRow[]> | Iterable<RawSheetRow[]>,
    last: number,
  ): AsyncGenerator<ImportLine[]> {
    const stringStore = new SharedStringStore(file.scratch)
    try {
      if (sharedStrings !== undefined && last >= 0)
        await readSharedStrings(parts.read(sharedStrings), stringStore, last)
      for await (const group of rows) yield* toSheetLines(group, stringStore, file.budget.spend)
    } finally {
      stringStore.close()
    }
  }

  return {
    sheets: sheetNames,
    find: (name) => findSheet(name)?.name,
    lines: (name) => toLines(readSheetRows(name), Number.POSITIVE_INFINITY),
    async head(name) {
      const rows = await takeFirstRows(readSheetRows(name))
      return (await Array.fromAsync(toLines([rows], findLastSharedString(rows)))).flat()
    },
    async check() {
      const partsRead = [...sheets.map(({ part }) => part), sharedStrings, stylesPart].filter(
        (part) => part !== undefined,
      )
      for (const part of new Set(partsRead)) for await (const _ of parts.read(part));
    },
  }
}

/** The first rows of a sheet that is read in pieces. */
async function takeFirstRows(pieces: AsyncIterable<RawSheetRow[]>): Promise<RawSheetRow[]> {
  for await (const rows of pieces) if (rows.length > 0) return rows
  return []
}
