import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ColumnReadingField } from './ColumnReadingField.tsx'
import styles from './ImportsPage.module.css'
import {
  type ApiImportFeature,
  type ApiImportPreview,
  findColumnField,
  type ImportPreviewColumn,
  type ImportTargetField,
  inferFieldType,
  setColumnField,
} from './mapping.ts'
import { importTexts } from './texts.ts'

const NEW_FIELD = 'new'

interface Props {
  preview: ApiImportPreview
  fields: readonly ImportTargetField[]
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
  onError(error: unknown): void
}

/** The first lines of a file, and above each column the field that it fills. */
export function ImportPreviewLines({ preview, fields, features, onChange, onError }: Props) {
  const t = useTranslator(importTexts)
  const queryClient = useQueryClient()
  const mayCreate = useHasRight('write')
  const { columns, lines } = preview
  const formatColumnName = ({ heading, index }: ImportPreviewColumn): string =>
    heading || t('column', { column: index + 1 })
  const makeField = async (column: ImportPreviewColumn): Promise<void> => {
    const name = formatColumnName(column)
    const type = inferFieldType(lines.map((line) => line[column.index]))
    const { id } = await apiClient.createField({ body: { name, type } })
    await queryClient.invalidateQueries({ queryKey: ['fields'] })
    onChange(setColumnField(features, column, id))
    showToast(t('newFieldMade', { name }))
  }
  const chooseField = (column: ImportPreviewColumn, value: string | null): void => {
    if (value === NEW_FIELD) makeField(column).catch(onError)
    else onChange(setColumnField(features, column, value === null ? null : Number(value)))
  }
  const fieldChoices = fields.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <div className={styles['lines']}>
      <PlainTable label={t('columns')}>
        <thead>
          <tr>
            {columns.map((column) => {
              const fieldId = findColumnField(features, column)
              const targetField = fields.find(({ id }) => id === fieldId)
              const name = formatColumnName(column)
              return (
                <th key={column.index} scope="col">
                  <div className={styles['heading']}>
                    <bdi>{name}</bdi>
                    <Select
                      size="xs"
                      clearable
                      searchable
                      clearButtonProps={{ 'aria-label': t('notRead') }}
                      aria-label={t('fieldFor', { column: name })}
                      placeholder={t('notRead')}
                      data={
                        mayCreate
                          ? [...fieldChoices, { value: NEW_FIELD, label: t('newField', { name }) }]
                          : fieldChoices
                      }
                      value={fieldId === null ? null : String(fieldId)}
                      onChange={(value) => chooseField(column, value)}
                    />
                    {targetField && (
                      <ColumnReadingField
                        column={column}
                        name={name}
                        features={features}
                        onChange={onChange}
                        field={targetField}
                      />
                    )}
                  </div>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file have no other name.
            <tr key={row}>
              {columns.map((column) => (
                <td key={column.index} data-unread={findColumnField(features, column) === null || undefined}>
                  <bdi>{line[column.index]}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  )
}
