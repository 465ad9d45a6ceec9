import { MultiSelect, Select } from '@mantine/core'
import { valueAt } from '../../../components/form/pointers.ts'
import type { Pick } from '../model/settings.ts'
import { type FieldProps, useFault } from './node-form.ts'
import { usePicks } from './picks.ts'

type Props = FieldProps & { of: Pick }
const MOST_SHOWN = 100

/** One object or node, by its name. */
export function PickField({ form, at, label, isReadOnly, of }: Props) {
  const value = valueAt(form.value, at) ?? null
  const { choices, isNumber } = usePicks(of, form.value.nodes, value === null ? [] : [value])
  return (
    <Select
      label={label}
      searchable
      clearable
      limit={MOST_SHOWN}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      data={choices}
      value={value === null ? null : String(value)}
      onChange={(next) => form.set(at, next === null ? null : isNumber ? Number(next) : next)}
    />
  )
}

/** Some objects or nodes, by their names. */
export function PicksField({ form, at, label, isReadOnly, of }: Props) {
  const value = valueAt(form.value, at)
  const chosen: unknown[] = Array.isArray(value) ? value : []
  const { choices, isNumber } = usePicks(of, form.value.nodes, chosen)
  return (
    <MultiSelect
      label={label}
      searchable
      clearable
      limit={MOST_SHOWN}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      data={choices}
      value={chosen.map(String)}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : isNumber ? next.map(Number) : next)}
    />
  )
}
