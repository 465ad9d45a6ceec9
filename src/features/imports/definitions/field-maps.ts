import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { formatPlainNumber } from '../../contacts/values/number-text.ts'

/**
 * A file of contacts, separated by semicolons and with a header line of field ids, made from flat maps.
 * Throws 400 with the pointers of unknown fields, and of values that are neither text, number nor an array of labels.
 */
export function buildContactFile(maps: readonly Record<string, unknown>[], shape: ContactShape): string {
  const faults: ProblemFault[] = []
  const columnsByField = new Map<number, number>()
  const lines = maps.map((map, index) => {
    const lineCells: string[] = []
    for (const [key, value] of Object.entries(map)) {
      const pointer = `/source/data/${index}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const field = shape.find(key)
      const text = formatCellText(value)
      if (!field) faults.push({ pointer, detail: `"${key.slice(0, 100)}" is not the id or name of a field` })
      else if (text === undefined) faults.push({ pointer, detail: 'must be a text, a number or an array of labels' })
      else {
        const column = columnsByField.get(field.id) ?? columnsByField.size
        columnsByField.set(field.id, column)
        lineCells[column] = quoteCell(text)
      }
    }
    return lineCells
  })
  if (faults.length > 0) throw invalidRequestProblem(faults.slice(0, 100))
  return [[...columnsByField.keys()], ...lines.map((lineCells) => Array.from(lineCells, (cell) => cell ?? ''))]
    .map((lineCells) => `${lineCells.join(';')}\n`)
    .join('')
}

function formatCellText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'number') return formatPlainNumber(value)
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const itemTexts = value.map(formatCellText)
  return itemTexts.includes(undefined) ? undefined : itemTexts.join('|')
}

function quoteCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
