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

function TextListField({ form, isReadOnly, path, schema }: SchemaFieldContext & { schema: SettingSchema }) {
  const gatewayLabels = useGatewayLabels()
  const fieldPointer = settingPointer(path)
  const value = readPointerValue(form.value, fieldPointer)
  const isNumber = schema.items?.type === 'integer'
  return (
    <TagsInput
      label={gatewayLabels.label(path)}
      description={gatewayLabels.help(path)}
      error={form.faultAt(fieldPointer)}
      maw={560}
      readOnly={isReadOnly}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(fieldPointer, isNumber ? next.map(Number).filter(Number.isInteger) : next)}
    />
  )
}

/** One setting, as its schema says. */
function SettingField({ schema: rawSchema, ...place }: SchemaFieldContext & { schema: SettingSchema }) {
  const gatewayLabels = useGatewayLabels()
  const { path } = place
  const settingSchema = omitNullVariant(rawSchema)
  const settingShape = findSettingShape(settingSchema)
  const helpText = gatewayLabels.help(path)
  const fieldProps = {
    ...place,
    at: settingPointer(path),
    label: gatewayLabels.label(path),
    ...(helpText !== undefined && { help: helpText }),
  }
  if (settingShape === 'switch') return <SwitchField {...fieldProps} />
  if (settingShape === 'number') {
    const { minimum: min, maximum: max } = settingSchema
    const unitLabel = path.at(-1)?.endsWith('Ms') ? gatewayLabels.t('ms') : undefined
    return (
      <NumberField
        {...fieldProps}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        {...(unitLabel && { unit: unitLabel })}
      />
    )
  }
  if (settingShape === 'choice') {
    const choices = (settingSchema.enum ?? []).map((value) => ({ value, label: gatewayLabels.value(path, value) }))
    return <ChoiceField {...fieldProps} choices={choices} isClearable={isOptional(rawSchema)} />
  }
  if (settingShape === 'words') return <TextListField {...place} schema={settingSchema} />
  if (settingShape === 'map') {
    const [entrySchema] = Object.values(settingSchema.patternProperties ?? {})
    return (
      <NameValueField
        {...fieldProps}
        choices={entrySchema?.enum?.map((value) => ({ value, label: gatewayLabels.value(path, value) }))}
      />
    )
  }
  if (settingShape === 'variants') return <VariantField {...place} schema={settingSchema} />
  if (settingShape === 'group')
    return (
      <FieldGroup title={gatewayLabels.label(path)}>
        <GatewaySchemaFields {...place} settings={Object.entries(settingSchema.properties ?? {})} />
      </FieldGroup>
    )
  return settingShape === 'lines' ? <LongTextField {...fieldProps} /> : <TextField {...fieldProps} />
}

/** Settings in the order of their schema. */
export function GatewaySchemaFields({
  settings,
  path,
  ...place
}: SchemaFieldContext & { settings: readonly [string, SettingSchema][] }) {
  return settings.map(([name, schema]) => <SettingField key={name} {...place} path={[...path, name]} schema={schema} />)
}
