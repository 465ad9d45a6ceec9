import { Select, TagsInput } from '@mantine/core'
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
import styles from './GatewaysPage.module.css'
import type { GatewayForm } from './model.ts'
import {
  findSettingShape,
  findVariantName,
  isOptional,
  listSchemaSettings,
  omitNullVariant,
  type SettingSchema,
} from './schema.ts'
import { useGatewayLabels } from './words.ts'

interface SchemaFieldContext {
  form: FormState<GatewayForm>
  isReadOnly: boolean
  /** The names that lead to it, within the settings. */
  path: readonly string[]
}

const settingPointer = (path: readonly string[]): string => ['/settings', ...path].join('/')

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

/** Returns the variant that matches a value; `undefined` if none does. */
function findVariant(variants: readonly SettingSchema[], value: unknown): SettingSchema | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const { type } = value as { type?: unknown }
  return variants.find((candidate) => findVariantName(candidate) === type || findVariantName(candidate) in value)
}

/** One of several forms of a setting, with what that form asks for. */
function VariantField({ schema, ...place }: SchemaFieldContext & { schema: SettingSchema }) {
  const gatewayLabels = useGatewayLabels()
  const { form, path, isReadOnly } = place
  const variantPointer = settingPointer(path)
  const variants = schema.anyOf ?? []
  const chosenVariant = findVariant(variants, readPointerValue(form.value, variantPointer))
  const chooseVariant = (name: string | null): void => {
    const nextVariant = variants.find((candidate) => findVariantName(candidate) === name)
    const hasType = nextVariant?.properties?.['type']?.const !== undefined
    form.set(variantPointer, nextVariant && (hasType ? { type: name } : { [findVariantName(nextVariant)]: '' }))
  }
  const variantSettings = chosenVariant
    ? listSchemaSettings(chosenVariant).filter(([, settingSchema]) => settingSchema.const === undefined)
    : []
  return (
    <div className={styles['group']}>
      <Select
        label={gatewayLabels.label(path)}
        description={gatewayLabels.help(path)}
        error={form.faultAt(variantPointer)}
        maw={560}
        clearable
        readOnly={isReadOnly}
        data={variants.map((settingSchema) => ({
          value: findVariantName(settingSchema),
          label: gatewayLabels.value(path, findVariantName(settingSchema)),
        }))}
        value={chosenVariant ? findVariantName(chosenVariant) : null}
        onChange={chooseVariant}
      />
      {variantSettings.length > 0 && (
        <div className={styles['nested']}>
          <GatewaySchemaFields {...place} settings={variantSettings} />
        </div>
      )}
    </div>
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
