import { NumberInput, Select, TextInput } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { ConditionField } from './ConditionField.tsx'
import { keyOf, withColumns } from './model/model.ts'
import { withMember } from './model/settings.ts'
import { BACKGROUNDS, type Columns, type Row } from './model/shapes.ts'
import { designTexts } from './texts.ts'

/** Settings of a row or a block; `onChange` names the member that it changed. */
export interface NodeProps<T> {
  parent: T
  isReadOnly: boolean
  onChange(node: T, member: string): void
}

/** Widths that columns are chosen among. */
const WIDTHS = ['100', '50,50', '33,67', '67,33', '33,34,33', '25,25,25,25']

/** How wide columns are. */
export function WidthsField({ parent, isReadOnly, onChange }: NodeProps<Row | Columns>) {
  const t = useText(designTexts)
  const now = parent.columns.join(',')
  return (
    <Select
      size="xs"
      label={t('columnWidths')}
      readOnly={isReadOnly}
      allowDeselect={false}
      data={[...new Set([now, ...WIDTHS])].map((value) => ({ value, label: value.replaceAll(',', ' + ') }))}
      value={now}
      onChange={(next) => onChange(withColumns(parent, next!.split(',').map(Number)), 'columns')}
    />
  )
}

/** What is drawn once for each of a list. */
export function RepeatFields<T extends { repeat?: Row['repeat'] }>({ parent, isReadOnly, onChange }: NodeProps<T>) {
  const t = useText(designTexts)
  const { repeat } = parent
  const set = (next: Row['repeat']): void => onChange(withMember(parent, 'repeat', next), 'repeat')
  const name = (as: string): string =>
    as
      .toLowerCase()
      .replace(/^[^a-z_]+|[^a-z0-9_]/g, '')
      .slice(0, 40) || 'item'
  return (
    <>
      <TextInput
        size="xs"
        label={t('repeatOver')}
        description={t('repeatHelp')}
        readOnly={isReadOnly}
        value={repeat?.over ?? ''}
        onChange={({ currentTarget: { value: over } }) =>
          set(over === '' ? undefined : { as: 'item', ...repeat, over })
        }
      />
      {repeat && (
        <>
          <TextInput
            size="xs"
            label={t('repeatAs')}
            readOnly={isReadOnly}
            value={repeat.as}
            onChange={(event) => set({ ...repeat, as: name(event.currentTarget.value) })}
          />
          <NumberInput
            size="xs"
            label={t('repeatLimit')}
            readOnly={isReadOnly}
            min={1}
            max={100}
            clampBehavior="strict"
            allowDecimal={false}
            value={repeat.limit ?? ''}
            onChange={(limit) =>
              set(withMember(repeat, 'limit', limit === '' ? undefined : Math.max(1, Number(limit))))
            }
          />
        </>
      )}
    </>
  )
}

/** The settings of a row. */
export function RowFields(props: NodeProps<Row>) {
  const t = useText(designTexts)
  const { parent: row, isReadOnly, onChange } = props
  return (
    <>
      <WidthsField {...props} onChange={(next, member) => onChange(next as Row, member)} />
      <Select
        size="xs"
        label={t('background')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={BACKGROUNDS.map((value) => ({ value, label: t(value) }))}
        value={row.background ?? 'surface'}
        onChange={(next) => onChange(withMember(row, 'background', next), 'background')}
      />
      <ConditionField
        key={keyOf(row)}
        condition={row.condition}
        isReadOnly={isReadOnly}
        onChange={(condition) => onChange(withMember(row, 'condition', condition), 'condition')}
      />
      <RepeatFields {...props} />
    </>
  )
}
