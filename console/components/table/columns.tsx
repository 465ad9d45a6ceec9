import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { readLocalPreference, storeLocalPreference } from '../../layout/preferences.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'

export interface TableColumn<T> {
  key: string
  header: string
  /** The header is only read aloud. */
  isHeaderUnseen?: boolean
  cell(row: T): ReactNode
  /** In pixels, the least that it takes; what is left is shared by `grow`. */
  width?: number
  grow?: number
  /** Numbers stand at the right. */
  align?: 'end'
  /** The name that the address sorts by. */
  sort?: string
  /** Not shown until it is chosen. */
  isExtra?: boolean
}

export interface TableColumnChoice<T> {
  shown: readonly TableColumn<T>[]
  isShown(key: string): boolean
  toggle(key: string): void
}

/** Columns as an address names them, by their keys; undefined: as they are kept in this browser. */
export interface UrlTableColumns {
  keys: readonly string[] | undefined
  onKeys(keys: readonly string[]): void
}

/** Visible columns; stored in this browser by table name, unless the address specifies them. The first column is always visible. */
export function useTableColumns<T>(
  name: string,
  columns: readonly TableColumn<T>[],
  address: UrlTableColumns | undefined,
): TableColumnChoice<T> {
  const [storedChoice, setChosen] = useState<Record<string, boolean>>(() => readLocalPreference(`columns.${name}`, {}))
  const isShown = (key: string): boolean => {
    const matchingColumn = columns.find((candidate) => candidate.key === key)
    const isVisible = address?.keys ? address.keys.includes(key) : (storedChoice[key] ?? !matchingColumn?.isExtra)
    return matchingColumn !== undefined && (matchingColumn === columns[0] || isVisible)
  }
  return {
    shown: columns.filter(({ key }) => isShown(key)),
    isShown,
    toggle: (key) => {
      const nextChoice = { ...storedChoice, [key]: !isShown(key) }
      setChosen(nextChoice)
      storeLocalPreference(`columns.${name}`, nextChoice)
      const visibleKeys = columns
        .map((column) => column.key)
        .filter((columnKey) => (columnKey === key ? !isShown(key) : isShown(columnKey)))
      address?.onKeys(visibleKeys)
    },
  }
}

/** Chooses columns. */
export function TableColumnMenu<T>({
  columns,
  chosen: columnChoice,
}: {
  columns: readonly TableColumn<T>[]
  chosen: TableColumnChoice<T>
}) {
  const t = useTranslator(componentTexts)
  return (
    <Menu closeOnItemClick={false} width={240}>
      <Menu.Target>
        <ActionIcon aria-label={t('columns')} title={t('columns')} variant="default">
          <IconColumns3 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={380} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('columns')}</Menu.Label>
        {columns.slice(1).map(({ key, header }) => (
          <Menu.Item
            key={key}
            role="menuitemcheckbox"
            aria-checked={columnChoice.isShown(key)}
            leftSection={<Checkbox.Indicator size="xs" checked={columnChoice.isShown(key)} aria-hidden />}
            onClick={() => columnChoice.toggle(key)}
          >
            {header}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
