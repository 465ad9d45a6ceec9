import { Select } from '@mantine/core'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { ColumnReadingField } from '../ColumnReadingField.tsx'
import styles from '../ImportsPage.module.css'
import {
  type ApiImportFeature,
  type ApiImportPreview,
  findColumnField,
  type ImportPreviewColumn,
  type ImportTargetField,
  setColumnField,
} from '../mapping.ts'
import { importTexts } from '../texts.ts'
import { COLUMN_KINDS, type ColumnGuess, type ColumnKind, fieldTypesByKind } from './column-kinds.ts'
import { isStatusColumn, type NewImportFields } from './new-fields.ts'

const NEW_FIELD = 'new'
const MAX_EXAMPLES = 3

interface Props {
  preview: ApiImportPreview
  fields: readonly ImportTargetField[]
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
  /** The fields to create; absent where none can be. */
  creation?: {
    newFields: NewImportFields
    guesses: Readonly<Record<number, ColumnGuess>>
    dateOrder: 'dmy' | 'mdy' | undefined
    onChange(newFields: NewImportFields): void
  }
}

type RowProps = Props & { column: ImportPreviewColumn; name: string }

/** The first different values of a column. */
function listExamples(lines: ApiImportPreview['lines'], index: number): string[] {
  const cells = lines.map((line) => line[index] ?? '').filter((cell) => cell.trim() !== '')
  return [...new Set(cells)].slice(0, MAX_EXAMPLES)
}

function FieldSelect({ column, name, fields, features, onChange, creation }: RowProps) {
  const t = useTranslator(importTexts)
  const fieldId = findColumnField(features, column)
  const isNew = creation?.newFields[column.index] !== undefined
  const fieldChoices = fields.map(({ id, name: label }) => ({ value: String(id), label }))
  const chooseField = (value: string | null): void => {
    const { [column.index]: _, ...otherNewFields } = creation?.newFields ?? {}
    const newKind = creation?.guesses[column.index]?.kind ?? 'text'
    creation?.onChange(value === NEW_FIELD ? { ...otherNewFields, [column.index]: newKind } : otherNewFields)
    onChange(setColumnField(features, column, value === null || value === NEW_FIELD ? null : Number(value)))
  }
  return (
    <Select
      size="xs"
      w={220}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t('notRead') }}
      aria-label={t('fieldFor', { column: name })}
      placeholder={t(isStatusColumn(features, column) ? 'statusColumn' : 'notRead')}
      data={creation ? [{ value: NEW_FIELD, label: t('newField', { name }) }, ...fieldChoices] : fieldChoices}
      value={isNew ? NEW_FIELD : fieldId === null ? null : String(fieldId)}
      onChange={chooseField}
    />
  )
}

/** The type of the field that a column fills: of a new one it can be chosen. */
function TypeCell({ column, name, fields, features, onChange, creation }: RowProps) {
  const t = useTranslator(importTexts)
  const newKind = creation?.newFields[column.index]
  const field = fields.find(({ id }) => id === findColumnField(features, column))
  const type = newKind ? fieldTypesByKind[newKind] : field?.type
  if (type === undefined) return null
  const fieldKind = COLUMN_KINDS.find((kind) => fieldTypesByKind[kind] === type) ?? 'text'
  const shownOrder = type === 'date' ? creation?.guesses[column.index]?.dateOrder : undefined
  return (
    <div className={styles['type']}>
      {newKind ? (
        <Select
          size="xs"
          w={170}
          allowDeselect={false}
          aria-label={t('typeOf', { column: name })}
          data={COLUMN_KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          value={newKind}
          onChange={(kind) => creation?.onChange({ ...creation.newFields, [column.index]: kind as ColumnKind })}
        />
      ) : (
        <span>{t(`kind.${fieldKind}`)}</span>
      )}
      <ColumnReadingField column={column} name={name} features={features} onChange={onChange} fieldType={type} />
      {shownOrder && creation?.dateOrder !== undefined && shownOrder !== creation.dateOrder && (
        <small className={styles['warn']}>{t(`order.${shownOrder}`)}</small>
      )}
    </div>
  )
}

/** The columns of a file with some of their values, each with the field that it fills; those that tell subscription states come first. */
export function ImportColumnTable(props: Props) {
  const { preview, features, creation } = props
  const t = useTranslator(importTexts)
  const columns = preview.columns.toSorted(
    (a, b) => Number(isStatusColumn(features, b)) - Number(isStatusColumn(features, a)) || a.index - b.index,
  )
  return (
    <PlainTable label={t('columns')}>
      <thead>
        <tr>
          <th scope="col">{t('columnInFile')}</th>
          <th scope="col">{t('examples')}</th>
          <th scope="col">{t('fills')}</th>
          <th scope="col">{t('type')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => {
          const name = column.heading || t('column', { column: column.index + 1 })
          const isUnread =
            findColumnField(features, column) === null &&
            creation?.newFields[column.index] === undefined &&
            !isStatusColumn(features, column)
          return (
            <tr key={column.index} className={styles['column']} data-unread={isUnread || undefined}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td className={styles['examples']}>
                <bdi>{listExamples(preview.lines, column.index).join(' · ')}</bdi>
              </td>
              <td>
                <FieldSelect {...props} column={column} name={name} />
              </td>
              <td>
                <TypeCell {...props} column={column} name={name} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </PlainTable>
  )
}
