import { Select } from '@mantine/core'
import { readPointerValue } from '../../components/form/pointers.ts'
import { GatewaySchemaFields, type SchemaFieldContext, settingPointer } from './GatewaySchemaFields.tsx'
import styles from './GatewaysPage.module.css'
import { findVariantName, listSchemaSettings, type SettingSchema } from './schema.ts'
import { useGatewayLabels } from './words.ts'

/** Returns the variant that matches a value; `undefined` if none does. */
function findVariant(variants: readonly SettingSchema[], value: unknown): SettingSchema | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const { type } = value as { type?: unknown }
  return variants.find((candidate) => findVariantName(candidate) === type || findVariantName(candidate) in value)
}

/** One of several forms of a setting, with what that form asks for. */
export function VariantField({ schema, ...place }: SchemaFieldContext & { schema: SettingSchema }) {
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
