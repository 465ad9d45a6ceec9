import { TagsInput } from '@mantine/core'
import {
  ChoiceField,
  FieldGroup,
  LongTextField,
  NumberField,
  SwitchField,
  TextField,
} from '../../components/form/fields.tsx'
import { NameValueField } from '../../components/form/NameValueField.tsx'
import { readPointerValue } from '../../components/form/pointers.ts'
import type { FormState } from '../../components/form/use-form.ts'
import type { GatewayForm } from './model.ts'
import { findSettingShape, isOptional, omitNullVariant, type SettingSchema } from './schema.ts'
import { VariantField } from './VariantField.tsx'
import { useGatewayLabels } from './words.ts'

export interface SchemaFieldContext {
  form: FormState<GatewayForm>
  isReadOnly: boolean
  /** The names that lead to it, within the settings. */
  path: readonly string[]
}

export const settingPointer = (path: readonly string[]): string => ['/settings', ...path].join('/')

function WordsField({ form, isReadOnly, path, schema }: SchemaFieldContext & { schema: SettingSchema }) {
  const words = useGatewayLabels()
  const at = settingPointer(path)
  const value = readPointerValue(form.value, at)
  const isNumber = schema.items?.type === 'integer'
  return (
    <TagsInput
      label={words.label(path)}
      description={words.help(path)}
      error={form.faultAt(at)}
      maw={560}
      readOnly={isReadOnly}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, isNumber ? next.map(Number).filter(Number.isInteger) : next)}
    />
  )
}

/** One setting, as its schema says. */
function SettingField({ schema: given, ...place }: SchemaFieldContext & { schema: SettingSchema }) {
  const words = useGatewayLabels()
  const { path } = place
  const schema = omitNullVariant(given)
  const shape = findSettingShape(schema)
  const help = words.help(path)
  const own = { ...place, at: settingPointer(path), label: words.label(path), ...(help !== undefined && { help }) }
  if (shape === 'switch') return <SwitchField {...own} />
  if (shape === 'number') {
    const { minimum: min, maximum: max } = schema
    const unit = path.at(-1)?.endsWith('Ms') ? words.t('ms') : undefined
    return (
      <NumberField
        {...own}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        {...(unit && { unit })}
      />
    )
  }
  if (shape === 'choice') {
    const choices = (schema.enum ?? []).map((value) => ({ value, label: words.value(path, value) }))
    return <ChoiceField {...own} choices={choices} isClearable={isOptional(given)} />
  }
  if (shape === 'words') return <WordsField {...place} schema={schema} />
  if (shape === 'map') {
    const [one] = Object.values(schema.patternProperties ?? {})
    return <NameValueField {...own} choices={one?.enum?.map((value) => ({ value, label: words.value(path, value) }))} />
  }
  if (shape === 'variants') return <VariantField {...place} schema={schema} />
  if (shape === 'group')
    return (
      <FieldGroup title={words.label(path)}>
        <GatewaySchemaFields {...place} settings={Object.entries(schema.properties ?? {})} />
      </FieldGroup>
    )
  return shape === 'lines' ? <LongTextField {...own} /> : <TextField {...own} />
}

/** Settings in the order of their schema. */
export function GatewaySchemaFields({
  settings,
  path,
  ...place
}: SchemaFieldContext & { settings: readonly [string, SettingSchema][] }) {
  return settings.map(([name, schema]) => <SettingField key={name} {...place} path={[...path, name]} schema={schema} />)
}
