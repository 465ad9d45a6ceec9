import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Imports.module.css'
import { type Column, type Feature, type Field, fieldOf, type Preview, typeOfCells, withField } from './mapping.ts'
import { Reading } from './Reading.tsx'
import { importTexts } from './texts.ts'

const NEW = 'new'

interface Props {
  preview: Preview
  fields: readonly Field[]
  features: readonly Feature[]
  onChange(features: Feature[]): void
  onError(error: unknown): void
}

/** The first lines of a file, and above each column the field that it fills. */
export function Lines({ preview, fields, features, onChange, onError }: Props) {
  const t = useText(importTexts)
  const queries = useQueryClient()
  const mayCreate = useMay('write')
  const { columns, lines } = preview
  const nameOf = ({ heading, index }: Column): string => heading || t('column', { column: index + 1 })
  const makeField = async (column: Column): Promise<void> => {
    const name = nameOf(column)
    const type = typeOfCells(lines.map((line) => line[column.index]))
    const { id } = await data(api.POST('/fields', { body: { name, type } }))
    await queries.invalidateQueries({ queryKey: ['fields'] })
    onChange(withField(features, column, id))
    tell(t('newFieldMade', { name }))
  }
  const choose = (column: Column, value: string | null): void => {
    if (value === NEW) makeField(column).catch(onError)
    else onChange(withField(features, column, value === null ? null : Number(value)))
  }
  const choices = fields.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <div className={styles['lines']}>
      <Sheet label={t('columns')}>
        <thead>
          <tr>
            {columns.map((column) => {
              const field = fieldOf(features, column)
              const filled = fields.find(({ id }) => id === field)
              const name = nameOf(column)
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
                      data={mayCreate ? [...choices, { value: NEW, label: t('newField', { name }) }] : choices}
                      value={field === null ? null : String(field)}
                      onChange={(value) => choose(column, value)}
                    />
                    {filled && <Reading {...{ column, name, features, onChange }} field={filled} />}
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
                <td key={column.index} data-unread={fieldOf(features, column) === null || undefined}>
                  <bdi>{line[column.index]}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Sheet>
    </div>
  )
}
