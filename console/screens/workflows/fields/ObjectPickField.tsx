import { MultiSelect, Select } from '@mantine/core'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { ObjectPickKind } from '../model/settings.ts'
import { type NodeFieldProps, useNodeFieldFault } from './node-form.ts'
import { usePickChoices } from './picks.ts'

type Props = NodeFieldProps & { of: ObjectPickKind }
const MAX_SHOWN = 100

/** One object or node, by its name. */
export function ObjectPickField({ form, at, label, isReadOnly, of }: Props) {
  const value = readPointerValue(form.value, at) ?? null
  const { choices, isNumber } = usePickChoices(of, form.value.nodes, value === null ? [] : [value])
  return (
    <Select
      label={label}
      searchable
      clearable
      limit={MAX_SHOWN}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={choices}
      value={value === null ? null : String(value)}
      onChange={(next) => form.set(at, next === null ? null : isNumber ? Number(next) : next)}
    />
  )
}

/** Some objects or nodes, by their names. */
export function ObjectMultiPickField({ form, at, label, isReadOnly, of }: Props) {
  const value = readPointerValue(form.value, at)
  const chosenIds: unknown[] = Array.isArray(value) ? value : []
  const { choices, isNumber } = usePickChoices(of, form.value.nodes, chosenIds)
  return (
    <MultiSelect
      label={label}
      searchable
      clearable
      limit={MAX_SHOWN}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={choices}
      value={chosenIds.map(String)}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : isNumber ? next.map(Number) : next)}
    />
  )
}
