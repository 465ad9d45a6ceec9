import { NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { designNodeKey, resizeDesignColumns } from './model/model.ts'
import { setNodeMember } from './model/settings.ts'
import { type ApiColumnsBlock, type ApiDesignRow, ROW_BACKGROUNDS } from './model/shapes.ts'
import { RowConditionField } from './RowConditionField.tsx'
import { designTexts } from './texts.ts'

/** Settings of a row or a block; `onChange` names the member that it changed. */
export interface DesignNodeProps<T> {
  parent: T
  isReadOnly: boolean
  onChange(node: T, member: string): void
}

/** Widths that columns are chosen among. */
const COLUMN_WIDTHS = ['100', '50,50', '33,67', '67,33', '33,34,33', '25,25,25,25']

/** Field for the widths of columns. */
export function ColumnWidthsField({ parent, isReadOnly, onChange }: DesignNodeProps<ApiDesignRow | ApiColumnsBlock>) {
  const t = useTranslator(designTexts)
  const now = parent.columns.join(',')
  return (
    <Select
      size="xs"
      label={t('columnWidths')}
      readOnly={isReadOnly}
      allowDeselect={false}
      data={[...new Set([now, ...COLUMN_WIDTHS])].map((value) => ({ value, label: value.replaceAll(',', ' + ') }))}
      value={now}
      onChange={(next) => onChange(resizeDesignColumns(parent, next!.split(',').map(Number)), 'columns')}
    />
  )
}

/** Fields for content that is repeated for each item of a list. */
export function RowRepeatFields<T extends { repeat?: ApiDesignRow['repeat'] }>({
  parent,
  isReadOnly,
  onChange,
}: DesignNodeProps<T>) {
  const t = useTranslator(designTexts)
  const { repeat } = parent
  const setRepeat = (next: ApiDesignRow['repeat']): void => onChange(setNodeMember(parent, 'repeat', next), 'repeat')
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
          setRepeat(over === '' ? undefined : { as: 'item', ...repeat, over })
        }
      />
      {repeat && (
        <>
          <TextInput
            size="xs"
            label={t('repeatAs')}
            readOnly={isReadOnly}
            value={repeat.as}
            onChange={(event) => setRepeat({ ...repeat, as: name(event.currentTarget.value) })}
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
              setRepeat(setNodeMember(repeat, 'limit', limit === '' ? undefined : Math.max(1, Number(limit))))
            }
          />
        </>
      )}
    </>
  )
}

/** The settings of a row. */
export function DesignRowFields(props: DesignNodeProps<ApiDesignRow>) {
  const t = useTranslator(designTexts)
  const { parent: row, isReadOnly, onChange } = props
  return (
    <>
      <ColumnWidthsField {...props} onChange={(next, member) => onChange(next as ApiDesignRow, member)} />
      <Select
        size="xs"
        label={t('background')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={ROW_BACKGROUNDS.map((value) => ({ value, label: t(value) }))}
        value={row.background ?? 'surface'}
        onChange={(next) => onChange(setNodeMember(row, 'background', next), 'background')}
      />
      <RowConditionField
        key={designNodeKey(row)}
        condition={row.condition}
        isReadOnly={isReadOnly}
        onChange={(condition) => onChange(setNodeMember(row, 'condition', condition), 'condition')}
      />
      <RowRepeatFields {...props} />
    </>
  )
}
