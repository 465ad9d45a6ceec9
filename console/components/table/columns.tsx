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

/** Which columns are shown; kept in this browser by the name of the table, unless the address says. The first one always is. */
export function useTableColumns<T>(
  name: string,
  columns: readonly TableColumn<T>[],
  address: UrlTableColumns | undefined,
): TableColumnChoice<T> {
  const [chosen, setChosen] = useState<Record<string, boolean>>(() => readLocalPreference(`columns.${name}`, {}))
  const isShown = (key: string): boolean => {
    const column = columns.find((one) => one.key === key)
    const isChosen = address?.keys ? address.keys.includes(key) : (chosen[key] ?? !column?.isExtra)
    return column !== undefined && (column === columns[0] || isChosen)
  }
  return {
    shown: columns.filter(({ key }) => isShown(key)),
    isShown,
    toggle: (key) => {
      const next = { ...chosen, [key]: !isShown(key) }
      setChosen(next)
      storeLocalPreference(`columns.${name}`, next)
      const keys = columns.map((column) => column.key).filter((one) => (one === key ? !isShown(key) : isShown(one)))
      address?.onKeys(keys)
    },
  }
}

/** Chooses columns. */
export function TableColumnMenu<T>({
  columns,
  chosen,
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
            aria-checked={chosen.isShown(key)}
            leftSection={<Checkbox.Indicator size="xs" checked={chosen.isShown(key)} aria-hidden />}
            onClick={() => chosen.toggle(key)}
          >
            {header}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
